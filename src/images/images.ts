import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { errorCode } from '../db/errors.ts'
import { readOne } from '../db/reads.ts'
import { touched } from '../db/touch.ts'
import { inTransaction, UnknownOutcome } from '../db/transaction.ts'
import type { ReceivedFile } from '../request/multipart.ts'
import { fieldError } from '../request/validation.ts'
import { touchItem } from '../items/touch.ts'
import { enqueueRenditions } from '../jobs/queue.ts'
import { newOriginal } from '../media/object-keys.ts'
import { inspectPicture, PictureError } from '../media/pictures.ts'
import type { MediaStore } from '../media/store.ts'
import { Problem, temporarilyUnavailable, validationFailed } from '../problems.ts'
import { deleteFiles } from './files.ts'
import { closeGaps } from './gallery.ts'
import { findItem, selectImage } from './queries.ts'
import { checkStorage } from './storage.ts'

/** What comes with a request to upload a picture: the file, under which reference, for whom to see. */
export type Upload = { file: ReceivedFile; reference: string; visible: boolean }

type StoredImage = {
  id: string
  public: boolean
  processing: boolean
  original: string | null
  renditions: string | null
}

async function inspect({ path }: ReceivedFile): Promise<string> {
  try {
    return (await inspectPicture(path)).type
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new Error('a file that was received is gone', { cause: error })
    if (!(error instanceof PictureError)) throw error
    if (error.reason === 'too-large') throw new Problem('payload-too-large', error.message)
    if (error.reason === 'unsupported') throw new Problem('unsupported-media-type', error.message)
    throw validationFailed([fieldError('file', 'invalid', 'cannot be read as a picture')])
  }
}

function storeUnavailable(error: unknown): never {
  throw temporarilyUnavailable('The file store cannot be reached, or is full.', 5, error)
}

/**
 * Stores a picture as a new image of the item, a public one at the end of its gallery, and asks for its renditions;
 * gives its document. A refused one leaves neither row nor file.
 * @throws Problem not-found, payload-too-large, unsupported-media-type, validation-failed, duplicate-reference,
 *   temporarily-unavailable when the file store cannot be reached
 */
export async function uploadImage(
  context: Context,
  media: MediaStore,
  itemUuid: string,
  upload: Upload,
): Promise<{ uuid: string; document: string }> {
  const type = await inspect(upload.file)
  const { size: bytes } = await stat(upload.file.path)
  const original = newOriginal()
  const uuid = randomUUID()
  try {
    await media.put(original, upload.file.path).catch(storeUnavailable)
    const document = await inTransaction(context, async ({ db }) => {
      const tx = { ...context, db }
      const item = await findItem(tx, itemUuid, sql`for update`)
      await insertImage(tx, item, { uuid, original, bytes, type, ...upload })
      if (upload.visible) await touchItem(tx, item)
      return readOne(db, selectImage(tx, item, uuid))
    })
    return { uuid, document }
  } catch (error) {
    // What may have been committed keeps its file; if it was not, the clean-up of the store takes it.
    if (!(error instanceof UnknownOutcome)) await media.delete(original).catch(() => undefined)
    throw error
  }
}

async function insertImage(
  { db, house, now }: Context,
  item: string,
  image: Upload & { uuid: string; original: string; bytes: number; type: string },
): Promise<void> {
  const { rows: namesakes } = await sql`select from catalogue.images
    where house_id = ${house.id} and item_id = ${item} and external_reference = ${image.reference} limit 1`.execute(db)
  if (namesakes.length > 0)
    throw new Problem('duplicate-reference', 'Another image of the item has this external_reference.')
  const end = image.visible ? await closeGaps(db, house.id, item) : null
  await checkStorage(db, house.id, image.bytes, { lock: true })
  const { rows } = await sql<{ id: string }>`insert into catalogue.images
    (house_id, public_id, item_id, external_reference, public, position, processing, original, original_type, original_bytes, created_at, updated_at)
    values (${house.id}, ${image.uuid}, ${item}, ${image.reference}, ${image.visible}, ${end}, true, ${image.original}, ${image.type}, ${image.bytes}, ${now}, ${now})
    returning id`.execute(db)
  await enqueueRenditions(db, house.id, [rows[0]!.id])
}

async function lockImage(
  { db, house }: Context,
  item: string,
  uuid: string,
  lock = sql`for update`,
): Promise<StoredImage> {
  const { rows } = await sql<StoredImage>`select id, public, processing, original, renditions from catalogue.images
    where house_id = ${house.id} and item_id = ${item} and public_id = ${uuid} ${lock}`.execute(db)
  if (rows.length > 1) throw new Problem('integrity-unavailable', 'Several records share this identity.')
  if (!rows[0]) throw new Problem('not-found', 'There is no such record.')
  return rows[0]
}

/**
 * Asks for new renditions from the stored original; gives the image's document, `processing` now.
 * @throws Problem not-found, image-processing, validation-failed when no original is stored
 */
export async function reprocessImage(context: Context, itemUuid: string, uuid: string): Promise<string> {
  return inTransaction(context, async ({ db }) => {
    const { house, now } = context
    const tx = { ...context, db }
    const item = await findItem(tx, itemUuid, sql`for share`)
    const image = await lockImage(tx, item, uuid)
    if (image.processing) throw new Problem('image-processing')
    if (image.original === null)
      throw validationFailed([fieldError('', 'unavailable', 'names an image without a stored file')])
    await sql`update catalogue.images set processing = true, ${touched(now)}
      where house_id = ${house.id} and id = ${image.id}`.execute(db)
    await enqueueRenditions(db, house.id, [image.id])
    return readOne(db, selectImage(tx, item, uuid))
  })
}

// Uploads, other deletions and finishing renditions hold an item for moments only: that is no conflict yet.
const lockAttempts = 10
const lockPauseMilliseconds = 100

/**
 * Deletes an image; its files are deleted by a job after the commit, which keeps trying.
 * @throws Problem not-found, locked when somebody else holds the item or the image for longer than a second
 */
export async function deleteImage(context: Context, itemUuid: string, uuid: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(context, ({ db }) => deleteUnlocked({ ...context, db }, itemUuid, uuid))
    } catch (error) {
      if (errorCode(error) !== '55P03') throw error
      if (attempt === lockAttempts) throw new Problem('locked')
      await sleep(lockPauseMilliseconds)
    }
  }
}

async function deleteUnlocked(tx: Context, itemUuid: string, uuid: string): Promise<void> {
  const { db, house } = tx
  const item = await findItem(tx, itemUuid, sql`for update nowait`)
  const image = await lockImage(tx, item, uuid, sql`for update nowait`)
  await sql`delete from catalogue.images where house_id = ${house.id} and id = ${image.id}`.execute(db)
  await deleteFiles(db, image)
  if (image.public) await touchItem(tx, item)
}
