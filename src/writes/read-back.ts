import type { Context } from '../context.ts'
import { requireFound } from '../problems.ts'
import { readDocument, readLast, readTag } from '../reads/reads.ts'
import type { Selection } from '../reads/selections.ts'

type Writing = Pick<Context, 'db' | 'write'>

/**
 * Reads a record back as the last statement of a transaction, together with COMMIT. If the write needs the answer
 * first (`needsAnswer`), COMMIT comes later.
 * @throws Problem not-found, integrity-unavailable
 */
export function readWritten({ db, write }: Writing, selection: Selection): Promise<{ json: string; tag: string }> {
  return write?.needsAnswer ? readDocument(db, selection) : readLast(db, selection)
}

/**
 * Returns a record that a write has locked, if it has the version that the request expects. `select` reads it as the
 * interface does. Call it before any other condition.
 * @throws Problem not-found, precondition-failed, precondition-required
 */
export async function requireLocked<Found>(
  { db, write }: Writing,
  found: Found | undefined,
  select: (expand: never[]) => Selection,
  kind?: string,
): Promise<Found> {
  const record = requireFound(found, kind)
  await write?.guard(async (expansions) => {
    const selections = expansions.map((names) => select(names as never[]))
    const distinct = new Map(selections.map((selection) => [selection.documents.format, selection]))
    const tags: string[] = []
    for (const selection of distinct.values()) tags.push(await readTag(db, selection))
    return tags
  })
  return record
}
