import { sql, type RawBuilder } from 'kysely'
import { auctions } from '../auctions/queries.ts'
import { categories } from '../categories/queries.ts'
import type { Context, House } from '../context.ts'
import type { Database } from '../db/pool.ts'
import type { Documents } from '../db/reads.ts'
import { listHouses } from '../houses/houses.ts'
import { imagesOfHouse } from '../images/queries.ts'
import { items } from '../items/document.ts'
import { lots } from '../lots/queries.ts'
import { references } from '../references/queries.ts'
import { sellers } from '../sellers/queries.ts'
import { sessions } from '../sessions/queries.ts'
import { printId, type RecordKind } from '../values/ids.ts'

/** A record that the interface answers with integrity-unavailable: its public id, or its row, and why. */
export type Finding = { type: string; record: string; problem: string }

type Shown = Pick<Context, 'house' | 'mediaBase'>

// Archived ones too, where something that is not archived expands them.
const auctionIsShown = sql<boolean>`(not a.archived
  or exists (select from catalogue.sessions s where s.house_id = a.house_id and s.auction_id = a.id))`
const itemIsShown = sql<boolean>`(not i.archived
  or exists (select from catalogue.lots l where l.house_id = i.house_id and l.item_id = i.id and not l.archived))`

// The same documents that the reads show, so that what is reported here is what they refuse.
function sources(context: Shown): { kind: RecordKind; documents: Documents; shown?: RawBuilder<boolean> }[] {
  return [
    { kind: 'seller', documents: sellers(context), shown: sql`not s.archived` },
    { kind: 'category', documents: categories(context) },
    { kind: 'maker', documents: references.maker(context) },
    { kind: 'delivery_class', documents: references.delivery_class(context) },
    { kind: 'increment_strategy', documents: references.increment_strategy(context) },
    { kind: 'consignment', documents: references.consignment(context), shown: sql`not x.archived` },
    { kind: 'auction', documents: auctions(context), shown: auctionIsShown },
    { kind: 'session', documents: sessions(context) },
    { kind: 'item', documents: items(context), shown: itemIsShown },
    { kind: 'image', documents: imagesOfHouse(context) },
    { kind: 'lot', documents: lots(context), shown: sql`not l.archived` },
  ]
}

async function examineHouse(db: Database, house: House): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { kind, documents, shown } of sources({ house, mediaBase: '' })) {
    const { table, as, parents = sql``, joins } = documents
    const { rows } = await sql<{ row: string; uuid: string | null; defect: string }>`
      select ${sql.ref(`${as}.id`)} as row, ${sql.ref(`${as}.public_id`)} as uuid, document.defect
      from ${table} ${sql.ref(as)} ${parents} ${joins} where ${sql.ref(`${as}.house_id`)} = ${house.id} and document.defect is not null
      ${shown ? sql`and ${shown}` : sql``} order by ${sql.ref(`${as}.id`)}`.execute(db)
    for (const { row, uuid, defect } of rows) {
      findings.push({
        type: kind,
        record: uuid === null ? `row ${row} of house ${house.slug}` : printId(kind, uuid),
        problem: defect,
      })
    }
  }
  return findings
}

/** Examines every record of one house, or of all, and changes nothing. */
export async function examine(db: Database, slug?: string): Promise<Finding[]> {
  const houses = (await listHouses(db)).filter((house) => slug === undefined || house.slug === slug)
  const findings: Finding[] = []
  for (const house of houses) findings.push(...(await examineHouse(db, house)))
  return findings
}
