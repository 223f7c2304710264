import type { House } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { findHouse, listHouses, type NamedHouse } from '../houses/houses.ts'
import { kinds } from '../kinds.ts'
import { wordsOf } from '../references/made.ts'
import { findKnown, type KnownReference } from '../references/queries.ts'
import { madeKinds, type MadeKind } from '../references/schema.ts'
import { parseId, printId, type PrefixedKind } from '../values/ids.ts'
import { programName } from '../values/program.ts'
import {
  findHouses,
  findNamedLots,
  findReferences,
  findSimilar,
  readNumbers,
  type ReferencedKind,
  type StoredName,
} from './name-queries.ts'
import { CommandError } from './command-error.ts'

/** A kind of record that a command names. */
export type NamedKind = ReferencedKind | MadeKind | 'lot' | 'bid'

/** The names that a command used for records, by their ids. A record named by its id has none. */
export type Names = ReadonlyMap<string, string>

/**
 * A record of a house that a command named: its UUID, its name in lists, its description for people, and the names in
 * the command: its own, and that of its session in SESSION/NUMBER.
 */
export type NamedRecord = { uuid: string; name: string; description: string; names: Names }

const isMade = (kind: NamedKind): kind is MadeKind => (madeKinds as readonly string[]).includes(kind)

const withArticle = (kind: PrefixedKind) => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind.replaceAll('_', ' ')}`

const describeNoId = (kind: PrefixedKind, name: string) =>
  `"${name}" is not the id of ${withArticle(kind)}: it looks like ${printId(kind, '290583ad-…')}`

/** Says that no record has the UUID, in a house or at all. */
export function describeMissing(kind: PrefixedKind, uuid: string, house?: { slug: string }): string {
  return `there is no ${kind.replaceAll('_', ' ')} ${printId(kind, uuid)}${house ? ` in the house ${house.slug}` : ''}`
}

/**
 * The house with this slug, or else with this name. Without both: the only house of the database.
 * @throws CommandError if there is no such house, or several
 */
export async function requireHouse(db: Database, named: string | undefined): Promise<NamedHouse> {
  const bySlug = named === undefined ? undefined : await findHouse(db, named)
  if (bySlug) return bySlug
  const houses = await listHouses(db)
  if (named !== undefined) {
    const [house, other] = houses.filter(({ name }) => name === named)
    if (!house) throw new CommandError(`there is no house ${JSON.stringify(named)} (see: ${programName} houses list)`)
    if (other) throw new CommandError(`several houses are called ${JSON.stringify(named)}: name one by its slug`)
    return house
  }
  if (houses.length === 1) return houses[0]!
  if (houses.length === 0) throw new CommandError(`there is no house yet (see: ${programName} houses create)`)
  const slugs = houses.map((house) => house.slug)
  const choice = slugs.length > 10 ? `see: ${programName} houses list` : slugs.join(', ')
  throw new CommandError(`there are several houses: say which with --house (${choice})`)
}

/**
 * The record with this id or external reference, archived or not, and its house. A lot is named by its id or by
 * SESSION/NUMBER, which never means an archived one. An id is looked up in the house with the slug, or in all houses.
 * Any other name is looked up in that house, or in the only one. A bid has an id and nothing else; whether there is one
 * with this id in the house is left to the work.
 * @throws CommandError if there is no such record, or several
 */
export async function findRecord(
  db: Database,
  kind: NamedKind,
  name: string,
  slug?: string,
): Promise<NamedRecord & { house: NamedHouse }> {
  const house = slug === undefined ? await findHouseOf(db, kind, name) : await requireHouse(db, slug)
  if (kind === 'bid') return { ...nameBid(name), house }
  if (isMade(kind)) return { ...oneOf(await findMadeNames(db, house, kind, [name]), name), house }
  const record = kind === 'lot' ? await findLot(db, house, name) : oneOf(await findNames(db, house, kind, [name]), name)
  return { ...record, house }
}

function nameBid(name: string): NamedRecord {
  const uuid = parseId('bid', name)
  if (uuid === undefined) throw new CommandError(describeNoId('bid', name))
  const id = printId('bid', uuid)
  return { uuid, name: id, description: `bid ${id}`, names: new Map() }
}

function oneOf(records: Map<string, NamedRecord | CommandError>, name: string): NamedRecord {
  const found = records.get(name)!
  if (found instanceof CommandError) throw found
  return found
}

/**
 * The unarchived sellers, categories, makers, delivery classes or consignments with these names: an id, the number, slug
 * or name by which the house knows the record, or else the name of a seller or category. Returns for each name its record,
 * or why there is none.
 */
export async function findMadeNames(
  db: Database,
  house: House,
  kind: MadeKind,
  names: string[],
): Promise<Map<string, NamedRecord | CommandError>> {
  const uuids = names.flatMap((name) => parseId(kind, name) ?? [])
  const records = names.length === 0 ? [] : await findKnown({ db, house }, kind, uuids, names)
  const ways: ((record: KnownReference, name: string) => boolean)[] = [
    ({ uuid }, name) => uuid !== null && uuid === parseId(kind, name),
    ({ key }, name) => key === name,
    (record, name) => record.name === name,
  ]
  return new Map(
    names.map((name) => {
      const found = ways.map((is) => records.filter((record) => is(record, name))).find(({ length }) => length > 0)
      return [name, chooseMade(house, kind, name, found ?? [])]
    }),
  )
}

function chooseMade(house: House, kind: MadeKind, name: string, found: KnownReference[]): NamedRecord | CommandError {
  const [record, other] = found
  const [words, list] = [wordsOf(kind), kinds[kind].plural.replaceAll('_', '-')]
  if (other) {
    const ids = found.flatMap(({ uuid }) => (uuid === null ? [] : printId(kind, uuid))).join(', ')
    return new CommandError(`"${name}" may be ${found.length} records: use one of their ids (${ids})`)
  }
  if (!record)
    return new CommandError(
      `there is no ${words} "${name}" in the house ${house.slug} (see: ${programName} ${list} list --house ${house.slug})`,
    )
  if (record.uuid === null)
    return new CommandError(`the ${words} "${name}" has no id, and cannot be used (see: ${programName} doctor)`)
  const id = printId(kind, record.uuid)
  const names = new Map(parseId(kind, name) === record.uuid ? [] : [[id, name]])
  const known = [record.key, record.name].filter((part) => part !== null).map((part) => `"${part}"`)
  return { uuid: record.uuid, name: record.key ?? id, description: `${words} ${id} ${known.join(' ')}`, names }
}

/**
 * The house that has the record with this id, or else the only house of the database.
 * @throws CommandError if there are several houses, and the name is not the id of exactly one record
 */
export async function findHouseOf(db: Database, kind: PrefixedKind, name: string): Promise<NamedHouse> {
  const uuid = parseId(kind, name)
  const owners = uuid === undefined ? [] : await findHouses(db, kind, uuid)
  if (owners.length === 1) return owners[0]!
  if (owners.length > 1) {
    const slugs = owners.map((house) => house.slug).join(', ')
    throw new CommandError(`several houses have the ${kind} ${printId(kind, uuid!)}: ${slugs} (say which with --house)`)
  }
  const houses = await listHouses(db)
  if (houses.length === 1) return houses[0]!
  if (uuid !== undefined) throw new CommandError(describeMissing(kind, uuid))
  const hint =
    houses.length > 1 && kind !== 'bid' ? `; ${kind === 'lot' ? 'SESSION/NUMBER' : 'a reference'} needs --house` : ''
  throw new CommandError(describeNoId(kind, name) + hint)
}

/**
 * The records of a house with these ids or external references, archived or not. Returns for each name its record, or
 * why there is none.
 */
export async function findNames(
  db: Database,
  house: House,
  kind: ReferencedKind,
  names: string[],
): Promise<Map<string, NamedRecord | CommandError>> {
  const uuids = names.flatMap((name) => parseId(kind, name) ?? [])
  const records = await findReferences(db, house, kind, { uuids, references: names })
  const byUuid = new Map(records.map((record) => [record.uuid, record]))
  const byReference = new Map(records.map((record) => [record.external_reference, record]))
  const candidates = names.map((name) => {
    const found = [byUuid.get(parseId(kind, name) ?? ''), byReference.get(name)]
    return { name, found: [...new Set(found.filter((record) => record !== undefined))] }
  })
  const missing = candidates.filter(({ found }) => found.length === 0).map(({ name }) => name)
  const similar = missing.length === 0 ? [] : await findSimilar(db, house, kind, missing)
  return new Map(candidates.map(({ name, found }) => [name, choose(house, kind, name, found, similar)]))
}

function choose(
  house: House,
  kind: ReferencedKind,
  name: string,
  found: StoredName[],
  similar: string[],
): NamedRecord | CommandError {
  const [record, other] = found
  if (other) {
    const both = `${describe(kind, record!)} and ${describe(kind, other)}`
    return new CommandError(`"${name}" may be ${both}: use the id of one of them`)
  }
  if (record?.uuid) {
    const isById = parseId(kind, name) === record.uuid
    const id = printId(kind, record.uuid)
    const names = new Map(isById ? [] : [[id, name]])
    return { uuid: record.uuid, name: record.external_reference ?? id, description: describe(kind, record), names }
  }
  if (record)
    return new CommandError(`the ${kind} "${name}" has no id, and cannot be used (see: ${programName} doctor)`)
  const uuid = parseId(kind, name)
  if (uuid !== undefined) return new CommandError(describeMissing(kind, uuid, house))
  const close = similar.find((reference) => reference.toLowerCase() === name.trim().toLowerCase())
  if (close === undefined && /^[a-z]{3}_/.test(name)) return new CommandError(describeNoId(kind, name))
  const hint =
    close === undefined ? ` (see: ${programName} ${kind}s list --house ${house.slug})` : `, but there is "${close}"`
  return new CommandError(`there is no ${kind} "${name}" in the house ${house.slug}${hint}`)
}

function describe(kind: ReferencedKind, { uuid, title, external_reference }: StoredName): string {
  const id = uuid === null ? 'without an id' : printId(kind, uuid)
  return `${kind} ${id} "${title ?? ''}"${external_reference === null ? '' : ` (${external_reference})`}`
}

async function findLot(db: Database, house: House, name: string): Promise<NamedRecord> {
  const uuid = parseId('lot', name)
  const [, reference, number] = /^(.+)\/(-?\d{1,10})$/s.exec(name) ?? []
  if (uuid === undefined && reference === undefined)
    throw new CommandError(`${describeNoId('lot', name)}, or like SESSION/NUMBER`)
  const session =
    uuid === undefined ? oneOf(await findNames(db, house, 'session', [reference!]), reference!) : undefined
  const [lot] = await findNamedLots(
    db,
    house,
    session ? { session: session.uuid, number: Number(number) } : { uuid: uuid! },
  )
  if (lot?.uuid) {
    const { uuid, lot_number, title } = lot
    const description = `lot ${lot_number ?? '-'} ${printId('lot', uuid)} "${title ?? ''}" of session ${lot.session}`
    const names = session ? new Map([...session.names, [printId('lot', uuid), name]]) : new Map<string, string>()
    return { uuid, name: `${lot.session}/${lot_number ?? '-'}`, description, names }
  }
  if (!session) throw new CommandError(describeMissing('lot', uuid!, house))
  if (lot) throw new CommandError(`the lot "${name}" has no id, and cannot be used (see: ${programName} doctor)`)
  const { least, most } = await readNumbers(db, house, session.uuid)
  const numbers = least === null ? 'no lots' : `lots with numbers from ${least} to ${most}`
  throw new CommandError(`there is no lot ${name}: its session has ${numbers}`)
}
