import { lockWork } from '../writes/locks.ts'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Context, Scope, Written } from '../context.ts'
import { takeIds } from '../db/catalogue-tables.ts'
import { fieldError, fieldsOf } from '../http/body/validation.ts'
import { kinds } from '../kinds.ts'
import { conflict, duplicateReference, Problem, validationFailed, type FieldError } from '../problems.ts'
import { describeTaken } from '../sentences.ts'
import { parseId, printId } from '../values/ids.ts'
import { chooseSlug, slugify } from '../values/slugs.ts'
import { readDocuments } from '../reads/reads.ts'
import { inTransaction, readWritten, requireLocked } from '../writes/transaction.ts'
import { references } from './document.ts'
import { applyChange, keys, links, parseChange, parseNew, tooDeep, type State } from './made.ts'
import { selectAnyReference } from './queries.ts'
import type { MadeKind } from './schema.ts'
import {
  findHeight,
  findHighestNumber,
  findLevels,
  findTaken,
  hasItemsOfOthers,
  isUsed,
  isWithin,
  listCategories,
  lockReference,
  lockTargets,
} from './statements.ts'
import { int32, mostLevels } from '../values/bounds.ts'
import { addReferences, endReference, findChanged, touchReference } from './touch.ts'

/** A record to make: its UUID, and the body of a POST. A body may point to a record before it. */
type NewReference = { uuid: string; body: unknown }

// Why a record is refused, with its place in the list.
type RowProblem = { index: number; problem: Problem }
type Made = { uuid: string; state: State }

/**
 * Makes a seller, category, maker, delivery class or consignment.
 * @throws Problem validation-failed, duplicate-reference
 */
export async function createReference(context: Context, kind: MadeKind, body: unknown): Promise<Written> {
  const made = { uuid: randomUUID(), state: parseNew(kind, body) }
  return inTransaction(context, async (tx) => {
    const [refused] = await insertAll(tx, kind, [made])
    if (refused) throw refused.problem
    const selection = selectAnyReference(tx, kind, made.uuid)
    return { id: printId(kind, made.uuid), ...(await readWritten(tx, selection)) }
  })
}

/**
 * Makes several records, all or none. Returns their documents.
 * @throws Problem validation-failed with every error of every record, each with the `index` of its record
 */
export async function createReferences(
  context: Context,
  kind: MadeKind,
  created: readonly NewReference[],
): Promise<string[]> {
  const { made, problems } = parseAll(kind, created)
  if (problems.length > 0) throw refuseAll(problems)
  return inTransaction(context, async (tx) => {
    const refused = await insertAll(tx, kind, made)
    if (refused.length > 0) throw refuseAll(refused)
    const uuids = created.map(({ uuid }) => uuid)
    return readDocuments(tx.db, references[kind](tx), uuids)
  })
}

function refuseAll(problems: readonly RowProblem[]): Problem {
  const errors = problems.flatMap(({ index, problem: { errors, duplicate } }): FieldError[] => [
    ...(errors ?? []).map((error) => ({ ...error, index })),
    ...(duplicate
      ? [{ field: duplicate.field, code: 'duplicate' as const, problem: describeTaken(duplicate), index }]
      : []),
  ])
  return new Problem('validation-failed', undefined, { errors })
}

function parseAll(kind: MadeKind, created: readonly NewReference[]): { made: Made[]; problems: RowProblem[] } {
  const problems: RowProblem[] = []
  const made = created.flatMap(({ uuid, body }, index) => {
    try {
      return { uuid, state: parseNew(kind, body) }
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem
      problems.push({ index, problem })
      return []
    }
  })
  return { made, problems }
}

// Inserts the records, unless one of them is refused.
async function insertAll(tx: Context, kind: MadeKind, made: readonly Made[]): Promise<RowProblem[]> {
  // No two records get the same name or number at once.
  await lockWork(tx, kind)
  const { states, problems } = await completeKeys(tx, kind, made)
  const taken = await findTaken(
    tx,
    kind,
    states.map((state) => state[keys[kind]]),
  )
  const link = links[kind]
  const pointers = link ? states.map((state) => targetOf(kind, state)) : []
  const targets = link ? await lockTargets(tx, link.to, compact(pointers)) : new Map<string, never>()
  const levels = kind === 'category' ? await findLevels(tx, idsOf(targets)) : new Map<string, number>()
  const ids = await takeIds(tx.db, kinds[kind].plural, made.length)
  const earlier = new Map<string, string>()
  const given = new Set<unknown>()
  const rows = states.map((state, index) => {
    const key = state[keys[kind]]
    if (taken.has(key)) problems.push({ index, problem: takenKey(kind, key) })
    else if (given.has(key)) problems.push({ index, problem: takenKey(kind, key, true) })
    given.add(key)
    const pointer = pointers[index]
    const target = pointer === undefined ? null : (earlier.get(pointer) ?? availableId(targets.get(pointer)))
    if (target === undefined)
      problems.push({ index, problem: validationFailed([fieldError(link!.field, 'unavailable')]) })
    const { uuid } = made[index]!
    if (link?.to === kind) {
      const level = 1 + (levels.get(target ?? '') ?? 0)
      if (level > mostLevels) problems.push({ index, problem: refuseDeep() })
      levels.set(ids[index]!, level)
      earlier.set(uuid, ids[index]!)
    }
    return { id: ids[index]!, uuid, state, target: target ?? null }
  })
  if (problems.length > 0) return problems.toSorted((one, other) => one.index - other.index)
  await addReferences(tx, kind, rows)
  return []
}

const idsOf = (targets: ReadonlyMap<string, { id: string }>) => Array.from(targets.values(), ({ id }) => id)

const refuseDeep = () => validationFailed([fieldError('parent', 'invalid', tooDeep)])

const compact = (uuids: (string | undefined)[]) => [...new Set(uuids.filter((uuid) => uuid !== undefined))]

const availableId = (target: { id: string; archived: boolean } | undefined) =>
  target?.archived === false ? target.id : undefined

/** The UUID of the record to which a state points. */
function targetOf(kind: MadeKind, state: State): string | undefined {
  const { field, to } = links[kind]!
  const id = state[field]
  return typeof id === 'string' ? parseId(to, id) : undefined
}

const takenKey = (kind: MadeKind, value: unknown, isGivenTwice = false) =>
  duplicateReference({ kind, field: keys[kind], value, isGivenTwice })

// A seller without a number gets the next one of the house, a category without a slug one that is made from its name.
async function completeKeys(tx: Context, kind: MadeKind, made: readonly Made[]) {
  const field = keys[kind]
  const states = made.map(({ state }) => state)
  const isComplete = states.every((state) => state[field] !== undefined)
  if (isComplete) return { states, problems: [] }
  return kind === 'seller' ? numberSellers(tx, states) : nameCategories(tx, states)
}

async function numberSellers(tx: Context, states: State[]) {
  const given = states.map(({ seller_number: number }) => Number(number ?? 0))
  let last = given.reduce((most, number) => Math.max(most, number), await findHighestNumber(tx))
  const problems: RowProblem[] = []
  const numbered = states.map((state, index) => {
    if (state['seller_number'] !== undefined) return state
    if (last === int32.maximum) {
      const error = fieldError('seller_number', 'required', 'is required: no higher number is left')
      problems.push({ index, problem: validationFailed([error]) })
    }
    return { ...state, seller_number: Math.min(++last, int32.maximum) }
  })
  return { states: numbered, problems }
}

// A new category without a slug must have a new name: otherwise each repetition of a file would add it again.
async function nameCategories(tx: Context, states: State[]) {
  const stored = await listCategories(tx)
  const slugs = new Set([
    ...stored.map(({ slug }) => slug ?? ''),
    ...states.flatMap(({ slug }) => (typeof slug === 'string' ? slug : [])),
  ])
  const known = new Set(stored.map(({ name }) => name))
  const problems: RowProblem[] = []
  const named = states.map((state, index) => {
    if (state['slug'] !== undefined) return state
    const names = fieldsOf(state['names'])
    const name = String(names[tx.house.defaultLocale] ?? Object.values(names)[0])
    if (known.has(name))
      problems.push({
        index,
        problem: duplicateReference({ kind: 'category', field: 'name', value: name, needs: 'slug' }),
      })
    known.add(name)
    const slug = chooseSlug(slugs, slugify(name, 'category'))
    slugs.add(slug)
    return { ...state, slug }
  })
  return { states: named, problems }
}

// An archived record can only be archived again, which changes nothing.
async function lockShown(tx: Scope, kind: MadeKind, uuid: string, body?: unknown) {
  const record = await lockReference(tx, kind, uuid)
  return record?.archived && !isDeepStrictEqual(body, { archived: true }) ? undefined : record
}

/**
 * Changes a record that staff make. An omitted field is kept, as is the name in a locale that `names` omits; a repeated
 * value changes nothing. Archiving a seller or a consignment leaves its items as they are.
 * @throws Problem not-found, precondition-failed, precondition-required, validation-failed, duplicate-reference, conflict
 */
export async function changeReference(context: Context, kind: MadeKind, uuid: string, body: unknown): Promise<Written> {
  const { change, archives } = parseChange(kind, body)
  return inTransaction(context, async (tx) => {
    await lockWork(tx, kind)
    const select = () => selectAnyReference(tx, kind, uuid)
    const locked = await lockShown(tx, kind, uuid, body)
    const record = { uuid, ...(await requireLocked(tx, locked, select, kind, uuid)) }
    const wanted = { state: applyChange(record.state, change), archived: record.archived || archives }
    const target = await checkChange(tx, kind, record, findChanged(record.state, wanted.state))
    await touchReference(tx, kind, record, wanted, target)
    return readWritten(tx, select())
  })
}

// Returns the internal id of the record to which a changed pointer leads.
async function checkChange(
  tx: Context,
  kind: MadeKind,
  { id, uuid }: { id: string; uuid: string },
  changed: State,
): Promise<string | null> {
  const key = changed[keys[kind]]
  if (key !== undefined && (await findTaken(tx, kind, [key])).size > 0) throw takenKey(kind, key)
  const link = links[kind]
  if (!link || changed[link.field] === undefined) return null
  const pointer = targetOf(kind, changed)
  const target = pointer === undefined ? null : availableId((await lockTargets(tx, link.to, [pointer])).get(pointer))
  if (target === undefined) throw validationFailed([fieldError(link.field, 'unavailable')])
  if (kind === 'category' && target !== null && (await isWithin(tx, target, id)))
    throw validationFailed([fieldError(link.field, 'invalid', 'must not be the category itself, or one below it')])
  if (kind === 'category' && target !== null) {
    const level = (await findLevels(tx, [target])).get(target)!
    if (level + (await findHeight(tx, id)) > mostLevels) throw refuseDeep()
  }
  if (kind === 'consignment' && (await hasItemsOfOthers(tx, id, target)))
    throw conflict({ reason: 'in_use', record: { kind, uuid } })
  return target
}

/**
 * Deletes a category, maker or delivery class that no item, archived or not, and no other category names. Archives a
 * seller or a consignment.
 * @throws Problem not-found, precondition-failed, precondition-required, conflict
 */
export async function removeReference(context: Context, kind: MadeKind, uuid: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const select = () => selectAnyReference(tx, kind, uuid)
    const record = await requireLocked(tx, await lockShown(tx, kind, uuid), select, kind, uuid)
    if ('deletes' in kinds[kind] && (await isUsed(tx, kind, record.id)))
      throw conflict({ reason: 'in_use', record: { kind, uuid } })
    await endReference(tx, kind, { uuid, ...record })
  })
}
