import { existsSync } from 'node:fs'
import path from 'node:path'
import { sources } from '../lib/known-items.ts'
import { makeQueries, queryKinds } from '../lib/known-queries.ts'
import { openMiniSearch, openOrama, openSqlite, type Engine } from '../lib/search-engines.ts'
import { readForms } from '../lib/word-forms.ts'
import { openWordsEngine } from '../lib/words-engine.ts'

// Asks for known records of real catalogues, and counts how often they are among the first ten names. JUDGE_SOURCES
// (katabase,tate; `all` for the others) and JUDGE_SEED choose the queries, JUDGE_COUNT (1000) says how many of a kind.
// JUDGE_RECORDS (all) takes so many of each catalogue, evenly.
// JUDGE_FORMS is a folder with a hunspell dictionary for each locale (`npm pack dictionary-de`, in `de/`). JUDGE_DATA
// is the folder of the catalogues.
const seed = Number(process.env.JUDGE_SEED ?? 1)
const count = Number(process.env.JUDGE_COUNT ?? 1_000)
const tuned = ['katabase', 'tate']
const asked = process.env.JUDGE_SOURCES ?? tuned.join(',')
const chosen = asked === 'all' ? Object.keys(sources).filter((name) => !tuned.includes(name)) : asked.split(',')
const dictionaries = process.env.JUDGE_FORMS ?? ''

// Wilson's lower bound of a share, at 95 % on both sides.
function lowerBound(found: number, total: number): number {
  const [z, share] = [1.96, found / total]
  const middle = share + z ** 2 / (2 * total)
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))
  return (middle - spread) / (1 + z ** 2 / total)
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

for (const name of chosen) {
  const source = await sources[name]!()
  const step = source.items.length / Math.min(source.items.length, Number(process.env.JUDGE_RECORDS ?? Infinity))
  if (step > 1) source.items = source.items.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
  const nameOf = new Map(source.items.map((item) => [item.id, item.name]))
  const folder = path.join(dictionaries, source.locale)
  const forms = dictionaries !== '' && existsSync(folder) ? readForms(folder) : new Map<string, string[]>()
  const queries = queryKinds.map((kind) => ({ kind, all: makeQueries(source, kind, { seed, count, forms }) }))
  console.log(`\n${source.name}: ${source.items.length} records, seed ${seed}`)
  const openers: (() => Engine)[] = [openWordsEngine, openSqlite, openMiniSearch, openOrama].map(
    (open) => () => open(source),
  )
  for (const open of openers) {
    const engine = open()
    for (const { kind, all } of queries.filter((each) => each.all.length >= 20)) {
      let [found, reciprocal, milliseconds] = [0, 0, 0]
      for (const { q, name: wanted } of all) {
        const from = performance.now()
        const ids = await engine.search(q)
        milliseconds += performance.now() - from
        const rank = [...new Set(ids.map((id) => nameOf.get(id)))].indexOf(wanted)
        if (rank >= 0 && rank < 10) found += 1
        if (rank >= 0) reciprocal += 1 / (rank + 1)
        else if (process.env.JUDGE_SHOW === engine.name) console.log(`  ${kind}: ${q} → ${wanted}`)
      }
      const row = [
        engine.name,
        kind,
        `${all.length}`,
        percent(found / all.length),
        percent(lowerBound(found, all.length)),
      ]
      console.log(
        [...row, (reciprocal / all.length).toFixed(3), `${(milliseconds / all.length).toFixed(1)} ms`].join(' | '),
      )
    }
  }
}
