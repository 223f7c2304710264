import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuid } from '../../../test/support/lines.ts'
import { locales, type Locale } from '../../values/locales.ts'
import { HouseIndex } from '../index/house.ts'
import type { ItemRow, MakerRow } from '../index/rows.ts'
import { Matching } from '../matching.ts'
import { search } from '../stages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import type { Example } from './example.ts'
import { fr } from './fr.ts'
import { hu } from './hu.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { zh } from './zh.ts'

const tables: Record<Locale, Example[]> = { nl, en, fr, de, es, zh, it, pl, hu }
const first = 3
const pause = () => undefined

/** Indexes the records of a table. An item's id is its place among them. */
async function createIndex(locale: Locale, examples: Example[]): Promise<HouseIndex> {
  const makers = [...new Set(examples.flatMap(({ maker }) => maker ?? []))]
  const index = new HouseIndex(locale)
  const rows = {
    maker: makers.map((name, at): MakerRow => [`${at}`, uuid(1_000 + at), false, name]),
    item: examples.map(({ text, maker }, at): ItemRow => {
      const made = maker === undefined ? null : [`${makers.indexOf(maker)}`]
      return [`${at}`, uuid(at), at, false, null, null, null, null, false, null, [[locale, true, text]], made, null]
    }),
  }
  await index.apply(rows, undefined, pause)
  return index
}

async function find(index: HouseIndex, q: string) {
  const found = await search(
    index,
    new Matching(index),
    {
      kind: 'item',
      q,
      filters: {},
      owners: {},
      sorting: { by: 'relevance', descending: false },
      facets: [],
      after: undefined,
      limit: 1_000,
      categories: true,
      now: 0,
      walk: undefined,
    },
    pause,
  )
  assert.ok(typeof found !== 'string', q)
  const left = found.isRelaxed ? (found.walk.taken?.left ?? []) : []
  return { ids: found.page.map(({ row }) => Number(row)), corrected: found.walk.taken?.corrected ?? {}, left }
}

type Answer = Awaited<ReturnType<typeof find>>

/** What is wrong with an answer that should have the record at a place; undefined if nothing is. */
function faultOf({ ids, corrected, left }: Answer, at: number, misspelt: [string, string[]][]): string | undefined {
  if (left.length > 0) return `leaves out ${left.join(', ')}`
  for (const [word, others] of misspelt)
    if (!others.every((other) => corrected[word]?.includes(other)))
      return `does not correct ${word} to ${others.join()}`
  const more = Object.keys(corrected).filter((word) => !misspelt.some(([known]) => known === word))
  if (more.length > 0) return `corrects ${more.map((word) => `${word} to ${corrected[word]!.join()}`).join(', ')}`
  const place = ids.indexOf(at)
  return place < 0 ? 'does not find it' : place < first ? undefined : `at place ${place + 1}`
}

const misspeltIn = ({ corrected }: Example, q: string) =>
  Object.entries(corrected ?? {}).filter(([word]) => q.split(' ').includes(word))

const queriesOf = (example: Example, areMisspelt: boolean) =>
  (example.finds ?? []).filter((q) => misspeltIn(example, q).length > 0 === areMisspelt)

const isFound: Check = (answer, at, example, q) => faultOf(answer, at, misspeltIn(example, q))

type Check = (answer: Answer, at: number, example: Example, q: string) => string | undefined

const guarantees: [string, (example: Example) => string[], Check][] = [
  ['a query finds its record as it is written', (example) => queriesOf(example, false), isFound],
  ['a query finds its record while its last word is being written', ({ begins }) => begins ?? [], isFound],
  ['a query with typing errors is corrected, and no word left out', (example) => queriesOf(example, true), isFound],
  [
    'a query does not find words that only look alike',
    ({ misses }) => misses ?? [],
    ({ ids }, at) => (ids.includes(at) ? 'finds it' : undefined),
  ],
]

for (const locale of locales)
  for (const [guarantee, list, check] of guarantees)
    test(`${locale}: ${guarantee}`, async () => {
      const index = await createIndex(locale, tables[locale])
      const faults: string[] = []
      for (const [at, example] of tables[locale].entries())
        for (const q of list(example)) {
          // Without a space behind it, the last word is also a beginning.
          const written = example.begins?.includes(q) === true ? [q] : [`${q} `, q]
          const answers = await Promise.all(written.map((each) => find(index, each)))
          const fault = answers.map((answer) => check(answer, at, example, q)).find(Boolean)
          if (fault !== undefined) faults.push(`“${q}” for “${example.text}”: ${fault}`)
        }
      assert.ok(faults.length === 0, `${faults.length} queries\n${faults.join('\n')}`)
    })
