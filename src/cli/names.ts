import { contextNow, type House } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { findHouse, listHouses, type NamedHouse } from '../houses/locks.ts'
import { kinds } from '../kinds.ts'
import { selectAnyLot } from '../lots/queries.ts'
import { listRecords } from '../reads/lists.ts'
import { findKnown, findSimilar, hasRecord, type KnownKind, type KnownRecord } from '../reads/names.ts'
import { keys } from '../references/made.ts'
import { madeKinds, type MadeKind } from '../references/schema.ts'
import { groupBy } from '../values/groups.ts'
import { parseId, printId, type PrefixedKind } from '../values/ids.ts'
import { programName } from '../values/program.ts'
import { CommandError } from './command-error.ts'
import { describeNameless, listLotsOf, type SessionLot } from './session-lots.ts'

/** A kind of record that a command names. */
export type NamedKind = KnownKind | 'lot' | 'bid'

/** The names that a command used for records, by their ids. A record named by its id has none. */
export type Names = ReadonlyMap<string, string>

/**
 * A record of a house that a command named: its UUID, its name in lists, its description for people, and the names in
 * the command: its own, and that of its session in SESSION/NUMBER.
 */
export type NamedRecord = { uuid: string; name: string; description: string; names: Names }

// What staff make is known by its own key and by its name, until it is archived. The others have external references.
const isMade = (kind: KnownKind): kind is MadeKind => (madeKinds as readonly string[]).includes(kind)

const wordsOf = (kind: PrefixedKind) => kind.replaceAll('_', ' ')

const withArticle = (kind: PrefixedKind) => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${wordsOf(kind)}`

const describeNoId = (kind: PrefixedKind, name: string) =>
  `"${name}" is not the id of ${withArticle(kind)}: it looks like ${printId(kind, '290583ad-…')}`

/** Says that no record has the UUID, in a house or at all. */
export function describeMissing(kind: PrefixedKind, uuid: string, house?: { slug: string }): string {
  return `there is no ${wordsOf(kind)} ${printId(kind, uuid)}${house ? ` in the house ${house.slug}` : ''}`
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
 * The record that `findNames` finds by this name, and its house. A lot is named by its id or by SESSION/NUMBER, which
 * never means an archived one. An id is looked up in the house with the slug, or in all houses, any other name in that
 * house, or in the only one. A bid has an id and nothing else; whether there is one with this id is left to the work.
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
  return { ...(await (kind === 'lot' ? findLot(db, house, name) : findName(db, house, kind, name))), house }
}

function nameBid(name: string): NamedRecord {
  const uuid = parseId('bid', name)
  if (uuid === undefined) throw new CommandError(describeNoId('bid', name))
  const id = printId('bid', uuid)
  return { uuid, name: id, description: `bid ${id}`, names: new Map() }
}

/**
 * The record that `findNames` finds by this name.
 * @throws CommandError if there is no such record, or several
 */
export async function findName(db: Database, house: House, kind: KnownKind, name: string): Promise<NamedRecord> {
  const found = (await findNames(db, house, kind, [name])).get(name)!
  if (found instanceof CommandError) throw found
  return found
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

/** The houses that have a record with this public UUID, archived or not. */
export async function findHouses(db: Database, kind: PrefixedKind, uuid: string): Promise<NamedHouse[]> {
  const found: NamedHouse[] = []
  for (const house of await listHouses(db)) if (await hasRecord({ db, house }, kind, uuid)) found.push(house)
  return found
}

/**
 * The records of a house with these names, each with the record, or why there is none: an id, or an external reference,
 * archived or not; of what staff make, also the number, slug or name by which the house knows an unarchived record.
 */
export async function findNames(
  db: Database,
  house: House,
  kind: KnownKind,
  names: string[],
): Promise<Map<string, NamedRecord | CommandError>> {
  if (names.length === 0) return new Map()
  const made = isMade(kind)
  const known = { key: made ? keys[kind] : 'external_reference', byTitle: made, archived: !made }
  const uuids = names.flatMap((name) => parseId(kind, name) ?? [])
  const records = await findKnown({ db, house }, kind, known, { uuids, names })
  const byUuid = groupBy(records, ({ uuid }) => uuid)
  const byKey = groupBy(records, ({ key }) => key)
  const byTitle = groupBy(records, ({ title }) => title)
  // An external reference may be the id of another record. Then nobody can say which one is meant.
  const candidates = names.map((name): [string, KnownRecord[]] => {
    const [ofUuid, ofKey] = [byUuid.get(parseId(kind, name) ?? ''), byKey.get(name)]
    if (made) return [name, ofUuid ?? ofKey ?? byTitle.get(name) ?? []]
    return [name, [...new Set([ofUuid?.at(-1), ofKey?.at(-1)].filter((record) => record !== undefined))]]
  })
  const missing = candidates.flatMap(([name, found]) => (made || found.length > 0 ? [] : name))
  const similar = missing.length === 0 ? [] : await findSimilar({ db, house }, kind, missing)
  return new Map(candidates.map(([name, found]) => [name, choose(house, kind, name, found, similar)]))
}

function choose(
  house: House,
  kind: KnownKind,
  name: string,
  found: KnownRecord[],
  similar: string[],
): NamedRecord | CommandError {
  const [record, other] = found
  if (other) return new CommandError(`"${name}" may be ${describeChoice(kind, found)}`)
  if (!record) return new CommandError(describeUnknown(house, kind, name, similar))
  const { uuid, key } = record
  if (uuid === null) return new CommandError(describeNameless(`${wordsOf(kind)} "${name}"`))
  const id = printId(kind, uuid)
  const names = new Map(parseId(kind, name) === uuid ? [] : [[id, name]])
  return { uuid, name: key ?? id, description: describe(kind, record), names }
}

function describeChoice(kind: KnownKind, found: KnownRecord[]): string {
  if (!isMade(kind)) return `${found.map((each) => describe(kind, each)).join(' and ')}: use the id of one of them`
  const ids = found.flatMap(({ uuid }) => (uuid === null ? [] : printId(kind, uuid)))
  return `${found.length} records: use one of their ids (${ids.join(', ')})`
}

function describeUnknown(house: House, kind: KnownKind, name: string, similar: string[]): string {
  const missing = `there is no ${wordsOf(kind)} "${name}" in the house ${house.slug}`
  if (!isMade(kind)) {
    const uuid = parseId(kind, name)
    if (uuid !== undefined) return describeMissing(kind, uuid, house)
    const close = similar.find((reference) => reference.toLowerCase() === name.trim().toLowerCase())
    if (close !== undefined) return `${missing}, but there is "${close}"`
    if (/^[a-z]{3}_/.test(name)) return describeNoId(kind, name)
  }
  return `${missing} (see: ${programName} ${kinds[kind].plural.replaceAll('_', '-')} list --house ${house.slug})`
}

function describe(kind: KnownKind, { uuid, key, title }: KnownRecord): string {
  const id = `${wordsOf(kind)} ${uuid === null ? 'without an id' : printId(kind, uuid)}`
  if (!isMade(kind)) return `${id} "${title ?? ''}"${key === null ? '' : ` (${key})`}`
  return `${id} ${[key, title].flatMap((part) => (part === null ? [] : `"${part}"`)).join(' ')}`
}

async function findLot(db: Database, house: House, name: string): Promise<NamedRecord> {
  const context = contextNow(db, house)
  const uuid = parseId('lot', name)
  if (uuid !== undefined) {
    const [lot] = await listRecords<PlacedLot>(selectAnyLot(context, uuid, ['session']))
    if (!lot) throw new CommandError(describeMissing('lot', uuid, house))
    return { uuid, ...describeLot(lot), names: new Map() }
  }
  const [, reference, number] = /^(.+)\/(-?\d{1,10})$/s.exec(name) ?? []
  if (reference === undefined) throw new CommandError(`${describeNoId('lot', name)}, or like SESSION/NUMBER`)
  const session = await findName(db, house, 'session', reference)
  const only = { number: Number(number), expand: ['session' as const] }
  const [lot] = await listLotsOf<PlacedLot>(context, session.uuid, only)
  if (lot?.uuid !== undefined)
    return { uuid: lot.uuid, ...describeLot(lot), names: new Map([...session.names, [lot.id!, name]]) }
  if (lot) throw new CommandError(describeNameless(`lot "${name}"`))
  const numbers = (await listLotsOf(context, session.uuid)).flatMap(({ lot_number }) => lot_number ?? [])
  const has = numbers.length === 0 ? 'no lots' : `lots with numbers from ${numbers[0]} to ${numbers.at(-1)}`
  throw new CommandError(`there is no lot ${name}: its session has ${has}`)
}

type PlacedLot = SessionLot & { session: { id: string | null; external_reference: string | null } }

function describeLot({ id, lot_number, title, session }: PlacedLot) {
  const place = session.external_reference ?? session.id
  const number = lot_number ?? '-'
  const description = `lot ${number} ${id} "${title ?? ''}" of session ${place}`
  return { name: `${place}/${number}`, description }
}
