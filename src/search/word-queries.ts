import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import type { Vocabulary } from './plan.ts'
import { hashKeys, seen, waiting } from './statements.ts'

const mostBegun = 100
const afterAll = '\u{10ffff}'

/**
 * What the house's words say about keys and beginnings, and how many records wait for the index. `categories`: whether the
 * names of categories count.
 */
export async function findWords(
  { db, house }: Scope,
  keys: readonly string[],
  beginnings: readonly string[],
  categories: boolean,
): Promise<Vocabulary & { waiting: number; format: number | null }> {
  const { rows } = await sql<Vocabulary & { waiting: number; format: number | null }>`
    select ${waiting(house)},
      (select coalesce(json_object_agg(word, records), '{}') from (
        select word, sum(records)::int as records from catalogue.search_words
        where house_id = ${house.id} and key = any(${hashKeys(sql`${keys}`, house)}) and ${seen(categories)} group by word having sum(records) > 0) known) as records,
      (select coalesce(json_object_agg(beginning, words), '{}') from unnest(${beginnings}::text[]) each (beginning)
        cross join lateral (
          select coalesce(json_agg(word), '[]') as words from (
            select word from catalogue.search_words
            where house_id = ${house.id} and word >= each.beginning and word < each.beginning || ${afterAll}::text and strpos(word, '/') = 0
              and ${seen(categories)}
            group by word having sum(records) > 0 order by sum(records) desc, word limit ${sql.lit(mostBegun)}) begun
        ) found) as beginnings`.execute(db)
  return rows[0]!
}

/** Words of the house with any of these keys of corrections, and how many records have them. */
export async function findCorrections(
  { db, house }: Scope,
  keys: readonly string[],
  categories: boolean,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ word: string; records: number }>`
    select word, sum(records)::int as records from catalogue.search_words
    where house_id = ${house.id} and corrections && ${hashKeys(sql`${keys}`, house)} and ${seen(categories)}
    group by word having sum(records) > 0`.execute(db)
  return new Map(rows.map(({ word, records }) => [word, records]))
}
