import { lockWork } from '../writes/locks.ts'
import { sortHouses } from '../houses/reach.ts'
import { enqueueRepeated, type TaskContext } from '../jobs/queue.ts'
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
const mostWordsTogether = 5_000
// About 10 MB.
const mostWordsKept = 50_000
const mostWalked = 10_000

type Counts = Map<string, number>

function countWords(entries: readonly Indexed[], counts: Counts = new Map()): Counts {
  for (const { keys } of entries) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

async function writeCounts(tx: Indexing, counts: Counts, source: string): Promise<void> {
  // All writers of words take them in the same order.
  const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  for (let start = 0; start < sorted.length; start += mostWordsTogether) {
    const some = sorted.slice(start, start + mostWordsTogether).map(([word, records]) => {
      return { word, records, corrections: isExact(word) ? correctionKeys(word) : [] }
    })
    await addWords(tx, some, source)
  }
}

/**
 * The numbers of a load's words, which it writes together: at its end, or when they are many. Each load has a source of
 * its own, so that it waits for no other writer of words, and none for it.
 */
export class LoadedWords {
  readonly #source: string
  readonly #counts = new Map<string, { house: Indexing['house']; source: string; counts: Counts }>()

  /** `source`: a positive number, different for each load. */
  constructor(source: string) {
    this.#source = source
  }

  async add(tx: Indexing, kind: Searched, entries: readonly Indexed[]): Promise<void> {
    const source = sourceOf(kind, this.#source)
    const name = `${tx.house.id} ${source}`
    const known = this.#counts.get(name) ?? { house: tx.house, source, counts: new Map() }
    this.#counts.set(name, known)
    if (countWords(entries, known.counts).size > mostWordsKept) await this.write(tx)
  }

  /** Writes the numbers of all words in the transaction of the load. */
  async write({ db }: Pick<Indexing, 'db'>): Promise<void> {
    for (const { house, source, counts } of this.#counts.values()) await writeCounts({ db, house }, counts, source)
    this.#counts.clear()
  }
}

async function indexItems(tx: Indexing, ids: string[], loaded?: LoadedWords): Promise<void> {
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
  if (!loaded) await subtractWords(tx, { items: entries.map(({ id }) => id), names: { kind: 'maker', ids: [] } })
  await writeItems(tx, entries)
  await (loaded ? loaded.add(tx, 'item', entries) : writeCounts(tx, countWords(entries), ownSource))
}

async function indexNames(
  tx: Indexing,
  kind: 'maker' | 'category',
  ids: string[],
  loaded?: LoadedWords,
): Promise<void> {
  const stored = await readNames(tx, kind, ids)
  const entries = stored.map((each) => ({ ...each, ...indexTexts(each.texts) }))
  if (!loaded) await subtractWords(tx, { items: [], names: { kind, ids } })
  await writeNames(tx, kind, entries)
  await (loaded ? loaded.add(tx, kind, entries) : writeCounts(tx, countWords(entries), sourceOf(kind, ownSource)))
}

async function indexRecords(tx: Indexing, kind: Searched, ids: string[], loaded?: LoadedWords): Promise<void> {
  for (let start = 0; start < ids.length; start += mostTogether) {
    const some = ids.slice(start, start + mostTogether)
    if (kind === 'item') await indexItems(tx, some, loaded)
    else await indexNames(tx, kind, some, loaded)
  }
}

/** Brings new records into the index in the transaction of the load that stores them. The load writes its words later. */
export async function indexLoaded(tx: Indexing, kind: Searched, ids: string[], loaded: LoadedWords): Promise<void> {
  const format = await findFormat(tx)
  // Another version made the index. Who reads the marks, writes its format.
  if (format !== undefined && format !== indexFormat) await markForSearch(tx, kind, ids)
  else await indexRecords(tx, kind, ids, loaded)
}

/** Brings at most `mostTogether` marked records into the index. Returns whether no mark is left. */
async function indexMarked(context: Indexing): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    await lockWork(tx, 'search')
    const marks = await takeMarks(tx, mostTogether)
    for (const kind of searchedKinds) {
      const ids = marks.flatMap((mark: Marked) => (mark.kind === kind ? [mark.id] : []))
      if (ids.length > 0) await indexRecords(tx, kind, [...new Set(ids)])
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
    await lockWork(tx, 'search')
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

const pauseMilliseconds = 10 * 60_000

/** Brings the index of every house up to date, and queues itself again in ten minutes. */
export async function indexAll({ db }: Pick<TaskContext, 'db'>): Promise<void> {
  for (const house of (await sortHouses(db)).reached) await completeIndex({ db, house })
  await enqueueRepeated(db, 'index_search', { delay: pauseMilliseconds })
}

async function joinSome(tx: Scope): Promise<boolean> {
  await lockWork(tx, 'search')
  return (await joinWords(tx, mostWalked)) < mostWalked
}
