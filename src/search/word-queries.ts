import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import { kinds } from '../kinds.ts'
import type { NameLink, Vocabulary } from './plan.ts'
import { hashKeys, seen, waiting } from './statements.ts'

const mostBegun = 100
const afterAll = '\u{10ffff}'

type Found = {
  words: [word: string, records: number, hash: string][] | null
  beginnings: Record<string, string[]> | null
  links: NameLink[] | null
  waiting: number
  format: number | null
}

/**
 * What the house's words say about keys and beginnings, and how many records wait for the index. `categories`: whether the
 * names of categories count.
 */
export async function findWords(
  { db, house }: Scope,
  { keys, beginnings, hasPatterns }: { keys: readonly string[]; beginnings: readonly string[]; hasPatterns: boolean },
  categories: boolean,
): Promise<Vocabulary & Pick<Found, 'waiting' | 'format'>> {
  const { rows } = await sql<Found>`
    with known as materialized (
      select key, word, sum(records)::int as records from catalogue.search_words
      where house_id = ${house.id} and key = any(${hashKeys(sql`${keys}`, house)}) and ${seen(categories)}
      group by key, word having sum(records) > 0
    ), begun as materialized (
      select each.beginning, found.* from unnest(${beginnings}::text[]) each (beginning) cross join lateral (
        select key, word, sum(records)::int as records from catalogue.search_words
        where house_id = ${house.id} and word >= each.beginning and word < each.beginning || ${afterAll}::text and strpos(word, '/') = 0
          and ${seen(categories)}
        group by key, word having sum(records) > 0 order by sum(records) desc, word limit ${sql.lit(mostBegun)}) found
    ), words as materialized (
      select key, word, records from known union select key, word, records from begun
    )
    select ${waiting(house)},
      (select json_agg(json_build_array(word, records, key::text)) from words) as words,
      (select json_object_agg(beginning, words) from (
        select beginning, json_agg(word order by records desc, word) as words from begun group by beginning) each) as beginnings,
      (select json_agg(json_build_object('link', n.link::text, 'words', case when ${hasPatterns}::boolean then n.words else '' end,
          'keys', array(select key::text from words where key = any(n.keys))))
        from catalogue.search_names n where n.house_id = ${house.id} and n.keys && array(select key from words)
          and (${categories}::boolean or n.kind <> ${sql.lit(kinds.category.number)})) as links`.execute(db)
  const { words, beginnings: begun, links, waiting: marks, format } = rows[0]!
  return {
    known: new Map((words ?? []).map(([word, records, hash]) => [word, { records, hash }])),
    beginnings: new Map(Object.entries(begun ?? {})),
    links: links ?? [],
    waiting: marks,
    format,
  }
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
