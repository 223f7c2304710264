import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, moneyOf, timeOf } from '../reads/documents.ts'
import { inOrderOf } from '../reads/lists.ts'
import type { Locale } from '../values/locales.ts'
import type { Money } from '../values/money.ts'
import { textsIn } from './document.ts'
import { selectItems } from './queries.ts'
import type { Texts } from './texts.ts'

/**
 * An item in a list of a command, with the number of its images, of the public ones, and of the unarchived lots that
 * offer it. `texts`: in the locale for which the list was asked.
 */
export type ListedItem = {
  id: string | null
  external_reference: string | null
  title: string | null
  estimate_low: Money | null
  estimate_high: Money | null
  images: number
  public_images: number
  lots: number
  created_at: string | null
  texts?: Texts
}

/**
 * All items of a house, as `selectItems` chooses them, or of these those with internal ids. It builds no documents, which
 * for 20,000 items takes ten times as long.
 */
export async function listItems(
  context: Context,
  { rows: chosen, ...filters }: Parameters<typeof selectItems>[1] & { rows?: string[] },
  locale?: Locale,
): Promise<ListedItem[]> {
  const { id: house, currency } = context.house
  const { rows } = await sql<ListedItem>`
    select ${idOf('item', 'i')} as id, i.external_reference, i.title,
      ${moneyOf('i.estimate_low', currency)} as estimate_low, ${moneyOf('i.estimate_high', currency)} as estimate_high,
      (select count(*)::int from catalogue.images m where m.house_id = ${house} and m.item_id = i.id) as images,
      (select count(*)::int from catalogue.images m where m.house_id = ${house} and m.item_id = i.id and m.public) as public_images,
      (select count(*)::int from catalogue.lots l where l.house_id = ${house} and l.item_id = i.id and not l.archived) as lots,
      ${timeOf('i.created_at')} as created_at ${locale ? sql`, ${textsIn(context, locale)} as texts` : sql``}
    from catalogue.items i
    ${inOrderOf(selectItems(context, filters), chosen && sql`i.id = any(${chosen}::bigint[])`)}`.execute(context.db)
  return rows
}
