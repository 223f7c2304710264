import path from 'node:path'
import type { Context, Scope } from '../context.ts'
import { touch } from '../writes/touch.ts'
import { UnknownOutcome } from '../db/errors.ts'
import { inTransaction } from '../writes/transaction.ts'
import { reviseItem } from '../items/touch.ts'
import { enqueue, Postponed, type Payloads, type TaskContext } from '../jobs/queue.ts'
import { newFolder, renditionKey, type FileName, type Rendition } from '../media/object-keys.ts'
import { deriveRenditions, PictureError } from '../media/pictures.ts'
import { withTemporaryFolder } from '../media/temporary.ts'
import { deleteFiles, folderFits, moveRenditions, namesOf } from './files.ts'
import { areFilesHeld } from './file-statements.ts'
import { findImage, noteFailure, switchMoved, switchNew, type Made, type StoredImage } from './statements.ts'
import { lockItems } from '../items/locks.ts'

// `processing` is true from the upload (or reprocessing) until derive_renditions succeeds, or fails for the last time.
// New renditions get a folder of their own. Once they are complete, one statement switches the row to it, and the old
// folder is deleted.

type Image = Payloads['derive_renditions']
type HouseContext = TaskContext & Scope

const inHouse = (context: TaskContext, { house }: Image): HouseContext => ({ ...context, house: { id: house } })

/** Makes the renditions of an image's original (section 2.4). Does nothing if the image has been deleted. */
export async function deriveImage(task: TaskContext, job: Image): Promise<void> {
  const context = inHouse(task, job)
  const { media, clock, isLastAttempt } = context
  const image = await findImage(context, job.image)
  if (!image?.original) return
  const { original } = image
  if (image.processing === isLastAttempt) {
    // If the process dies in the last attempt, no code runs to record the failure. So it is recorded beforehand.
    const failed = isLastAttempt ? { processing_failed_at: clock() } : {}
    await inTransaction({ ...context, now: clock() }, (tx) =>
      touch(tx, 'images', image.id, { processing: !isLastAttempt, ...failed }),
    )
  }
  const folder = newFolder(image.public)
  try {
    const { made, files } = await deriveOriginal(context, original)
    const put = (name: FileName) => postponeFailure(media.put(renditionKey(folder, name), files.get(name)!))
    await fillFolder(context, image.id, { folder, names: [...files.keys()] }, put, {
      isCurrent: (locked) => locked.original === original,
      switchOver: (tx) => switchNew(tx, image.id, folder, made),
    })
  } catch (error) {
    // Another worker may have taken this one for dead and done its work.
    const isTriedAgain = !isLastAttempt || error instanceof Postponed
    const isNoted = await inTransaction({ ...context, now: clock() }, (tx) => noteFailure(tx, image, isTriedAgain))
    if (isNoted) throw error
  }
}

/**
 * Decodes an original, and makes all files of its image.
 * @throws Postponed if the store fails; PictureError, also if the store does not have the original
 */
export async function deriveOriginal(
  { media, house }: Pick<HouseContext, 'media' | 'house'>,
  original: string,
): Promise<{ made: Made; files: Map<FileName, Buffer> }> {
  const { renditions, sources, ...known } = await withTemporaryFolder(async (temporary) => {
    const file = path.join(temporary, 'original')
    if (!(await postponeFailure(media.download(original, file))))
      throw new PictureError('unreadable', 'The store does not have the original.')
    return deriveRenditions(file, house.id)
  })
  const files = new Map<FileName, Buffer>([
    ...typedEntries(renditions),
    ...sources.map(({ width, data }) => [width, data] as const),
  ])
  const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0)
  const sizes = sources.map(({ width, height }) => ({ width, height }))
  return { made: { ...known, sources: sizes, bytes }, files }
}

const typedEntries = (renditions: Record<Rendition, Buffer>) => Object.entries(renditions) as [Rendition, Buffer][]

/** Throws Postponed if the store fails. A failure of the store does not count as an attempt at the picture. */
export async function postponeFailure<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    throw new Postponed(error.message, { cause: error })
  })
}

/** Moves an image's renditions between the public and the private area, after its visibility has changed. */
export async function moveImage(task: TaskContext, job: Image): Promise<void> {
  const context = inHouse(task, job)
  const image = await findImage(context, job.image)
  if (!image?.renditions || folderFits(image.renditions, image.public)) return
  const from = image.renditions
  const folder = newFolder(image.public)
  const names = namesOf(image)
  const copy = (name: FileName) => context.media.copy(renditionKey(from, name), renditionKey(folder, name))
  await fillFolder(context, image.id, { folder, names }, copy, {
    // Sources that were added meanwhile are not in the new folder. The job that adds them queues another move.
    isCurrent: (locked) => locked.renditions === from && namesOf(locked).length === names.length,
    switchOver: (tx) => switchMoved(tx, image.id, folder),
  })
}

/** Fills a new folder and switches the image to it. If that fails, or the image has changed, the folder is deleted. */
async function fillFolder(
  context: HouseContext,
  id: string,
  { folder, names }: { folder: string; names: FileName[] },
  fill: (name: FileName) => Promise<void>,
  {
    isCurrent,
    switchOver,
  }: {
    isCurrent: (locked: StoredImage) => boolean
    switchOver: (tx: Scope & Pick<Context, 'now'>) => Promise<void>
  },
): Promise<void> {
  let unwanted = true
  try {
    // Waits for all, so that none is written after the folder has been deleted.
    const outcomes = await Promise.allSettled(names.map(fill))
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failure) throw failure.reason
    unwanted = await inTransaction(context, async (tx) => {
      const found = await findImage(tx, id)
      if (!found) return true
      // Every writer locks the item before its images.
      await lockItems(tx, [found.item_id])
      const locked = await findImage(tx, id, 'for update')
      if (!locked || !isCurrent(locked)) return true
      await switchOver({ ...tx, now: tx.clock() })
      await deleteFiles(tx, { ...locked, original: null })
      if (!folderFits(folder, locked.public)) await moveRenditions(tx, id)
      if (locked.public) await reviseItem(tx, locked.item_id)
      return false
    })
  } catch (error) {
    // The row may name the folder, now or soon. If it does not, the clean-up of the store deletes the folder.
    if (error instanceof UnknownOutcome) unwanted = false
    throw error
  } finally {
    if (unwanted) await Promise.allSettled(names.map((name) => context.media.delete(renditionKey(folder, name))))
  }
}

const heldMilliseconds = 60_000

/** Deletes files that no row names any more. If a backup may need them, they are deleted later. */
export async function deleteMedia(
  { db, media }: Pick<TaskContext, 'db' | 'media'>,
  { keys }: Payloads['delete_media'],
) {
  if (await areFilesHeld(db)) return enqueue(db, 'delete_media', { keys }, { delay: heldMilliseconds })
  for (const key of keys) await media.delete(key)
}
