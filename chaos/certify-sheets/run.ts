import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Catalogue, type Item } from '@auction-catalogue/client'
import iconv from 'iconv-lite'
import { parse, stringify } from 'yaml'
import { proposeMapping } from '../../packages/importer/src/proposal/proposal.ts'
import { Unusable } from '../../packages/importer/src/misfit.ts'
import { Importer } from '../../packages/importer/src/run/importer.ts'
import type { Result } from '../../packages/importer/src/run/result.ts'
import { Journal } from '../../packages/importer/src/run/journal.ts'
import type { Mode } from '../../packages/importer/src/run/run.ts'
import { Slots } from '../../packages/importer/src/run/slots.ts'
import { mappingOf, openSource } from '../../packages/importer/src/run/source.ts'
import { createRandom } from '../lib/random.ts'
import { openService } from '../lib/service.ts'
import { readCatalogues } from './catalogues.ts'
import { languages } from './languages.ts'
import { makeSheet, type Made, type TypedItem } from './made.ts'
import { peculiarities } from './peculiarities.ts'
import { printTyped, writeTable } from './table.ts'

/** How many sheets of each peculiarity came in whole, and how many had a refusal. */
export type Counts = { [peculiarity: string]: { equal: number; refused: number } }

/** Maps a sheet, and corrects the mapping as a user would: answers to what it asks, and the fields of its columns. */
async function mapSheet(file: string, { columns, settings, all, language, table }: Made): Promise<void> {
  const proposed = parse((await proposeMapping(file, 'sheet')).text) as Record<string, unknown>
  const answers: Record<string, string> = {
    decimal: language.decimal,
    dates: 'd-m-y',
    encoding: table.encoding,
    unknown_makers: 'keep',
    ...settings,
  }
  for (const [key, answer] of Object.entries(answers)) if (proposed[key] === null) proposed[key] = answer
  const fields = proposed['columns'] as Record<string, string | null>
  for (const heading of Object.keys(fields)) fields[heading] = ''
  for (const [field, heading] of columns) fields[heading] = field
  await writeFile(mappingOf(file), stringify({ ...proposed, all }))
}

async function carryOut(mode: Mode, file: string, catalogue: Catalogue): Promise<Result> {
  const journal = await Journal.open(`${file}.journal`, mode === 'apply', 'certify')
  try {
    const source = await openSource(file, mappingOf(file), true)
    const { signal } = new AbortController()
    const settings = { mode, isResumed: false, maxErrors: 1000, source, catalogue, journal, slots: new Slots(), signal }
    const result = await new Importer({ ...settings, tell: () => {} }).run()
    if (result.fatal !== undefined) throw result.fatal as Error
    return result
  } finally {
    await journal.close()
  }
}

const linesOf = ({ rejections }: Result) => new Set(rejections.list.map(({ source }) => source.place.line))

const numberOf = ({ table }: Made, item: TypedItem): number => 1 + table.rows.indexOf(item.row)

/** The line on which a row begins: a text of a CSV file may have several. */
function lineOf({ table }: Made, item: TypedItem): number {
  const above = table.rows.slice(0, table.rows.indexOf(item.row))
  const breaks = table.kind === 'csv' ? above.flat().map((cell) => printTyped(cell).split('\n').length - 1) : []
  return 1 + above.length + breaks.reduce((sum, each) => sum + each, 0)
}

function compare(stored: Item, { title, description, low, high }: TypedItem): void {
  const bound = (amount: number) => (amount === 0 ? null : { amount: amount * 100, currency: 'EUR' })
  const estimate = low === 0 ? null : { low: bound(low), high: bound(high) }
  assert.deepEqual(
    { title: stored.title, description: stored.description, estimate: stored.estimate },
    { title, description: description || null, estimate },
  )
}

/** Asserts that each item is stored as it was typed, or that its row is refused. Returns whether all are stored. */
async function check(made: Made, result: Result, name: string, catalogue: Catalogue): Promise<boolean> {
  const refused = linesOf(result)
  const taken = new Set<string>()
  for (const item of made.items) {
    const line = lineOf(made, item)
    const reference = made.all['external_reference'] === 'row' ? `${name}-${numberOf(made, item)}` : item.reference
    const isFirst = !taken.has(reference)
    taken.add(reference)
    const stored: Item[] = []
    for await (const each of catalogue.items.list({ external_reference: reference })) stored.push(each)
    if (refused.has(line)) assert.ok(stored.length === 0 || !isFirst, `line ${line} is refused, and stored`)
    else {
      assert.equal(stored.length, 1, `line ${line}, ${reference}`)
      compare(stored[0]!, item)
    }
  }
  const makers = new Set(made.items.map(({ maker }) => maker))
  for (const { type, name: missing } of result.missing) if (type === 'maker') assert.ok(makers.has(missing), missing)
  return refused.size === 0
}

/** Imports one sheet. Returns whether it came in whole. */
async function certifyOne(file: string, made: Made, catalogue: Catalogue): Promise<boolean> {
  const text = made.table.rows.flat().map(printTyped).join('')
  if (iconv.decode(iconv.encode(text, made.table.encoding), made.table.encoding) !== text) made.table.encoding = 'utf-8'
  await writeTable(file, made.table)
  await mapSheet(file, made)
  const planned = await carryOut('plan', file, catalogue)
  const applied = await carryOut('apply', file, catalogue)
  const verified = await carryOut('verify', file, catalogue)
  for (const { account } of [planned, applied, verified]) {
    const filled = made.table.rows.findLastIndex((cells) => cells.some((cell) => cell !== '')) + 1
    assert.equal(account!.rows, made.table.kind === 'csv' ? made.table.rows.length : filled)
  }
  const isWhole = await check(made, applied, path.basename(file, path.extname(file)), catalogue)
  assert.deepEqual(linesOf(verified), linesOf(applied), 'what verify finds')
  return isWhole
}

/**
 * Runs the imports of `chaos/certify-sheets.ts`.
 * @throws AssertionError with the number of each sheet, and its peculiarity, that has an item that is lost or differs
 */
export async function certifySheets({
  sheets,
  seed,
  tell,
}: {
  sheets: number
  seed: number
  tell: (text: string) => void
}): Promise<Counts> {
  const service = await openService()
  try {
    const printed = readCatalogues(languages.map(({ locale }) => locale))
    const catalogues = new Map<string, Catalogue>()
    for (const { locale } of languages) {
      await service.createHouse(`house-${locale}`, `House ${locale}`, locale)
      const { key } = await service.issueKey(`house-${locale}`, '--all')
      catalogues.set(locale, new Catalogue({ url: service.origin, key }))
    }
    const sources = path.join(service.folder, 'sheets')
    await mkdir(sources, { recursive: true })
    const counts: Counts = {}
    const faults: string[] = []
    for (let run = 1; run <= sheets; run++) {
      const { name, isRefusable, give } = peculiarities[run % peculiarities.length]!
      // Some sheets cannot have the peculiarity: a workbook has no encoding.
      let made: Made
      for (let attempt = 0; ; attempt++) {
        const random = createRandom(seed, run + attempt * sheets)
        const language = random.pick(languages)
        made = makeSheet(language, printed.get(language.locale)!, run, random)
        if (give(made) !== false) break
      }
      const file = path.join(sources, `${run}.${made.table.kind}`)
      const counted = (counts[name] ??= { equal: 0, refused: 0 })
      try {
        const isWhole = await certifyOne(file, made, catalogues.get(made.language.locale)!)
        assert.ok(isWhole || isRefusable, 'rows are refused')
        counted[isWhole ? 'equal' : 'refused']++
      } catch (error) {
        // A sheet that cannot be divided into rows of one table is refused with the line.
        if (error instanceof Unusable && /:\d+ has headings again/.test(error.message)) counted.refused++
        else {
          const { language, table } = made
          const fault = `sheet ${run} (${language.locale}, ${table.encoding}): ${name}: ${(error as Error).message}`
          tell(fault)
          faults.push(fault)
        }
      }
      if (run % 100 === 0) tell(`${run} sheets`)
    }
    assert.deepEqual(faults, [], `seed ${seed}`)
    return counts
  } finally {
    await service.close()
  }
}
