import type { Scope } from '../context.ts'
import { enqueue } from '../jobs/queue.ts'
import { isPublic, renditionKey, renditions } from '../media/object-keys.ts'

/** The keys of all four files in a folder of renditions. */
export const filesIn = (folder: string) => renditions.map((rendition) => renditionKey(folder, rendition))

/**
 * Whether renditions lie where the visibility of their image wants them. Until a job has moved them there they have
 * no address: neither would a private picture's be signed, nor a public one's last.
 */
export const folderFits = (folder: string, visible: boolean) => isPublic(folder) === visible

/** Has an image's renditions moved to where its visibility wants them, when the transaction is committed. */
export async function moveRenditions({ db, house }: Scope, image: string): Promise<void> {
  await enqueue(db, 'move_renditions', { house: house.id, image }, { key: `move_renditions:${image}` })
}

/** Has files deleted when the transaction is committed. */
export async function deleteFiles(
  { db }: Pick<Scope, 'db'>,
  files: { original?: string | null; renditions: string | null },
): Promise<void> {
  const keys = [files.original ?? [], files.renditions === null ? [] : filesIn(files.renditions)].flat()
  if (keys.length > 0) await enqueue(db, 'delete_media', { keys })
}
