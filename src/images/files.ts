import type { Scope } from '../context.ts'
import { enqueue } from '../jobs/queue.ts'
import { isPublic, renditionKey, renditions } from '../media/object-keys.ts'

/** The keys of all four files in a folder of renditions. */
export const filesIn = (folder: string) => renditions.map((rendition) => renditionKey(folder, rendition))

/**
 * Whether renditions are in the area that the visibility of their image requires. Until a job has moved them, they have
 * no address: a private picture's would not be signed, and a public one's would expire.
 */
export const folderFits = (folder: string, visible: boolean) => isPublic(folder) === visible

/** Queues the move of an image's renditions to the area that its visibility requires. The job starts after the commit. */
export async function moveRenditions({ db, house }: Scope, image: string): Promise<void> {
  await enqueue(db, 'move_renditions', { house: house.id, image }, { key: `move_renditions:${image}` })
}

/** Queues the deletion of files. The job starts after the commit. */
export async function deleteFiles(
  { db }: Pick<Scope, 'db'>,
  files: { original?: string | null; renditions: string | null },
): Promise<void> {
  const keys = [files.original ?? [], files.renditions === null ? [] : filesIn(files.renditions)].flat()
  if (keys.length > 0) await enqueue(db, 'delete_media', { keys })
}
