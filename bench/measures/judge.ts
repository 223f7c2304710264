import { existsSync } from 'node:fs'
import path from 'node:path'
import { openCatalogue } from '../lib/catalogue-engine.ts'
import { sources } from '../lib/known-items.ts'
import { makeQueries, queryKinds, usedWords, type KnownQuery, type QueryKind } from '../lib/known-queries.ts'
import { openSqlite, type Engine } from '../lib/sqlite-engine.ts'
import { readForms } from '../lib/word-forms.ts'

// Asks for known records of real catalogues, and counts how often they are among the first ten names. JUDGE_SOURCES
// (katabase,tate; `all` for the others) and JUDGE_SEED choose the queries, JUDGE_COUNT (1000) says how many of a kind.
// JUDGE_RECORDS (all) takes so many of each catalogue, evenly. JUDGE_SHOW names an engine whose misses are printed. JUDGE_FORMS is a folder with a hunspell dictionary for each locale (`npm pack dictionary-de`, in
// `de/`). JUDGE_DATA is the folder of the catalogues.
const seed = Number(process.env.JUDGE_SEED ?? 1)
const count = Number(process.env.JUDGE_COUNT ?? 1_000)
const tuned = ['katabase', 'tate']
const asked = process.env.JUDGE_SOURCES ?? tuned.join(',')
const chosen = asked === 'all' ? Object.keys(sources).filter((name) => !tuned.includes(name)) : asked.split(',')
const dictionaries = process.env.JUDGE_FORMS ?? ''
const fewest = 20

// Wilson's bounds of a share, at 95 % on both sides.
function bound(found: number, total: number, side: 1 | -1): number {
  const [z, share] = [1.96, found / total]
  const middle = share + z ** 2 / (2 * total)
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))
  return (middle + side * spread) / (1 + z ** 2 / total)
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

function* printShare(kind: string, found: number, total: number, side: 1 | -1): Generator<string> {
  yield kind
  yield `${total}`
  yield percent(found / total)
  yield `${side < 0 ? '≥' : '≤'} ${percent(bound(found, total, side))}`
}

async function judge(engine: Engine, kind: QueryKind, queries: readonly KnownQuery[], nameOf: Map<string, string>) {
  const show = (q: string, wanted: string, said: string) => {
    if (process.env.JUDGE_SHOW === engine.name) console.log(`  ${kind}: ${q} → ${wanted} (${said})`)
  }
  const print = (...parts: string[]) => console.log([engine.name, ...parts].join(' | '))
  let [found, corrected, taken, reciprocal, milliseconds] = [0, 0, 0, 0, 0]
  for (const { q, name: wanted } of queries) {
    const from = performance.now()
    const answer = await engine.search(q)
    milliseconds += performance.now() - from
    const names = [...new Set(answer.ids.map((id) => nameOf.get(id)))]
    const rank = names.indexOf(wanted)
    if (rank >= 0 && rank < 10) found += 1
    if (rank >= 0) reciprocal += 1 / (rank + 1)
    if (answer.corrected === true) corrected += 1
    if (names.length > 0 && answer.relaxed === false) taken += 1
    if (kind === 'with an absent word' ? answer.relaxed === false && names.length > 0 : rank < 0 || rank >= 10)
      show(q, wanted, `${rank + 1} of ${names.length}: ${names[0]}`)
  }
  const speed = [(reciprocal / queries.length).toFixed(3), `${(milliseconds / queries.length).toFixed(1)} ms`]
  if (kind !== 'with an absent word') print(...printShare(kind, found, queries.length, -1), ...speed)
  if (engine.name !== 'the catalogue') return
  if (kind === 'as they are') print(...printShare('right words corrected', corrected, queries.length, 1))
  if (kind === 'with an absent word')
    print(...printShare('absent words found, none left out', taken, queries.length, 1))
}

for (const name of chosen) {
  const source = await sources[name]!()
  const step = source.items.length / Math.min(source.items.length, Number(process.env.JUDGE_RECORDS ?? Infinity))
  if (step > 1) source.items = source.items.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
  const nameOf = new Map(source.items.map((item) => [item.id, item.name]))
  const words = path.join(dictionaries, source.locale)
  const forms =
    dictionaries !== '' && existsSync(words) ? readForms(words, usedWords(source)) : new Map<string, string[]>()
  const queries = queryKinds.map((kind) => ({ kind, all: makeQueries(source, kind, { seed, count, forms }) }))
  console.log(`\n${source.name}: ${source.items.length} records, seed ${seed}`)
  for (const engine of [await openCatalogue(source), openSqlite(source)])
    for (const { kind, all } of queries) if (all.length >= fewest) await judge(engine, kind, all, nameOf)
}
