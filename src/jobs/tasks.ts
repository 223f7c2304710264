import { cleanStore } from '../images/clean-store.ts'
import { deleteMedia, deriveImage, moveImage } from '../images/tasks.ts'
import { recalculateClosingTimes } from '../lots/closing.ts'
import type { Payloads, TaskContext } from './queue.ts'

type Tasks = { [Task in keyof Payloads]?: (context: TaskContext, payload: Payloads[Task]) => Promise<void> }

/** What keeps a processor busy for a while. */
export const slowTasks: Tasks = {
  derive_renditions: deriveImage,
}

/** Everything else; it never waits behind the slow tasks. */
export const quickTasks: Tasks = {
  recalculate_session: recalculateClosingTimes,
  move_renditions: moveImage,
  delete_media: deleteMedia,
  clean_store: cleanStore,
}
