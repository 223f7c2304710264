import { sql, type RawBuilder } from 'kysely'
import { auctions } from '../auctions/queries.ts'
import { categories } from '../categories/queries.ts'
import type { Context, House } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { listHouses } from '../houses/houses.ts'
import { imagesOfHouse } from '../images/queries.ts'
import { items } from '../items/queries.ts'
import { lots } from '../lots/queries.ts'
import { references } from '../references/queries.ts'
import { sellers } from '../sellers/queries.ts'
import { sessions } from '../sessions/queries.ts'
import { printId, type RecordKind } from '../values/ids.ts'

/** A record that the interface answers with integrity-unavailable: its public id, or its row, and why. */
export type Finding = { type: string; record: string; problem: string }

type Shown = Pick<Context, 'house' | 'mediaBase'>

// The same documents that the reads show, so that what is reported here is what they refuse.
function sources(context: Shown): { kind: RecordKind; from: RawBuilder<unknown>; alias: string; archived: boolean }[] {
  const full = context as Context
  return [
    { kind: 'seller', from: sellers, alias: 's', archived: true },
    { kind: 'category', from: categories(context), alias: 'c', archived: false },
    { kind: 'maker', from: references.maker(), alias: 'x', archived: false },
    { kind: 'delivery_class', from: references.delivery_class(), alias: 'x', archived: false },
    { kind: 'increment_strategy', from: references.increment_strategy(context), alias: 'x', archived: false },
    { kind: 'consignment', from: references.consignment(), alias: 'x', archived: true },
    { kind: 'auction', from: auctions(full), alias: 'a', archived: true },
    { kind: 'session', from: sessions(full), alias: 's', archived: false },
    { kind: 'item', from: items(full), alias: 'i', archived: true },
    { kind: 'image', from: imagesOfHouse(context.house.id), alias: 'image', archived: false },
    { kind: 'lot', from: lots(full), alias: 'l', archived: true },
  ]
}

async function examineHouse(db: Database, house: House): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { kind, from, alias, archived } of sources({ house, mediaBase: '' })) {
    const { rows } = await sql<{ row: string; uuid: string | null; defect: string }>`
      select ${sql.ref(`${alias}.id`)} as row, ${sql.ref(`${alias}.public_id`)} as uuid, document.defect
      from ${from} where ${sql.ref(`${alias}.house_id`)} = ${house.id} and document.defect is not null
      ${archived ? sql`and not ${sql.ref(`${alias}.archived`)}` : sql``} order by ${sql.ref(`${alias}.id`)}`.execute(db)
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
