import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'
import { parseId, type RecordKind } from '../values/ids.ts'
import { tables, type Batch, type Line, type OwnedType } from './batch.ts'
import { Conflict, quote } from './errors.ts'

/** The fields that point to other records, and the kind of record each wants. */
const pointers: { [Type in OwnedType]?: Record<string, RecordKind> } = {
  category: { parent: 'category' },
  consignment: { seller: 'seller' },
  session: { auction: 'auction', increment_strategy: 'increment_strategy' },
  item: {
    seller: 'seller',
    categories: 'category',
    makers: 'maker',
    delivery_class: 'delivery_class',
    consignment: 'consignment',
  },
  image: { item: 'item' },
  lot: { session: 'session', item: 'item' },
  bid: { lot: 'lot' },
}

type Pointer = { line: Line; field: string; kind: RecordKind; text: string }
type Target = { kind: string; house: string; id: string; line?: number }

/** Creates the transaction's table of refs; it may outgrow the memory, and vanishes with the transaction. */
export async function createRefs(tx: Database) {
  await sql`
    create temporary table loaded_refs (ref text primary key, kind text not null, house_id bigint not null, id bigint not null)
    on commit drop`.execute(tx)
}

/** Remembers what the refs of a house's lines stand for. Throws a Conflict when one of them is known already. */
export async function rememberRefs(tx: Database, house: string, refs: { ref: string; kind: string; id: string }[]) {
  const inserted = await sql`
    insert into loaded_refs (ref, kind, house_id, id)
    select ref, kind, ${house}::bigint, id
    from unnest(${refs.map((each) => each.ref)}::text[], ${refs.map((each) => each.kind)}::text[],
      ${refs.map((each) => each.id)}::bigint[]) as refs (ref, kind, id)
    on conflict do nothing`.execute(tx)
  if (inserted.numAffectedRows !== BigInt(refs.length)) throw new Conflict('loaded_refs')
}

/** Which of these refs earlier batches have used, and for what. */
export async function findRefs(tx: Database, refs: string[]): Promise<Map<string, Target>> {
  const found = await sql<{ ref: string; kind: string; house: string; id: string }>`
    select ref, kind, house_id as house, id from loaded_refs where ref = any(${refs}::text[])`.execute(tx)
  return new Map(found.rows.map(({ ref, ...target }) => [ref, target]))
}

function* pointersOf(batch: Batch): Generator<Pointer> {
  for (const line of batch.lines) {
    const fields: Record<string, unknown> = line.record
    for (const [name, kind] of Object.entries(pointers[line.record.type] ?? {})) {
      const value = fields[name]
      if (typeof value === 'string') yield { line, field: name, kind, text: value }
      if (!Array.isArray(value)) continue
      for (const [index, text] of value.entries()) yield { line, field: `${name}.${index}`, kind, text }
    }
  }
}

/** The internal ids of a house's stored records, by public id. */
async function findStored(
  tx: Database,
  house: string,
  kind: RecordKind,
  uuids: string[],
): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map()
  const found = await sql<{ uuid: string; id: string }>`
    select public_id as uuid, id from ${sql.table(`catalogue.${tables[kind]}`)}
    where house_id = ${house} and public_id = any(${uuids}::uuid[])`.execute(tx)
  return new Map(found.rows.map(({ uuid, id }) => [uuid, id]))
}

/**
 * Sets the targets of the batch's lines, and notes every pointer that leads nowhere, to another kind of record, to a
 * later line or into another house. `houses` are the others that the file has named: a category's parent may be there,
 * and is then null.
 */
export async function resolvePointers(tx: Database, batch: Batch, houses: Iterable<string>) {
  const wanted = [...pointersOf(batch)]
  const targets = await findRefs(tx, [...new Set(wanted.map((pointer) => pointer.text))])
  const named = new Map<string, Target>()
  for (const { record, number, id, publicId } of batch.lines) {
    const target = { kind: record.type, house: batch.house.id, id, line: number }
    if (record.ref !== undefined) targets.set(record.ref, target)
    if (publicId !== null) named.set(`${record.type} ${publicId}`, target)
  }
  for (const kind of new Set(wanted.map((pointer) => pointer.kind))) {
    const missing = new Set<string>()
    for (const pointer of wanted) {
      const uuid = pointer.kind === kind && !targets.has(pointer.text) && parseId(kind, pointer.text)
      if (uuid && !named.has(`${kind} ${uuid}`)) missing.add(uuid)
    }
    for (const house of new Set([batch.house.id, ...(kind === 'category' ? houses : [])])) {
      for (const [uuid, id] of await findStored(tx, house, kind, [...missing])) {
        missing.delete(uuid)
        named.set(`${kind} ${uuid}`, { kind, house, id })
      }
    }
  }
  for (const pointer of wanted) {
    const uuid = parseId(pointer.kind, pointer.text)
    const target = targets.get(pointer.text) ?? (uuid ? named.get(`${pointer.kind} ${uuid}`) : undefined)
    const problem = problemOf(pointer, target, batch.house.id)
    if (problem) batch.note(pointer.line, pointer.field, problem)
    else pointer.line.targets[pointer.field] = target?.house === batch.house.id ? target.id : null
  }
}

function problemOf({ line, field, kind, text }: Pointer, target: Target | undefined, house: string) {
  const name = kind.replaceAll('_', ' ')
  if (!target) return `no earlier line and no stored ${name} is called ${quote(text)}`
  if (target.kind !== kind) return `${quote(text)} is a ${target.kind.replaceAll('_', ' ')}, not a ${name}`
  if (target.line !== undefined && target.line >= line.number) return `${quote(text)} is not on an earlier line`
  if (target.house !== house && field !== 'parent') return `${quote(text)} belongs to another house`
  return undefined
}
