import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'
import { ownedTypes, tables, type Batch, type Line, type OwnedType } from './batch.ts'
import { quote } from './errors.ts'
import { findRefs } from './pointers.ts'

/** A value that may not repeat, as text; and which record has it, by internal id. */
type Owner = { key: string; id: string }

type Rule<Type extends OwnedType> = {
  lines: Line<Type>[]
  field: string
  /** The value of a line; undefined for a line that takes no part. */
  key: (line: Line<Type>) => string | undefined
  /** The stored records that have one of these values. */
  stored: (tx: Database, keys: string[]) => Promise<Owner[]>
  problem: (line: Line<Type>) => string
}

async function note<Type extends OwnedType>(batch: Batch, tx: Database | undefined, rule: Rule<Type>) {
  const keys = new Map(rule.lines.map((line) => [line, rule.key(line)]))
  const given = [...new Set(keys.values())].filter((key) => key !== undefined)
  const stored = tx && given.length > 0 ? await rule.stored(tx, given) : []
  const owners = new Map(stored.map(({ key, id }) => [key, id]))
  for (const [line, key] of keys) {
    if (key === undefined) continue
    const owner = owners.get(key)
    if (owner === undefined) owners.set(key, line.id)
    else if (owner !== line.id) batch.note(line, rule.field, rule.problem(line))
  }
}

/**
 * Notes every line that repeats a ref of the file, an id (images may), an external reference of an auction, a session
 * or an item, or the number of an unarchived lot of its session. Without a transaction it looks at the batch alone.
 */
export async function noteDuplicates(batch: Batch, tx?: Database) {
  await note(batch, tx, {
    lines: batch.lines,
    field: 'ref',
    key: (line) => line.record.ref,
    stored: findRefOwners,
    problem: (line) => `an earlier line has the ref ${quote(line.record.ref!)} already`,
  })
  for (const type of ownedTypes) {
    if (type === 'image') continue
    await note(batch, tx, {
      lines: batch.of(type),
      field: 'id',
      key: (line) => (line.record.id == null ? undefined : line.publicId!),
      stored: (tx, uuids) => findIdOwners(tx, batch.house.id, type, uuids),
      problem: (line) => `the house has a ${type.replaceAll('_', ' ')} with the id ${quote(line.record.id!)} already`,
    })
  }
  for (const type of ['auction', 'session', 'item'] as const) {
    await note(batch, tx, {
      lines: batch.of(type),
      field: 'external_reference',
      key: (line) => line.record.external_reference ?? undefined,
      stored: (tx, references) => findReferenceOwners(tx, batch.house.id, type, references),
      problem: (line) => `the house has the ${type} ${quote(line.record.external_reference!)} already`,
    })
  }
  await note(batch, tx, {
    lines: batch.of('lot').filter((line) => !line.record.archived && line.targets['session']),
    field: 'lot_number',
    key: (line) =>
      line.record.lot_number == null ? undefined : `${line.targets['session']} ${line.record.lot_number}`,
    stored: (tx, keys) => findNumberOwners(tx, batch.house.id, keys),
    problem: (line) => `the session has a lot ${line.record.lot_number} already`,
  })
}

async function findRefOwners(tx: Database, refs: string[]): Promise<Owner[]> {
  // The refs of a batch are remembered last: those that are there belong to other lines.
  return [...(await findRefs(tx, refs)).keys()].map((key) => ({ key, id: 'earlier' }))
}

async function findIdOwners(tx: Database, house: string, type: OwnedType, uuids: string[]): Promise<Owner[]> {
  const found = await sql<Owner>`
    select public_id as key, id from ${sql.table(`catalogue.${tables[type]}`)}
    where house_id = ${house} and public_id = any(${uuids}::uuid[])`.execute(tx)
  return found.rows
}

async function findReferenceOwners(
  tx: Database,
  house: string,
  type: OwnedType,
  references: string[],
): Promise<Owner[]> {
  const found = await sql<Owner>`
    select external_reference as key, id from ${sql.table(`catalogue.${tables[type]}`)}
    where house_id = ${house} and external_reference = any(${references}::text[])`.execute(tx)
  return found.rows
}

// A key is `<session> <number>`.
async function findNumberOwners(tx: Database, house: string, keys: string[]): Promise<Owner[]> {
  const pairs = keys.map((key) => key.split(' '))
  const found = await sql<Owner>`
    select lots.session_id || ' ' || lots.lot_number as key, lots.id
    from unnest(${pairs.map((pair) => pair[0])}::bigint[], ${pairs.map((pair) => pair[1])}::int[])
      as wanted (session_id, lot_number)
    join catalogue.lots using (session_id, lot_number)
    where lots.house_id = ${house} and not lots.archived`.execute(tx)
  return found.rows
}
