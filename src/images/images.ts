import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Written } from '../context.ts'
import { errorCode, UnknownOutcome } from '../db/errors.ts'
import { readDocument } from '../reads/reads.ts'
import { requireLocked, inTransaction } from '../writes/transaction.ts'
import type { ReceivedFile } from '../http/body/multipart.ts'
import { fieldError } from '../http/body/validation.ts'
import { enqueueRenditions } from '../jobs/queue.ts'
import { newOriginal } from '../media/object-keys.ts'
import { inspectPicture, PictureError } from '../media/pictures.ts'
import type { MediaStore } from '../media/store.ts'
import { Problem, requireFound, temporarilyUnavailable, validationFailed } from '../problems.ts'
import { printId } from '../values/ids.ts'
import { printManagedImage } from './addresses.ts'
import { changeAlts, type AltChange, type Alts } from './alts.ts'
import { deleteFiles } from './files.ts'
import { selectImage } from './queries.ts'
import { closeGaps, hasImageReference, lockImages, type StoredImage } from './statements.ts'
import { checkStorage } from './storage.ts'
import { addImage, removeImage, touchImage } from './touch.ts'
import { findItem } from '../items/locks.ts'

/** The upload of a picture. `visible`: as a public image. */
export type Upload = { file: ReceivedFile; reference: string; visible: boolean; alts: Alts }

type Inspected = Awaited<ReturnType<typeof inspectPicture>>

async function inspect({ path }: ReceivedFile, house: string, signal: AbortSignal): Promise<Inspected> {
  try {
    return await inspectPicture(path, house, signal)
  } catch (error) {
    if (error === signal.reason) throw new Problem('malformed-json', 'The client left before the picture was checked.')
    if (errorCode(error) === 'ENOENT') throw new Error('a file that was received is gone', { cause: error })
    if (!(error instanceof PictureError)) throw error
    if (error.reason === 'too-large') throw new Problem('payload-too-large', error.message)
    if (error.reason === 'unsupported') throw new Problem('unsupported-media-type', error.message)
    throw validationFailed([fieldError('file', 'invalid', 'must be a picture that can be decoded')])
  }
}

function storeUnavailable(error: unknown): never {
  throw temporarilyUnavailable('The file store cannot be reached, or is full.', 5, error)
}

/**
 * Stores a picture as a new image of the item, and queues its renditions. A public image goes to the end of the
 * gallery. A refused upload leaves neither row nor file. The same holds if the client disconnects (`signal`) while the
 * picture waits for a decoder.
 * @throws Problem not-found, payload-too-large, unsupported-media-type, validation-failed, duplicate-reference,
 *   temporarily-unavailable if the file store cannot be reached, or decoders are killed
 */
export async function uploadImage(
  context: Context,
  media: MediaStore,
  itemUuid: string,
  upload: Upload,
  signal: AbortSignal,
): Promise<Written> {
  const inspected = await inspect(upload.file, context.house.id, signal)
  const { size: bytes } = await stat(upload.file.path)
  const original = newOriginal()
  const uuid = randomUUID()
  try {
    await media.put(original, upload.file.path).catch(storeUnavailable)
    return await inTransaction(context, async (tx) => {
      const item = await findItem(tx, itemUuid, 'for update')
      const { reference, visible, alts } = upload
      if (await hasImageReference(tx, item, reference))
        throw new Problem('duplicate-reference', 'Another image of the item has this external_reference.')
      const position = visible ? await closeGaps(tx, item) : null
      await checkStorage(tx, bytes, { lock: true })
      const image = { uuid, reference, visible, position, alts, original, bytes, ...inspected }
      await enqueueRenditions(tx, [await addImage(tx, { id: item, uuid: itemUuid }, image)])
      return { id: printId('image', uuid), ...(await readImage(tx, media, item, uuid)) }
    })
  } catch (error) {
    // Without an answer to the commit, the row may exist, so the file stays. If there is no row, the clean-up deletes
    // it.
    if (!(error instanceof UnknownOutcome)) await media.delete(original).catch(() => undefined)
    throw error
  }
}

async function readImage(tx: Context, media: MediaStore, item: string, uuid: string): Promise<Written> {
  const { json, tag } = await readDocument(tx.db, selectImage(tx, item, uuid))
  return { json: await printManagedImage(media, json, tx.clock()), tag }
}

async function lockImage(
  tx: Context,
  item: string,
  uuid: string,
  lock: 'for update' | 'for update nowait',
): Promise<StoredImage> {
  const [image, another] = await lockImages(tx, item, uuid, lock)
  if (another) throw new Problem('integrity-unavailable', 'Several records share this identity.')
  return requireFound(image)
}

/**
 * Queues new renditions from the stored original. The image is `processing` now.
 * @throws Problem not-found, image-processing, validation-failed if no original is stored
 */
export async function reprocessImage(
  context: Context,
  media: MediaStore,
  itemUuid: string,
  uuid: string,
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const item = await findItem(tx, itemUuid, 'for share')
    const image = await lockImage(tx, item, uuid, 'for update')
    if (image.processing) throw new Problem('image-processing')
    if (image.original === null)
      throw validationFailed([fieldError('', 'unavailable', 'cannot be carried out: the image has no stored original')])
    await touchImage(tx, { id: item, uuid: itemUuid }, image, { processing: true })
    await enqueueRenditions(tx, [image.id])
    return readImage(tx, media, item, uuid)
  })
}

/**
 * Changes what an image shows, in words (section 4.8). Of a public image it is a change of the item. A repeated value
 * changes nothing, not even a timestamp.
 * @throws Problem not-found, precondition-failed, precondition-required
 */
export async function changeImage(
  context: Context,
  media: MediaStore,
  itemUuid: string,
  uuid: string,
  body: AltChange,
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const item = await findItem(tx, itemUuid, 'for update')
    const locked = await lockImage(tx, item, uuid, 'for update')
    const image = await requireLocked(tx, locked, () => selectImage(tx, item, uuid))
    const alts = changeAlts(image.alts, body, tx.house.defaultLocale)
    await touchImage(tx, { id: item, uuid: itemUuid }, image, { alts })
    return readImage(tx, media, item, uuid)
  })
}

// An upload, deletion or finished rendition locks an item for moments. Only a longer wait is a conflict.
const lockAttempts = 10
const lockPauseMilliseconds = 100

/**
 * Deletes an image. A job deletes its files after the commit, and is repeated until it succeeds.
 * @throws Problem not-found, precondition-failed, precondition-required, locked if another transaction holds the item
 *   or the image for longer than a second
 */
export async function deleteImage(context: Context, itemUuid: string, uuid: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(context, (tx) => deleteUnlocked(tx, itemUuid, uuid))
    } catch (error) {
      if (errorCode(error) !== '55P03') throw error
      if (attempt === lockAttempts) throw new Problem('locked')
      await sleep(lockPauseMilliseconds)
    }
  }
}

async function deleteUnlocked(tx: Context, itemUuid: string, uuid: string): Promise<void> {
  const item = await findItem(tx, itemUuid, 'for update nowait')
  const locked = await lockImage(tx, item, uuid, 'for update nowait')
  const image = await requireLocked(tx, locked, () => selectImage(tx, item, uuid))
  await removeImage(tx, { id: item, uuid: itemUuid }, image)
  await deleteFiles(tx, image)
}
