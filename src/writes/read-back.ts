import type { Context } from '../context.ts'
import { requireFound } from '../problems.ts'
import { readDocument, readLast, readTag } from '../reads/reads.ts'
import type { Selection } from '../reads/selections.ts'

type Writing = Pick<Context, 'db' | 'write'>

/**
 * Reads a record back as the last thing that a transaction does. COMMIT travels with it, unless the answer decides about it.
 * @throws Problem not-found, integrity-unavailable
 */
export function readWritten({ db, write }: Writing, selection: Selection): Promise<{ json: string; tag: string }> {
  return write?.needsAnswer ? readDocument(db, selection) : readLast(db, selection)
}

/**
 * Gives a record that a write has locked and is about to change, if it is the version that the request expects. `select`
 * is how the interface reads it. Call it before any other condition.
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
