import { sql } from 'kysely'
import type { ServedHouse } from '../context.ts'
import type { Database } from '../db/pool.ts'

/** The columns of a house `h`. */
export const houseColumns = sql`h.id, h.slug, h.name, h.default_locale as "defaultLocale", h.currency, h.time_zone as "timeZone", json_build_object(
  'buyer_premium_percentage', h.buyer_premium_percentage::text, 'extension_threshold_seconds', h.extension_threshold_seconds,
  'extension_seconds', h.extension_seconds, 'group_size', h.group_size, 'interval_seconds', h.interval_seconds,
  'results', h.results) as defaults`

/** Every house, by slug. */
export async function listHouses(db: Database): Promise<NamedHouse[]> {
  return (await sql<NamedHouse>`select ${houseColumns} from catalogue.houses h order by h.slug`.execute(db)).rows
}

/** The house with this slug, if there is one. */
export async function findHouse(db: Database, slug: string): Promise<NamedHouse | undefined> {
  const { rows } = await sql<NamedHouse>`
    select ${houseColumns} from catalogue.houses h where h.slug = ${slug}`.execute(db)
  return rows[0]
}

/** A house with its name and time zone. */
export type NamedHouse = Omit<ServedHouse, 'generation'>
