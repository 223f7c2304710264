import { drawPicture } from './demo/pictures.ts'
import type { Config } from './settings/config.ts'
import { numberAllChanges } from './changes/numbering.ts'
import { forgetOldAnswers, noteRevocation } from './houses/tasks.ts'
import { cleanStore } from './images/clean-store.ts'
import { deleteMedia, deriveImage, moveImage } from './images/tasks.ts'
import { readyDocuments, scheduleReadiness } from './items/readiness/tasks.ts'
import { enqueueRepeated } from './jobs/queue.ts'
import type { TaskList } from './jobs/worker.ts'
import { forgetJournal } from './journal/tasks.ts'
import { recalculateClosingTimes } from './lots/closing.ts'
import { decideClosedLots, scheduleDecisions } from './lots/deciding.ts'

/** Every task of the program. A task that keeps a processor busy is slow. */
export const createTasks = ({ journalDays }: Pick<Config, 'journalDays'>): TaskList => ({
  slow: { derive_renditions: deriveImage, draw_demo_picture: drawPicture },
  quick: {
    recalculate_session: recalculateClosingTimes,
    decide_results: decideClosedLots,
    move_renditions: moveImage,
    delete_media: deleteMedia,
    clean_store: cleanStore,
    forget_answers: forgetOldAnswers,
    forget_journal: forgetJournal(journalDays),
    note_revocation: noteRevocation,
    number_changes: numberAllChanges,
    ready_documents: readyDocuments,
  },
  async schedule(db) {
    for (const task of ['clean_store', 'forget_answers', 'forget_journal'] as const)
      await enqueueRepeated(db, task, { keepTime: true })
    // At once: an earlier version may have written without marks.
    await enqueueRepeated(db, 'number_changes')
    await scheduleReadiness(db)
    await scheduleDecisions(db)
  },
})
