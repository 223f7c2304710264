import { randomUUID } from 'node:crypto'
import type { Context, Written } from '../../context.ts'
import { kinds } from '../../kinds.ts'
import type { Source } from '../../load/source.ts'
import { keys, links, wordsOf } from '../../references/made.ts'
import { createReference, createReferences, changeReference } from '../../references/references.ts'
import { bodies, type MadeKind } from '../../references/schema.ts'
import { printId } from '../../values/ids.ts'
import { locales } from '../../values/locales.ts'
import { plainPrinter } from '../../sentences.ts'
import { CommandError, describeInRow } from '../command-error.ts'
import { findName, findNames } from '../names.ts'
import { FileFaults, readRowFile, refusingRows } from './row-file.ts'

/** Fields of a record as a command or a file has them: texts, or the values of JSON. */
export type GivenFields = Record<string, unknown>

const neededColumns: { [Kind in MadeKind]?: string[] } = {
  maker: ['name'],
  delivery_class: ['name'],
  consignment: ['number'],
}

// A category's name is in the house's locale. The names in others are columns such as `names.en`.
function columnsOf(kind: MadeKind): string[] {
  const fields = Object.keys(bodies[kind].create.properties)
  return kind === 'category' ? [...fields, 'name', ...locales.map((locale) => `names.${locale}`)] : fields
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

// The value of a text. A text that is not one of the type is left for the check of the body.
function parseField(field: string, value: unknown): unknown {
  if (value === '') return null
  if (typeof value !== 'string') return value
  if (field === 'seller_number') return /^-?\d{1,16}$/.test(value) ? Number(value) : value
  if (field !== 'active' && field !== 'locked') return value
  return { true: true, yes: true, false: false, no: false }[value.toLowerCase()] ?? value
}

/** The body that fields stand for. `target`: the id of the record that the field of a pointer names. */
function toBody(kind: MadeKind, { house }: Context, fields: GivenFields, target: string | undefined): GivenFields {
  const body: GivenFields = {}
  const names: GivenFields = {}
  for (const [field, given] of Object.entries(fields)) {
    const value = parseField(field, given)
    if (kind === 'category' && field === 'name') names[house.defaultLocale] = value
    else if (field.startsWith('names.')) names[field.slice('names.'.length)] = value
    else body[field] = field === links[kind]?.field ? (target ?? value) : value
  }
  if (Object.keys(names).length > 0) body['names'] = { ...Object(body['names']), ...names }
  return body
}

async function findTarget(context: Context, kind: MadeKind, fields: GivenFields): Promise<string | undefined> {
  const link = links[kind]
  if (!link || isEmpty(fields[link.field])) return undefined
  return printId(link.to, (await findName(context.db, context.house, link.to, String(fields[link.field]))).uuid)
}

const withoutEmpty = (fields: GivenFields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))

/**
 * Makes a record from the fields of a command. Empty ones count as left out.
 * @throws CommandError, Problem
 */
export async function makeRecord(context: Context, kind: MadeKind, given: GivenFields): Promise<Written> {
  const fields = withoutEmpty(given)
  return createReference(context, kind, toBody(kind, context, fields, await findTarget(context, kind, fields)))
}

/**
 * Changes a record by the fields of a command. An empty one clears the field.
 * @throws CommandError, Problem
 */
export async function changeRecord(
  context: Context,
  kind: MadeKind,
  uuid: string,
  fields: GivenFields,
): Promise<Written> {
  const body = toBody(kind, context, fields, await findTarget(context, kind, fields))
  return changeReference(context, kind, uuid, body)
}

/**
 * Makes the records of a file, all or none: CSV with the fields as headings, or newline-delimited JSON. A category may
 * stand below one of an earlier line. Returns their documents.
 * @throws CommandError with a line for each problem
 */
export async function makeRecordsOfFile(context: Context, kind: MadeKind, source: Source): Promise<string[]> {
  const [columns, needed] = [columnsOf(kind), neededColumns[kind] ?? []]
  const rows = kinds[kind].plural.replaceAll('_', ' ')
  const given = await readRowFile(source, { rows, columns: [...columns, 'type'], needed }, (line, read) => {
    read('type', (type) => (isEmpty(type) || type === kind ? kind : undefined), `"${kind}"`)
    const fields = columns.map((name) => [name, read(name, (value) => value ?? null, 'a value')] as const)
    return { line, uuid: randomUUID(), fields: withoutEmpty(Object.fromEntries(fields)) }
  })
  const faults = new FileFaults(source.name)
  const link = links[kind]
  const pointers = link ? given.flatMap(({ fields }) => (link.field in fields ? String(fields[link.field]) : [])) : []
  const targets = await findNames(context.db, context.house, link?.to ?? kind, [...new Set(pointers)])
  const earlier = new Map<unknown, string>()
  const bodiesOfRows = given.map(({ line, uuid, fields }) => {
    let target: string | undefined
    if (link && link.field in fields) {
      const name = String(fields[link.field])
      const found = targets.get(name)!
      const ofFile = link.to === kind ? earlier.get(name) : undefined
      if (!(found instanceof CommandError)) target = printId(link.to, found.uuid)
      else if (ofFile !== undefined) target = printId(link.to, ofFile)
      else faults.add(line, link.field, found.message)
    }
    const body = toBody(kind, context, fields, target)
    const { [context.house.defaultLocale]: name } = Object(body['names']) as GivenFields
    for (const known of [body['slug'], name]) if (!isEmpty(known)) earlier.set(known, uuid)
    return { uuid, body }
  })
  faults.refuse()
  return refusingRows(
    { name: source.name, lines: given.map(({ line }) => line) },
    (fault) => ('field' in fault ? [fault.field, fault.problem] : ['', describeInRow(fault, plainPrinter)]),
    createReferences(context, kind, bodiesOfRows),
  )
}

/** The record in one line. */
export function describeRecord(kind: MadeKind, document: Record<string, unknown>): string {
  const [key, name] = [document[keys[kind]], document['name']]
  const known = [key, ...(name === key ? [] : [name])]
    .filter((part) => !isEmpty(part))
    .map((part) => JSON.stringify(part))
  return `the ${wordsOf(kind)} ${String(document['id'])} ${known.join(' ')}`
}
