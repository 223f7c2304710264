import { isDeepStrictEqual } from 'node:util'
import type { Context, House } from '../context.ts'
import type { RecordKind } from '../kinds.ts'
import { parseId, printId } from '../values/ids.ts'
import { noteChange, type Values } from '../writes/journal.ts'
import type { Found, RelatedIds, Relations, Relinked } from './relations.ts'
import type { ItemBody } from './schema.ts'
import type { ItemState } from './state.ts'
import { findRelatedIds } from './statements.ts'
import { textNames } from './texts.ts'

// The ids of the records that a new item points to: those of its body, and the seller of its consignment.
function idsOfNew(body: ItemBody, { inherited, ...found }: Found): RelatedIds {
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

// A text of another locale is a field such as `translations.en.title`.
function listValues({ external_reference, texts, bounds }: ItemState, { currency, defaultLocale }: House): Values {
  const values: Record<string, unknown> = { external_reference, ...texts.flat }
  for (const [locale, translated] of Object.entries(texts.translations))
    if (locale !== defaultLocale)
      for (const name of textNames) values[`translations.${locale}.${name}`] = translated[name]
  for (const bound of ['low', 'high'] as const)
    values[`estimate.${bound}`] = bounds[bound] === null ? null : { amount: bounds[bound], currency }
  return values
}

function listRelations({ seller, consignment, delivery_class, ...many }: Relations, ids: RelatedIds): Values {
  const find = (kind: RecordKind, id: string | null) => (id === null ? null : (ids.get(`${kind} ${id}`) ?? null))
  const list = (kind: RecordKind, internal: string[]) =>
    internal.length === 0 ? null : internal.map((id) => find(kind, id))
  return {
    seller: find('seller', seller),
    consignment: find('consignment', consignment),
    delivery_class: find('delivery_class', delivery_class),
    categories: list('category', many.categories),
    makers: list('maker', many.makers),
  }
}

/** Notes the fields of a new item for the journal. `found`: the records that its body names. */
export function noteNewItem(tx: Context, uuid: string, body: ItemBody, found: Found, state: ItemState): void {
  const relations = listRelations(state.relations, idsOfNew(body, found))
  noteChange(tx, { kind: 'item', uuid }, {}, { ...listValues(state, tx.house), ...relations })
}

/** Notes the links of items that differ. The row of many items has no record of its own. */
export async function noteRelinking(tx: Context, changed: readonly Relinked[]): Promise<void> {
  const states = changed.flatMap(({ stored, wanted }) => [stored, wanted])
  const ids = await findRelatedIds(tx, states)
  for (const { uuid, stored, wanted } of changed)
    noteChange(tx, { kind: 'item', uuid }, listRelations(stored, ids), listRelations(wanted, ids), { about: null })
}

/** Notes the fields of an item that differ between two states. */
export async function noteUpdate(tx: Context, uuid: string, stored: ItemState, wanted: ItemState): Promise<void> {
  const isRelated = !isDeepStrictEqual(stored.relations, wanted.relations)
  const ids = isRelated ? await findRelatedIds(tx, [stored.relations, wanted.relations]) : new Map<string, string>()
  const list = (state: ItemState) => ({
    archived: state.archived,
    ...listValues(state, tx.house),
    ...(isRelated && listRelations(state.relations, ids)),
  })
  noteChange(tx, { kind: 'item', uuid }, list(stored), list(wanted))
}
