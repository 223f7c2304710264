import { sql } from 'kysely'
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

// The same documents that the reads show, so that what is reported here is what they refuse.
function sources(context: Shown): { kind: RecordKind; documents: Documents; archived: boolean }[] {
  return [
    { kind: 'seller', documents: sellers(context), archived: true },
    { kind: 'category', documents: categories(context), archived: false },
    { kind: 'maker', documents: references.maker(context), archived: false },
    { kind: 'delivery_class', documents: references.delivery_class(context), archived: false },
    { kind: 'increment_strategy', documents: references.increment_strategy(context), archived: false },
    { kind: 'consignment', documents: references.consignment(context), archived: true },
    { kind: 'auction', documents: auctions(context), archived: true },
    { kind: 'session', documents: sessions(context), archived: false },
    { kind: 'item', documents: items(context), archived: true },
    { kind: 'image', documents: imagesOfHouse(context), archived: false },
    { kind: 'lot', documents: lots(context), archived: true },
  ]
}

async function examineHouse(db: Database, house: House): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { kind, documents, archived } of sources({ house, mediaBase: '' })) {
    const { table, as, parents = sql``, joins } = documents
    const { rows } = await sql<{ row: string; uuid: string | null; defect: string }>`
      select ${sql.ref(`${as}.id`)} as row, ${sql.ref(`${as}.public_id`)} as uuid, document.defect
      from ${table} ${sql.ref(as)} ${parents} ${joins} where ${sql.ref(`${as}.house_id`)} = ${house.id} and document.defect is not null
      ${archived ? sql`and not ${sql.ref(`${as}.archived`)}` : sql``} order by ${sql.ref(`${as}.id`)}`.execute(db)
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
