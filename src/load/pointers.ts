import type { Scope } from '../context.ts'
import { type Kind, type RecordKind } from '../kinds.ts'
import { parseId } from '../values/ids.ts'
import type { Batch, Line } from './batch.ts'
import { Conflict, quote } from './errors.ts'
import { findKept, findRefs, insertRefs, type Referent } from './statements.ts'

/** The fields that point to other records, and the kind of record each wants. */
const pointers: { [Type in Kind]?: Record<string, RecordKind> } = {
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
  lot: { session: 'session', item: 'item', 'result.with': 'lot' },
  bid: { lot: 'lot' },
}

type Pointer = { line: Line; field: string; kind: RecordKind; text: string }
type Target = Referent & { line?: number }

/**
 * Stores which records the refs of a house's lines name.
 * @throws Conflict if a ref is known already
 */
export async function rememberRefs(tx: Scope, refs: { ref: string; kind: string; id: string }[]) {
  if ((await insertRefs(tx, refs)) !== refs.length) throw new Conflict('loaded_refs')
}

// The value at a dotted path.
const valueAt = (record: object, path: string) =>
  path.split('.').reduce<unknown>((value, name) => (Object(value) as Record<string, unknown>)[name], record)

function* pointersOf(batch: Batch): Generator<Pointer> {
  for (const line of batch.lines) {
    for (const [name, kind] of Object.entries(pointers[line.record.type] ?? {})) {
      const value = valueAt(line.record, name)
      if (typeof value === 'string') yield { line, field: name, kind, text: value }
      if (!Array.isArray(value)) continue
      for (const [index, text] of value.entries()) yield { line, field: `${name}.${index}`, kind, text }
    }
  }
}

/**
 * Sets the targets of the batch's lines. Records a problem for every pointer to no record, to another kind of record,
 * to a later line or into another house. `houses` are those of the file so far: a category's parent may be in another
 * of them, and then becomes null.
 */
export async function resolvePointers({ db, house: { id: own } }: Scope, batch: Batch, houses: Iterable<string>) {
  const wanted = [...pointersOf(batch)]
  const targets: Map<string, Target> = await findRefs(db, [...new Set(wanted.map((pointer) => pointer.text))])
  const named = new Map<string, Target>()
  for (const { record, number, id, publicId } of batch.lines) {
    const target = { kind: record.type, house: own, id, line: number }
    if (record.ref !== undefined) targets.set(record.ref, target)
    if (publicId !== null) named.set(`${record.type} ${publicId}`, target)
  }
  for (const kind of new Set(wanted.map((pointer) => pointer.kind))) {
    const missing = new Set<string>()
    for (const pointer of wanted) {
      const uuid = pointer.kind === kind && !targets.has(pointer.text) && parseId(kind, pointer.text)
      if (uuid && !named.has(`${kind} ${uuid}`)) missing.add(uuid)
    }
    for (const house of new Set([own, ...(kind === 'category' ? houses : [])])) {
      if (missing.size === 0) break
      for (const [uuid, id] of await findKept({ db, house: { id: house } }, kind, [...missing])) {
        missing.delete(uuid)
        named.set(`${kind} ${uuid}`, { kind, house, id })
      }
    }
  }
  for (const pointer of wanted) {
    const uuid = parseId(pointer.kind, pointer.text)
    const target = targets.get(pointer.text) ?? (uuid ? named.get(`${pointer.kind} ${uuid}`) : undefined)
    const problem = problemOf(pointer, target, own)
    if (problem) batch.note(pointer.line, pointer.field, problem)
    else pointer.line.targets[pointer.field] = target?.house === own ? target.id : null
  }
}

function problemOf({ line, field, kind, text }: Pointer, target: Target | undefined, house: string) {
  const name = kind.replaceAll('_', ' ')
  if (!target) return `no earlier line has the ref ${quote(text)}, and no stored ${name} has this id`
  if (target.kind !== kind) return `${quote(text)} is a ${target.kind.replaceAll('_', ' ')}, not a ${name}`
  if (target.line !== undefined && target.line >= line.number)
    return `${quote(text)} is not on an earlier line: move its line above this one`
  if (target.house !== house && field !== 'parent') return `${quote(text)} belongs to another house`
  return undefined
}
