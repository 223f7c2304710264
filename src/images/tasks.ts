import path from 'node:path'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../db/pool.ts'
import { touched } from '../db/touch.ts'
import { inTransaction, UnknownOutcome } from '../db/transaction.ts'
import { reviseItem } from '../items/touch.ts'
import type { Payloads, TaskContext } from '../jobs/queue.ts'
import { newFolder, renditionKey, renditions, type Rendition } from '../media/object-keys.ts'
import { deriveRenditions } from '../media/pictures.ts'
import type { MediaStore } from '../media/store.ts'
import { withTemporaryFolder } from '../media/temporary.ts'
import { deleteFiles, filesIn, folderFits, moveRenditions } from './files.ts'

// What becomes of an image: the queue's jobs and this file's tasks. `processing` is true from the upload (or the
// demand to process it again) until a derive_renditions succeeds or has failed for the last time. New renditions are
// complete in a folder of their own before one statement switches the row over; the old folder is deleted after that.

type Image = Payloads['derive_renditions']
type StoredImage = {
  item_id: string
  public: boolean
  processing: boolean
  original: string | null
  renditions: string | null
}

async function findImage(db: Database, { house, image }: Image, lock = sql``): Promise<StoredImage | undefined> {
  const { rows } = await sql<StoredImage>`select item_id, public, processing, original, renditions
    from catalogue.images where house_id = ${house} and id = ${image} ${lock}`.execute(db)
  return rows[0]
}

/** Changes the row and says whether it is still there, and as the condition wants it. */
async function update(
  db: Database,
  { house, image }: Image,
  now: Date,
  change: RawBuilder<unknown>,
  condition = sql``,
): Promise<boolean> {
  const { rows } = await sql`update catalogue.images set ${change}, ${touched(now)}
    where house_id = ${house} and id = ${image} ${condition} returning id`.execute(db)
  return rows.length > 0
}

/** Makes the renditions of an image's original (section 2.4). An image that is gone meanwhile ends it quietly. */
export async function deriveImage(context: TaskContext, job: Image): Promise<void> {
  const { db, media, now, isLastAttempt } = context
  const image = await findImage(db, job)
  if (!image?.original) return
  const { original } = image
  if (image.processing === isLastAttempt) {
    // If the process dies in the last attempt, nobody is left to say that it failed: so it is said beforehand.
    const failed = isLastAttempt ? sql`, processing_failed_at = ${now()}` : sql``
    await update(db, job, now(), sql`processing = ${!isLastAttempt} ${failed}`)
  }
  const folder = newFolder(image.public)
  try {
    const pictures = await withTemporaryFolder(async (temporary) => {
      const file = path.join(temporary, 'original')
      await media.download(original, file)
      return deriveRenditions(file)
    })
    const bytes = Object.values(pictures).reduce((sum, picture) => sum + picture.length, 0)
    const put = (name: Rendition) => media.put(renditionKey(folder, name), pictures[name])
    await fillFolder(context, job, folder, put, {
      isCurrent: (stored) => stored.original === original,
      change: sql`processing = false, processing_failed_at = null, renditions_bytes = ${bytes},`,
    })
  } catch (error) {
    // Another worker may have thought this one dead, and done its work.
    const unchanged = sql`and original = ${original} and renditions is not distinct from ${image.renditions}`
    const failed = sql`processing = ${!isLastAttempt}, processing_failed_at = ${now()}`
    if (await update(db, job, now(), failed, unchanged)) throw error
  }
}

/** Moves an image's renditions between the public and the private area, after its visibility has changed. */
export async function moveImage(context: TaskContext, job: Image): Promise<void> {
  const image = await findImage(context.db, job)
  if (!image?.renditions || folderFits(image.renditions, image.public)) return
  const from = image.renditions
  const folder = newFolder(image.public)
  const copy = (name: Rendition) => context.media.copy(renditionKey(from, name), renditionKey(folder, name))
  await fillFolder(context, job, folder, copy, {
    isCurrent: (stored) => stored.renditions === from,
    change: sql``,
  })
}

/** Fills a new folder and switches the image to it; if that is no longer wanted, or fails, nothing of it stays. */
async function fillFolder(
  context: TaskContext,
  job: Image,
  folder: string,
  fill: (name: Rendition) => Promise<void>,
  { isCurrent, change }: { isCurrent: (stored: StoredImage) => boolean; change: RawBuilder<unknown> },
): Promise<void> {
  let unwanted = true
  try {
    // All four are waited for, so that none is written after the folder has been deleted again.
    const outcomes = await Promise.allSettled(renditions.map(fill))
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failure) throw failure.reason
    unwanted = await inTransaction(context, async ({ db }) => {
      const found = await findImage(db, job)
      if (!found) return true
      // Every writer takes the item's lock before its images'.
      await sql`select from catalogue.items where house_id = ${job.house} and id = ${found.item_id} for update`.execute(
        db,
      )
      const stored = await findImage(db, job, sql`for update`)
      if (!stored || !isCurrent(stored)) return true
      await update(db, job, context.now(), sql`${change} renditions = ${folder}`)
      await deleteFiles(db, { renditions: stored.renditions })
      if (!folderFits(folder, stored.public)) await moveRenditions(db, job.house, job.image)
      if (stored.public) await reviseItem({ db, house: { id: job.house } }, stored.item_id)
      return false
    })
  } catch (error) {
    // The row may name the folder, or will yet; if it does not, the clean-up of the store takes it.
    if (error instanceof UnknownOutcome) unwanted = false
    throw error
  } finally {
    if (unwanted) await Promise.allSettled(filesIn(folder).map((key) => context.media.delete(key)))
  }
}

/** Deletes files whose rows are gone or name others by now. */
export async function deleteMedia({ media }: { media: Pick<MediaStore, 'delete'> }, { keys }: { keys: string[] }) {
  for (const key of keys) await media.delete(key)
}
