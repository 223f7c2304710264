import type { Context, Scope } from '../context.ts'
import { searchedKinds, type Searched } from '../kinds.ts'
import { markForSearch } from '../writes/touch.ts'
import { inTransaction } from '../writes/transaction.ts'
import {
  addWords,
  findFormat,
  findStale,
  forgetWords,
  hasRecords,
  joinWords,
  lockIndex,
  mostCaughtUp,
  ownSource,
  readItems,
  readNames,
  sourceOf,
  subtractWords,
  takeMarks,
  writeFormat,
  writeItems,
  writeNames,
  writeRevisions,
  type Entry,
  type Marked,
} from './statements.ts'
import { hashTexts, indexFormat, indexTexts, isExact, type Indexed } from './texts.ts'
import { correctionKeys } from './words/corrections.ts'

type Indexing = { db: Context['db']; house: Pick<Context['house'], 'id' | 'defaultLocale'> }

const mostTogether = 250
const mostWalked = 10_000

function countWords(entries: readonly Indexed[]) {
  const counts = new Map<string, number>()
  for (const { keys } of entries) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  // All writers of words take them in the same order.
  return [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([word, records]) => {
      return { word, records, corrections: isExact(word) ? correctionKeys(word) : [] }
    })
}

async function indexItems(tx: Indexing, ids: string[], source: string): Promise<void> {
  const stored = await readItems(tx, tx.house.defaultLocale, ids)
  const entries: Entry[] = []
  const same: typeof stored = []
  for (const item of stored) {
    const hash = hashTexts(item.texts, item.links)
    if (hash === item.hash) same.push(item)
    else entries.push({ ...item, ...indexTexts(item.texts), hash })
  }
  if (same.length > 0) await writeRevisions(tx, same)
  if (entries.length === 0) return
  if (source === ownSource)
    await subtractWords(tx, { items: entries.map(({ id }) => id), names: { kind: 'maker', ids: [] } })
  await writeItems(tx, entries)
  await addWords(tx, countWords(entries), source)
}

async function indexNames(tx: Indexing, kind: 'maker' | 'category', ids: string[], source: string): Promise<void> {
  const stored = await readNames(tx, kind, ids)
  const entries = stored.map((each) => ({ ...each, ...indexTexts(each.texts) }))
  if (source === ownSource) await subtractWords(tx, { items: [], names: { kind, ids } })
  await writeNames(tx, kind, entries)
  await addWords(tx, countWords(entries), sourceOf(kind, source))
}

async function indexRecords(tx: Indexing, kind: Searched, ids: string[], source: string): Promise<void> {
  for (let start = 0; start < ids.length; start += mostTogether) {
    const some = ids.slice(start, start + mostTogether)
    if (kind === 'item') await indexItems(tx, some, source)
    else await indexNames(tx, kind, some, source)
  }
}

/**
 * Brings new records into the index in the transaction of the load that stores them. Each load has a `source` of its
 * own, a positive number, so that it waits for no other writer of words, and none for it.
 */
export async function indexLoaded(tx: Indexing, kind: Searched, ids: string[], source: string): Promise<void> {
  const format = await findFormat(tx)
  // Another version made the index. Who reads the marks, writes its format.
  if (format !== undefined && format !== indexFormat) await markForSearch(tx, kind, ids)
  else await indexRecords(tx, kind, ids, source)
}

/** Brings at most `mostTogether` marked records into the index. Returns whether no mark is left. */
async function indexMarked(context: Indexing): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    await lockIndex(tx)
    const marks = await takeMarks(tx, mostTogether)
    for (const kind of searchedKinds) {
      const ids = marks.flatMap((mark: Marked) => (mark.kind === kind ? [mark.id] : []))
      if (ids.length > 0) await indexRecords(tx, kind, [...new Set(ids)], ownSource)
    }
    return marks.length < mostTogether
  })
}

/** Brings the marked records of a house into the index: all that were marked before the call, if they are at most `mostCaughtUp`. */
export async function catchUp(context: Indexing): Promise<void> {
  for (let done = 0; done <= mostCaughtUp; done += mostTogether) if (await indexMarked(context)) return
}

/** Marks up to `limit` records of a kind whose index is missing, old or of another format. Returns how many. */
async function markStale(tx: Scope, kind: Searched, limit = Infinity): Promise<number> {
  let marked = 0
  for (let after = '0'; marked < limit;) {
    const walked = await findStale(tx, kind, after, mostWalked)
    const ids = walked.filter(({ isStale }) => isStale).map(({ id }) => id)
    await markForSearch(tx, kind, ids)
    marked += ids.length
    if (walked.length < mostWalked) break
    after = walked.at(-1)!.id
  }
  return marked
}

/**
 * Begins the index of a house in the present format, if it has none or one in an earlier format. Returns whether the
 * index has the present format now. One of a later format, which another version has made, is left alone.
 */
export async function beginIndex(context: Indexing): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    await lockIndex(tx)
    const format = await findFormat(tx)
    if (format !== undefined && format >= indexFormat) return format === indexFormat
    // A house without records needs no index, and the row of its format would be in the way of its first load.
    if (format === undefined && !(await hasRecords(tx))) return true
    if (format !== undefined) await forgetWords(tx)
    for (const kind of searchedKinds) await markStale(tx, kind)
    await writeFormat(tx)
    return true
  })
}

/** Brings a house's index up to date, without a limit: what an earlier version has written without a mark, too. */
export async function completeIndex(context: Indexing): Promise<void> {
  if (!(await beginIndex(context))) return
  while (!(await indexMarked(context)));
  for (const kind of searchedKinds)
    if ((await inTransaction(context, (tx) => markStale(tx, kind))) > 0) await catchUp(context)
  while (!(await inTransaction(context, joinSome)));
}

async function joinSome(tx: Scope): Promise<boolean> {
  await lockIndex(tx)
  return (await joinWords(tx, mostWalked)) < mostWalked
}
