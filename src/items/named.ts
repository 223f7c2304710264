import type { Context, Scope } from '../context.ts'
import type { RecordKind } from '../kinds.ts'
import { validationFailed, type FieldError } from '../problems.ts'
import { parseId } from '../values/ids.ts'
import { requireFreeReference } from '../writes/external-references.ts'
import type { Found, RelationChanges, Relations } from './relations.ts'
import type { ItemState } from './state.ts'
import { lockConsignments, lockLinked, type Locking, type WantedLinks } from './statements.ts'

/** A change of an item's relations. */
type Change = { stored: Relations; changes: RelationChanges }

const uuidOf = (kind: RecordKind, id: string | null | undefined) => (id ? parseId(kind, id)! : null)

/**
 * Finds the records that changes of items name, and locks them until the transaction ends. No other transaction can
 * archive or delete them meanwhile. With `skip` a record that another transaction has locked counts as missing.
 */
export async function findRelations(tx: Scope, all: Change[], how: Locking = 'wait'): Promise<Found[]> {
  const consignments = await findConsignments(tx, all, how)
  const wanted: WantedLinks = { sellers: [], inherited: [], delivery_classes: [], categories: [], makers: [] }
  const owners = all.map(({ stored, changes }, at) => {
    const seller = uuidOf('seller', changes.seller)
    const isOpen = changes.seller === undefined && stored.seller === null
    const inherited = isOpen ? (consignments[at]?.seller ?? null) : null
    if (seller !== null) wanted.sellers.push(seller)
    if (inherited !== null) wanted.inherited.push(inherited)
    return { seller, inherited }
  })
  for (const { changes } of all) {
    if (changes.delivery_class) wanted.delivery_classes.push(parseId('delivery_class', changes.delivery_class)!)
    for (const id of changes.categories ?? []) wanted.categories.push(parseId('category', id)!)
    for (const id of changes.makers ?? []) wanted.makers.push(parseId('maker', id)!)
  }
  const isNothing = Object.values(wanted).every((ids) => ids.length === 0)
  const { sellers, inherited, ...others } = isNothing ? nothingLinked : await lockLinked(tx, wanted, how)
  return owners.map((owner, at) => ({
    ...others,
    consignment: consignments[at]!,
    seller: owner.seller === null ? null : (sellers[owner.seller] ?? null),
    inherited: owner.inherited === null ? null : (inherited[owner.inherited] ?? null),
  }))
}

const nothingLinked = { sellers: {}, inherited: {}, delivery_classes: {}, categories: {}, makers: {} } as Awaited<
  ReturnType<typeof lockLinked>
>

// The consignments that the changes name, or that the items keep if only another seller is named.
async function findConsignments(tx: Scope, all: Change[], how: Locking): Promise<Found['consignment'][]> {
  const named = all.map(({ changes }) => uuidOf('consignment', changes.consignment))
  const kept = all.map(({ stored, changes }) =>
    changes.seller && changes.consignment === undefined ? stored.consignment : null,
  )
  const find = async (column: 'public_id' | 'id', ids: (string | null)[]) => {
    const given = ids.filter((id) => id !== null)
    return given.length === 0 ? [] : lockConsignments(tx, column, given, how)
  }
  const byName = new Map((await find('public_id', named)).map((each) => [each.public_id, each]))
  const byId = new Map((await find('id', kept)).map((each) => [each.id, each]))
  return all.map((_, at) => byName.get(named[at] ?? '') ?? byId.get(kept[at] ?? '') ?? null)
}

/**
 * Refuses a state of an item for its errors. A duplicate reference is reported before them: the item may exist already.
 * @throws Problem duplicate-reference, validation-failed
 */
export async function refuseItem(
  tx: Context,
  stored: ItemState,
  state: ItemState,
  errors: FieldError[],
): Promise<never> {
  const { external_reference: reference } = state
  if (reference !== null && reference !== stored.external_reference) await requireFreeReference(tx, 'item', reference)
  throw validationFailed(errors)
}
