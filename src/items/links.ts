import { isDeepStrictEqual } from 'node:util'
import type { Context, Written } from '../context.ts'
import { fieldError } from '../http/body/validation.ts'
import { Problem, validationFailed, type FieldError } from '../problems.ts'
import { readDocuments } from '../reads/reads.ts'
import { parseId } from '../values/ids.ts'
import { inTransaction } from '../writes/transaction.ts'
import { items } from './document.ts'
import { changeRelations, type RelationChanges } from './relations.ts'
import { lockLinked, lockRelations } from './statements.ts'
import { touchRelations } from './touch.ts'

/** The links of an item to change: its UUID, and ids as written. An omitted field is kept. */
type ItemLinks = { item: string } & Pick<RelationChanges, 'categories' | 'makers' | 'delivery_class'>

// The answer has all of the items, in the memory that all houses share.
const mostBytes = 64 * 1024 * 1024

/**
 * Changes the categories, makers and delivery classes of items, all or none, by the rules of one item (section 4.4). What
 * repeats what is stored changes nothing. Returns the items as a list, in the order of the changes.
 * @throws Problem payload-too-large if their texts together are, validation-failed, integrity-unavailable
 */
export async function relinkItems(context: Context, changes: readonly ItemLinks[]): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const uuids = changes.map(({ item }) => item)
    const stored = await lockRelations(tx, uuids)
    const locked = new Map(stored.map((item) => [item.uuid, item]))
    if (stored.reduce((sum, { bytes }) => sum + bytes, 0) > mostBytes)
      throw new Problem('payload-too-large', `The items have more than ${mostBytes} bytes of texts: name fewer.`)
    const named = await lockLinked(tx, {
      sellers: [],
      inherited: [],
      delivery_classes: changes.flatMap(({ delivery_class: id }) => (id ? parseId('delivery_class', id)! : [])),
      categories: changes.flatMap(({ categories = [] }) => categories.map((id) => parseId('category', id)!)),
      makers: changes.flatMap(({ makers = [] }) => makers.map((id) => parseId('maker', id)!)),
    })
    const found = { ...named, seller: null, consignment: null, inherited: null }
    const errors: FieldError[] = []
    const changed = changes.flatMap((change, index) => {
      const item = locked.get(change.item)
      if (!item) return (errors.push(fieldError(`items.${index}.item`, 'unavailable')), [])
      const { relations: wanted, errors: faults } = changeRelations(item.stored, change, found)
      errors.push(...faults.map((fault) => ({ ...fault, field: `items.${index}.${fault.field}` })))
      return isDeepStrictEqual(wanted, item.stored) ? [] : [{ ...item, wanted }]
    })
    if (errors.length > 0) throw validationFailed(errors)
    if (changed.length > 0) await touchRelations(tx, changed)
    return { json: `[${(await readDocuments(tx.db, items(tx), uuids)).join(',')}]` }
  })
}
