import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Static } from 'typebox'
import { identify, type Context, type Scope, type Written } from '../context.ts'
import { isUnreachable, UnknownOutcome } from '../db/errors.ts'
import type { Database } from '../db/pool.ts'
import { shareRuns } from '../db/shared.ts'
import { defective } from '../reads/reads.ts'
import { parseId, printId } from '../values/ids.ts'
import type { RecordKind } from '../kinds.ts'
import { byteLength } from '../values/text.ts'
import { takenReference } from '../writes/external-references.ts'
import { noteChange } from '../writes/journal.ts'
import { insertAnswers, isLarge, lockKeys, waitBriefly } from '../writes/statements.ts'
import { markChanged } from '../writes/touch.ts'
import { inTransaction, inTransactionOnce } from '../writes/transaction.ts'
import { items, type ItemExpansion } from './document.ts'
import { printNewItem, type NewItem } from './fields.ts'
import { insertItems } from './creation-statements.ts'
import { findRelations, refuseItem } from './named.ts'
import { noRelations, type Found, type RelatedIds } from './relations.ts'
import type { ItemCreate } from './schema.ts'
import { changeState, noState, type ItemState } from './state.ts'
import { listRelations, listValues } from './touch.ts'

type Body = Static<typeof ItemCreate>

/** An item to create, for the request or the command of its context. */
type Wanted = { context: Context; body: Body; expand: readonly ItemExpansion[] }

/** An item that may be inserted, and its document. */
type Checked = Wanted & { uuid: string; state: ItemState; related: NewItem['related']; now: Date; json: string }

/**
 * Creates an item with its texts and relations in one transaction (section 4.4), which creations of the same moment
 * share (docs/decisions/0038-shared-creations.md).
 * @throws Problem validation-failed, duplicate-reference, integrity-unavailable
 */
export async function createItem(
  context: Context,
  body: Body,
  expand: readonly ItemExpansion[] = [],
): Promise<Written> {
  const wanted = { context, body, expand }
  const mayShare = !context.db.isTransaction && !context.write?.isRehearsal
  return (mayShare ? await createShared(wanted) : undefined) ?? createAlone(wanted)
}

async function createAlone(wanted: Wanted): Promise<Written> {
  const { context, body } = wanted
  return inTransaction(context, async (tx) => {
    const [found] = await findRelations(tx, [{ stored: noRelations, changes: body }])
    const { state, errors } = changeState(noState, body, found!, tx.house.defaultLocale)
    if (errors.length > 0) await refuseItem(tx, noState, state, errors)
    const checked = check(wanted, state, found!)
    if (!checked) throw defective('has a seller without a public id')
    const [written] = await insert(tx, [checked])
    if (!written) throw takenReference('item', body.external_reference)
    return written
  })
}

// Undefined if the seller of its consignment has no public id, or was locked and left out.
function check(wanted: Wanted, state: ItemState, found: Found): Checked | undefined {
  const { now, house } = wanted.context
  const related = listRelations(state.relations, idsOfNew(wanted.body, found)) as NewItem['related']
  if (state.relations.seller !== null && related.seller === null) return undefined
  const uuid = randomUUID()
  return { ...wanted, uuid, state, related, now, json: printNewItem({ uuid, state, related, now }, house) }
}

/** Inserts items of a house, marks and notes them. Returns what each shows; undefined if its reference is taken. */
async function insert(tx: Scope, checked: Checked[]): Promise<(Written | undefined)[]> {
  const ids = await insertItems(tx, checked)
  await markChanged(tx, 'item', [...ids.values()])
  return checked.map(({ context, expand, uuid, state, related, json }) => {
    const internal = ids.get(uuid)
    if (internal === undefined) return undefined
    const { origin, house } = context
    const values = { ...listValues(state, house), ...related }
    noteChange({ db: tx.db, house, origin }, { kind: 'item', uuid }, {}, values, { apart: true })
    // The revision of a new item is 1.
    return { id: printId('item', uuid), tag: `${items(context, expand).format} ${internal}.1`, json }
  })
}

type Creations = (name: string, wanted: Wanted) => Promise<Written | undefined>

const mostTogether = 16
const mostBytes = 256 * 1024
const mostHouses = 1_000
const creations = new WeakMap<Database, LRUCache<string, Creations>>()
let created = 0

// None waits for others to come: those that came while a transaction was under way share the next one.
async function createShared(wanted: Wanted): Promise<Written | undefined> {
  const { db, house } = wanted.context
  const ofDatabase = creations.get(db) ?? new LRUCache<string, Creations>({ max: mostHouses })
  creations.set(db, ofDatabase)
  const name = identify(house)
  const create = ofDatabase.get(name) ?? shareRuns(createTogether, mostTogether)
  ofDatabase.set(name, create)
  return create(String(++created), wanted)
}

/**
 * Creates items of one house in one transaction. Undefined for an item to create alone: what refuses it, repeats another
 * one or holds a lock would stand in the way of the others.
 * @throws UnknownOutcome for all of them
 */
async function createTogether(all: Wanted[]): Promise<(Written | undefined)[]> {
  const { db, house } = all[0]!.context
  const distinct = listDistinct(all)
  const work = async (tx: Scope) => {
    await waitBriefly(tx.db)
    const keys = await lockKeys(
      tx,
      distinct.flatMap(({ context }) => context.write?.key ?? []),
    )
    const free = distinct.filter(({ context: { write } }) => write?.key === undefined || keys.has(write.key))
    const changes = free.map(({ body }) => ({ stored: noRelations, changes: body }))
    const checked = chooseMembers(free, await findRelations(tx, changes, 'skip'))
    const written = checked.length === 0 ? [] : await insert(tx, checked)
    const answers = checked.map(async ({ context }, at) => written[at] && context.write?.remembered?.(written[at]))
    await insertAnswers(
      tx,
      (await Promise.all(answers)).filter((each) => each !== undefined),
    )
    return new Map(checked.map(({ context }, at) => [context, written[at]]))
  }
  try {
    const written = await inTransactionOnce({ db, house }, work)
    return all.map(({ context }) => written.get(context))
  } catch (error) {
    if (error instanceof UnknownOutcome || isUnreachable(error)) throw error
    return all.map(() => undefined)
  }
}

// The items whose keys and references differ from those of the items before them.
function listDistinct(all: Wanted[]): Wanted[] {
  const taken = new Set<string>()
  return all.filter(({ context, body }) => {
    const names = [
      `reference ${body.external_reference}`,
      ...(context.write?.key === undefined ? [] : [`key ${context.write.key}`]),
    ]
    if (names.some((name) => taken.has(name))) return false
    for (const name of names) taken.add(name)
    return true
  })
}

// The items that nothing refuses, as many as a transaction takes. A large answer to remember needs room.
function chooseMembers(all: Wanted[], found: Found[]): Checked[] {
  let bytes = 0
  return all.flatMap((wanted, at) => {
    const { context, body } = wanted
    const { state, errors } = changeState(noState, body, found[at]!, context.house.defaultLocale)
    const checked = errors.length > 0 ? undefined : check(wanted, state, found[at]!)
    if (!checked) return []
    const size = byteLength(`{"data":${checked.json}}`)
    if ((context.write?.key !== undefined && isLarge(size)) || bytes + size > mostBytes) return []
    bytes += size
    return [checked]
  })
}

// The ids of the records that a new item points to: those of its body, and the seller of its consignment.
function idsOfNew(body: Body, { inherited, ...found }: Found): RelatedIds {
  const ids = new Map<string, string | null>()
  const add = (kind: RecordKind, id: string, name: string | null) =>
    void ids.set(`${kind} ${id}`, name && printId(kind, parseId(kind, name)!))
  if (inherited) add('seller', inherited.id, inherited.public_id)
  for (const kind of ['seller', 'consignment'] as const)
    if (found[kind] && body[kind]) add(kind, found[kind].id, body[kind])
  for (const [uuid, id] of Object.entries(found.delivery_classes)) add('delivery_class', id, uuid)
  for (const [uuid, id] of Object.entries(found.categories)) add('category', id, uuid)
  for (const [uuid, id] of Object.entries(found.makers)) add('maker', id, uuid)
  return ids
}
