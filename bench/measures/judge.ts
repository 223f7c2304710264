import { existsSync } from 'node:fs'
import path from 'node:path'
import { openCatalogue } from '../lib/catalogue-engine.ts'
import { isFalsePart } from '../lib/false-parts.ts'
import { sources, type Source } from '../lib/known-items.ts'
import { makeQueries, queryKinds, usedWords, type KnownQuery, type QueryKind } from '../lib/known-queries.ts'
import { meanOf, printReached, printShare, type Share } from '../lib/shares.ts'
import { openSqlite, split, type Engine } from '../lib/sqlite-engine.ts'
import { readForms } from '../lib/word-forms.ts'

// `npm run bench judge 7` asks for known records of real catalogues, with queries of the seed 7 (else 1), and counts how often
// they are among the first ten names. It prints the rows of the contract for each source, and for all together.
// JUDGE_SOURCES (katabase,tate; `all` for the others) are the catalogues, JUDGE_DATA their folder. JUDGE_COUNT (1000) says
// how many queries of a kind, JUDGE_RECORDS (all) takes so many of each catalogue, evenly. JUDGE_FORMS is a folder with
// a hunspell dictionary for each locale (`npm pack dictionary-de`, in `de/`). JUDGE_SHOW names an engine whose misses are printed.
const seed = Number(process.argv[2] ?? 1)
const count = Number(process.env.JUDGE_COUNT ?? 1_000)
const tuned = ['katabase', 'tate']
const asked = process.env.JUDGE_SOURCES ?? tuned.join(',')
const chosen = asked === 'all' ? Object.keys(sources).filter((name) => !tuned.includes(name)) : asked.split(',')
const dictionaries = process.env.JUDGE_FORMS ?? ''
const fewest = 20

const ranked: QueryKind[] = ['as they are', 'words that others have too']
const wantedAhead = 0.02

const overall = { 'the catalogue': new Map<string, Share>(), 'SQLite FTS5': new Map<string, Share>() }
const differences = new Map<QueryKind, { source: string; values: number[] }[]>()

// Records with a word that begins or ends with a part, and has three letters more. Those are wrong that only seem to have the
// part. Queries are made of such parts too: to find their record is a wrong find, not to find it a miss.
function countByPart(part: string, titles: readonly string[]): Share {
  const by = titles.flatMap((title) => {
    const words = split(title)
    if (words.includes(part)) return []
    const found = words.filter(
      (word) => word.length >= part.length + 3 && (word.startsWith(part) || word.endsWith(part)),
    )
    return found.length > 0 ? [found.every((word) => isFalsePart(part, word))] : []
  })
  return { found: by.filter(Boolean).length, total: by.length }
}

/** Asks an engine. Returns the shares by the rows of the contract, and the reciprocal rank of each query. */
async function judge(engine: Engine, kind: QueryKind, queries: readonly KnownQuery[], { items, locale }: Source) {
  const itemOf = new Map(items.map((item) => [item.id, item]))
  const show = (q: string, wanted: string, said: string) => {
    if (process.env.JUDGE_SHOW === engine.name) console.log(`  ${kind}: ${q} → ${wanted} (${said})`)
  }
  const isAbsent = kind === 'with an absent word'
  const reciprocals: number[] = []
  const byPart = { found: 0, total: 0 }
  let [found, corrected, taken] = [0, 0, 0]
  for (const { q, name: wanted, changed } of queries) {
    const answer = await engine.search(q)
    const records = answer.ids.map((id) => itemOf.get(id)!)
    const names = [...new Set(records.map(({ name }) => name))]
    const rank = names.indexOf(wanted)
    const isFound = rank >= 0 && rank < 10
    const isTaken = names.length > 0 && answer.relaxed === false
    reciprocals.push(rank < 0 ? 0 : 1 / (rank + 1))
    if (isFound) found += 1
    if (answer.corrected === true) corrected += 1
    if (isTaken) taken += 1
    if (isAbsent ? isTaken : !isFound) show(q, wanted, `${rank + 1} of ${names.length}: ${names[0]}`)
    if (kind === 'a part of a compound' && answer.relaxed === false) {
      const by = countByPart(
        changed,
        records.flatMap(({ name, title }) => (names.indexOf(name) < 10 ? [title] : [])),
      )
      byPart.found += by.found
      byPart.total += by.total
    }
  }
  const total = queries.length
  const row = kind === 'another form' && locale === 'pl' ? 'another form, Polish' : kind
  const rows = new Map<string, Share>(isAbsent ? [] : [[row, { found, total }]])
  if (engine.name === 'the catalogue') {
    if (kind === 'as they are') rows.set('right words corrected', { found: corrected, total })
    if (isAbsent) rows.set('absent words found, none left out', { found: taken, total })
    if (byPart.total > 0) rows.set('wrong finds by a part', byPart)
  }
  return { rows, reciprocals }
}

function add(all: Map<string, Share>, rows: ReadonlyMap<string, Share>): void {
  for (const [row, { found, total }] of rows) {
    const sum = all.get(row) ?? { found: 0, total: 0 }
    all.set(row, { found: sum.found + found, total: sum.total + total })
  }
}

function printMean(what: string, values: readonly number[]): string {
  const { mean, low, high } = meanOf(values)
  return `${what} | ${mean.toFixed(3)} | ${low.toFixed(3)} to ${high.toFixed(3)}`
}

const printAhead = (values: readonly number[], isReached: boolean) =>
  `${printMean('ahead of SQLite FTS5', values)} | wanted ≥ ${wantedAhead} | ${printReached(isReached)}`
const isAhead = (values: readonly number[]) => meanOf(values).low >= wantedAhead

for (const name of chosen) {
  const source = await sources[name]!()
  const step = source.items.length / Math.min(source.items.length, Number(process.env.JUDGE_RECORDS ?? Infinity))
  if (step > 1) source.items = source.items.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
  const words = path.join(dictionaries, source.locale)
  const isRead = dictionaries !== '' && existsSync(words)
  const forms = isRead ? readForms(words, usedWords(source)) : new Map<string, string[]>()
  console.log(`\n${source.name}: ${source.items.length} records, seed ${seed}`)
  const [catalogue, sqlite] = [await openCatalogue(source), openSqlite(source)]
  for (const kind of queryKinds) {
    const queries = makeQueries(source, kind, { seed, count, forms })
    if (queries.length < fewest) continue
    const ours = await judge(catalogue, kind, queries, source)
    const theirs = await judge(sqlite, kind, queries, source)
    for (const [engine, { rows, reciprocals }] of [[catalogue, ours] as const, [sqlite, theirs] as const]) {
      add(overall[engine.name], rows)
      for (const [row, share] of rows) console.log(`${engine.name} | ${printShare(row, share)}`)
      if (ranked.includes(kind)) console.log(`${engine.name} | ${printMean('mean reciprocal rank', reciprocals)}`)
    }
    if (!ranked.includes(kind)) continue
    const values = ours.reciprocals.map((value, at) => value - theirs.reciprocals[at]!)
    console.log(`the catalogue | ${printAhead(values, isAhead(values))}`)
    differences.set(kind, [...(differences.get(kind) ?? []), { source: source.name, values }])
  }
}

console.log(`\nall: ${chosen.join(', ')}, seed ${seed}`)
for (const [engine, rows] of Object.entries(overall))
  for (const [row, share] of rows) console.log(`${engine} | ${printShare(row, share)}`)
for (const [kind, all] of differences) {
  const behind = all.filter(({ values }) => !isAhead(values)).map(({ source }) => source)
  const everywhere = all.flatMap(({ values }) => values)
  console.log(`the catalogue | mean reciprocal rank, ${kind}, ${printAhead(everywhere, behind.length === 0)}`)
  if (behind.length > 0) console.log(`  not by ${wantedAhead}: ${behind.join(', ')}`)
}
