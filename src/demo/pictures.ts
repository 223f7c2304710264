import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '../context.ts'
import { touch } from '../writes/touch.ts'
import { inTransaction } from '../writes/transaction.ts'
import { findImage } from '../images/statements.ts'
import { deriveImage, postponeFailure } from '../images/tasks.ts'
import { enqueue, type Payloads, type TaskContext } from '../jobs/queue.ts'
import { newOriginal } from '../media/object-keys.ts'
import { countImages, findImages } from './statements.ts'

const folder = path.join(import.meta.dirname, '../../demo/pictures')
const attempts = 5
const watchMilliseconds = 1_000
const step = 40

/** A picture of the demo house as a JPEG. */
export async function renderPicture(name: string): Promise<Buffer> {
  // The service itself decodes no picture, so only the demo house loads this library.
  const { default: sharp } = await import('sharp')
  return sharp(path.join(folder, name)).jpeg({ quality: 80 }).toBuffer()
}

/**
 * Queues the pictures of the loaded demo house. Those of the running sale, and the first one of each item, come first.
 */
export async function queuePictures(tx: Scope, records: Record<string, unknown>[]): Promise<void> {
  const ids = await findImages(tx)
  const isRunning = new Set(
    records.filter(({ published, finished }) => published === true && finished !== true).map(({ ref }) => ref),
  )
  const offered = new Set(records.filter(({ session }) => isRunning.has(session)).map(({ item }) => item))
  for (const { file, item, external_reference, featured } of records) {
    if (typeof file !== 'string') continue
    const image = ids.get(external_reference as string)!
    // After all other jobs: pictures that users upload meanwhile come first.
    const priority = 10 + (offered.has(item) ? 0 : 2) + (featured === true ? 0 : 1)
    const job = { house: tx.house.id, image, picture: path.basename(file) }
    await enqueue(tx.db, 'draw_demo_picture', job, { maxAttempts: attempts, priority })
  }
}

/** Draws a picture of the demo house, stores it as the original of its image, and makes the renditions. */
export async function drawPicture(task: TaskContext, job: Payloads['draw_demo_picture']): Promise<void> {
  const { db, media, clock } = task
  const picture = await renderPicture(job.picture)
  const original = newOriginal()
  await postponeFailure(media.put(original, picture))
  const isNew = await inTransaction({ db, house: { id: job.house }, now: clock() }, async (tx) => {
    const image = await findImage(tx, job.image, 'for update')
    if (!image || image.original !== null) return false
    await touch(tx, 'images', image.id, { original, original_bytes: String(picture.length) })
    return true
  })
  if (!isNew) await media.delete(original)
  await deriveImage(task, job)
}

/** Reports from time to time how many of the demo house's pictures are drawn, until all are or the signal aborts. */
export async function watchPictures(scope: Scope, signal: AbortSignal, say: (text: string) => void): Promise<void> {
  for (let next = step, isDrawing = false; !signal.aborted;) {
    // The database may be away for a while.
    const { all, processing } = (await countImages(scope).catch(() => undefined)) ?? { all: 0, processing: 1 }
    if (processing === 0) return isDrawing ? say(`drew the photographs: ${all}`) : undefined
    isDrawing = true
    if (all - processing >= next) {
      say(`drawing the photographs: ${all - processing} of ${all}`)
      next = all - processing + step
    }
    await sleep(watchMilliseconds, undefined, { signal }).catch(() => undefined)
  }
}
