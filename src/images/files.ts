import type { Scope } from '../context.ts'
import { enqueue } from '../jobs/queue.ts'
import { isPublic, renditionKey, renditions, type FileName } from '../media/object-keys.ts'
import type { StoredImage } from './statements.ts'

/** The folder of an image's renditions, and the widths of the sources in it. */
type Folder = { renditions: string; source_widths: number[] | null }

/** The names of the files in the folder of an image with such sources. */
export const namesOf = ({ source_widths }: Pick<Folder, 'source_widths'>): FileName[] => [
  ...renditions,
  ...(source_widths ?? []),
]

/** The keys of all files in the folder of an image. */
export const filesIn = (folder: Folder) => namesOf(folder).map((name) => renditionKey(folder.renditions, name))

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
  { original, renditions, source_widths }: Pick<StoredImage, 'original' | 'renditions' | 'source_widths'>,
): Promise<void> {
  const keys = [original ?? [], renditions === null ? [] : filesIn({ renditions, source_widths })].flat()
  if (keys.length > 0) await enqueue(db, 'delete_media', { keys })
}
