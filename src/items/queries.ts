import type { Context } from '../context.ts'
import { newestFirst } from '../reads/keyset.ts'
import type { ListSelection, Selection } from '../reads/selections.ts'
import { isItemOf, items, writtenItems, type ItemExpansion } from './document.ts'
import type { Missing, Offered } from '../values/offers.ts'
import { textNames } from './texts.ts'

const order = newestFirst('i')

/** Which items a list chooses. Ids are bare UUIDs. `offered` and `without`: see the shapes in schema.ts. */
export type ItemFilters = {
  external_reference?: string | undefined
  consignment?: string | undefined
  seller?: string | undefined
  offered?: Offered | undefined
  without?: Missing | undefined
}

const isIn = (which: string) =>
  `exists (select from catalogue.lots l where l.house_id = $house and l.item_id = i.id and not l.archived ${which})`
const [isOpen, isSold] = [isIn('and l.result_state is null'), isIn("and l.result_state = 'sold'")]

/** The condition that an item `i` is offered so, as SQL like that of a selection. */
export const offerConditions: Record<Offered, string> = {
  never: `not ${isIn('')}`,
  open: isOpen,
  unsold: `${isIn('')} and not ${isOpen} and not ${isSold}`,
  sold: `${isSold} and not ${isOpen}`,
}

const columnsOf = (as: string) => textNames.map((name) => `${as}.${name}`).join(', ')

/** The condition that an item `i` has no such thing, as SQL like that of a selection. */
export function lacks(missing: Missing, { defaultLocale }: Context['house']): string {
  if (missing === 'estimate') return 'num_nonnulls(i.estimate_low, i.estimate_high) = 0'
  if (missing === 'image')
    return 'not exists (select from catalogue.images m where m.house_id = $house and m.item_id = i.id and m.public)'
  // The flat texts are in the default locale, stored as a translation or not.
  const flat = missing === defaultLocale ? `num_nonnulls(${columnsOf('i')}) = 0 and ` : ''
  return `${flat}not exists (select from catalogue.item_translations t where t.house_id = $house and t.item_id = i.id
      and t.locale = '${missing}' and num_nonnulls(${columnsOf('t')}) > 0)`
}

/** The house's items, without archived ones (section 4.4). */
export function selectItems<Of extends Context>(
  context: Of,
  {
    external_reference,
    consignment,
    seller,
    offered,
    without,
    'expand[]': expand,
  }: ItemFilters & { 'expand[]'?: readonly ItemExpansion[] },
): ListSelection<Of> {
  const conditions = [
    'not i.archived',
    ...(external_reference === undefined ? [] : ['i.external_reference = asked.external_reference']),
    ...(consignment === undefined ? [] : [isItemOf('consignment')]),
    ...(seller === undefined ? [] : [isItemOf('seller')]),
    ...(offered === undefined ? [] : [offerConditions[offered]]),
    ...(without === undefined ? [] : [lacks(without, context.house)]),
  ]
  const asked = { external_reference, consignment, seller }
  return { context, documents: items(context, expand), where: conditions.join(' and '), asked, order }
}

/** The item with this public UUID, archived or not. */
export function selectAnyItem<Of extends Context>(
  context: Of,
  uuid: string,
  expand?: readonly ItemExpansion[],
): Selection<Of> {
  return { context, documents: items(context, expand), where: 'i.public_id = asked.uuid::uuid', asked: { uuid } }
}

const byIdentity = 'i.public_id = asked.uuid::uuid and not i.archived'

/** The item with this public UUID. */
export function selectItem<Of extends Context>(
  context: Of,
  uuid: string,
  expand?: readonly ItemExpansion[],
): Selection<Of> {
  return { context, documents: items(context, expand), where: byIdentity, asked: { uuid } }
}

/** The item with this public UUID that the transaction has just written. */
export function selectWritten<Of extends Context>(
  context: Of,
  uuid: string,
  expand: readonly ItemExpansion[] = [],
): Selection<Of> {
  return { context, documents: writtenItems(context, expand), where: byIdentity, asked: { uuid } }
}
