import { sql, type RawBuilder } from 'kysely'
import { auctions } from '../auctions/queries.ts'
import { categories } from '../categories/queries.ts'
import type { Context, House } from '../context.ts'
import type { Database } from '../db/pool.ts'
import type { Documents } from '../db/reads.ts'
import type { Tables } from '../db/tables.ts'
import { listHouses, type NamedHouse } from '../houses/houses.ts'
import { imagesOfHouse } from '../images/queries.ts'
import { items } from '../items/document.ts'
import { lots } from '../lots/queries.ts'
import { references } from '../references/queries.ts'
import { sellers } from '../sellers/queries.ts'
import { sessions } from '../sessions/queries.ts'
import type { RecordKind } from '../values/ids.ts'

/** The houses that have a record with this public UUID in the table, archived or not. */
export async function findHouses(db: Database, table: keyof Tables, uuid: string): Promise<NamedHouse[]> {
  const found: NamedHouse[] = []
  for (const house of await listHouses(db)) {
    const { rows } = await sql`
      select from ${sql.table(table)} where house_id = ${house.id} and public_id = ${uuid}`.execute(db)
    if (rows.length > 0) found.push(house)
  }
  return found
}

type Shown = Pick<Context, 'house' | 'mediaBase'>

// Also archived ones that an unarchived record still expands.
const auctionIsShown = (house: House) => sql<boolean>`(not a.archived
  or exists (select from catalogue.sessions s where s.house_id = ${house.id} and s.auction_id = a.id))`
const itemIsShown = (house: House) => sql<boolean>`(not i.archived
  or exists (select from catalogue.lots l where l.house_id = ${house.id} and l.item_id = i.id and not l.archived))`

// The documents of the reads themselves, so that doctor reports exactly what they refuse.
function sources(context: Shown): { kind: RecordKind; documents: Documents; shown?: RawBuilder<boolean> }[] {
  return [
    { kind: 'seller', documents: sellers(context), shown: sql`not s.archived` },
    { kind: 'category', documents: categories(context) },
    { kind: 'maker', documents: references.maker(context) },
    { kind: 'delivery_class', documents: references.delivery_class(context) },
    { kind: 'increment_strategy', documents: references.increment_strategy(context) },
    { kind: 'consignment', documents: references.consignment(context), shown: sql`not x.archived` },
    { kind: 'auction', documents: auctions(context), shown: auctionIsShown(context.house) },
    { kind: 'session', documents: sessions(context) },
    { kind: 'item', documents: items(context), shown: itemIsShown(context.house) },
    { kind: 'image', documents: imagesOfHouse(context) },
    { kind: 'lot', documents: lots(context), shown: sql`not l.archived` },
  ]
}

/** A record that can't be shown truthfully, and why not. */
type Defect = { kind: RecordKind; row: string; uuid: string | null; defect: string }

/** The records of a house that the interface answers with integrity-unavailable, by kind and row. */
export async function findDefects(db: Database, house: House): Promise<Defect[]> {
  const defects: Defect[] = []
  for (const { kind, documents, shown } of sources({ house, mediaBase: '' })) {
    const { table, as, parents = sql``, joins } = documents
    const { rows } = await sql<Omit<Defect, 'kind'>>`
      select ${sql.ref(`${as}.id`)} as row, ${sql.ref(`${as}.public_id`)} as uuid, document.defect
      from ${table} ${sql.ref(as)} ${parents} ${joins} where ${sql.ref(`${as}.house_id`)} = ${house.id} and document.defect is not null
      ${shown ? sql`and ${shown}` : sql``} order by ${sql.ref(`${as}.id`)}`.execute(db)
    defects.push(...rows.map((row) => ({ kind, ...row })))
  }
  return defects
}
