import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { House } from '../src/mapping/mapping.ts'
import { mappingOf, openSource } from '../src/run/source.ts'
import { proposeMapping } from '../src/proposal/proposal.ts'
import type { Records, SourceRecord } from '../src/records.ts'
import { countRows, printNones } from '../src/report/rows.ts'
import { Rejections } from '../src/rejections.ts'
import { toldHouse } from './program.ts'

/** The items, and all records and rows of a sheet that was read without a service. */
export type Reading = {
  records: SourceRecord[]
  items: Records['item'][]
  /** How many rows are of each kind; without those of which there are none. */
  rows: { [kind: string]: number }
  /** What is said of the cells that were read as empty because of their word. */
  nones: string[]
  /** The message of each error, behind its line. */
  errors: string[]
}

/** A folder that is removed after the tests of the file. */
export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'importer-'))
  after(() => rm(folder, { recursive: true }))
  return folder
}

/** Reads a list to its end. */
export async function readAll<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of list) all.push(each)
  return all
}

/** The records of a source that is read without a service. */
export const recordsOf = (source: Awaited<ReturnType<typeof openSource>>, house: House = toldHouse) =>
  readAll(
    source.records(
      async (reference) => reference,
      async () => house,
    ),
  )

/** Reads a sheet with the mapping beside it. */
export async function readSheet(path: string, house: House = toldHouse): Promise<Reading> {
  const source = await openSource(path)
  const rejections = new Rejections()
  // A run reads its source twice.
  await recordsOf(source, house)
  const records = await recordsOf(source, house)
  for (const each of records) if (each.errors.length > 0) rejections.add(each, each.errors)
  const counted = Object.entries(countRows(source.account!, rejections)).map(([kind, { count }]) => [kind, count])
  return {
    records,
    items: records.flatMap(({ record, errors }) => (record?.type === 'item' && errors.length === 0 ? [record] : [])),
    rows: { all: source.account!.rows, ...(Object.fromEntries(counted.filter(([, count]) => count !== 0)) as object) },
    nones: printNones(source.account!),
    errors: rejections.list.flatMap(({ source: { place }, errors }) =>
      errors.map(({ message, value }) => `${place.line}: ${value === undefined ? '' : `"${value}" `}${message}`),
    ),
  }
}

/**
 * Proposes a mapping, and writes it with these settings in place of those that it asks for, and others. Returns what the
 * proposal says.
 */
export async function mapSheet(path: string, settings: { [key: string]: string } = {}): Promise<string[]> {
  const { text, said } = await proposeMapping(path, 'sheet')
  const all = { decimal: '","', dates: 'd-m-y', ...settings }
  let filled = text
  for (const [key, value] of Object.entries(all)) {
    const line = new RegExp(`^${key}:( +# FILL IN.*)?${key in settings ? '.*' : ''}$`, 'm')
    filled = line.test(filled) ? filled.replace(line, () => `${key}: ${value}`) : filled
    if (key in settings && !filled.includes(`\n${key}: ${value}`)) filled = `${key}: ${value}\n${filled}`
  }
  await writeFile(mappingOf(path), filled)
  return said
}
