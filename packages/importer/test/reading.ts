import { writeFile } from 'node:fs/promises'
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

/** Reads a sheet with the mapping beside it. */
export async function readSheet(path: string, house: House = toldHouse): Promise<Reading> {
  const source = await openSource(path)
  const [records, rejections]: [SourceRecord[], Rejections] = [[], new Rejections()]
  const readAll = () =>
    source.records(
      async (reference) => reference,
      async () => house,
    )
  // A run reads its source twice.
  for await (const _ of readAll());
  for await (const each of readAll()) {
    records.push(each)
    if (each.errors.length > 0) rejections.add(each, each.errors)
  }
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
