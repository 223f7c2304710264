import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../context.ts'
import { kinds } from '../kinds.ts'
import type { Compounding } from './words/compounds.ts'
import { mostBegun, type NameLink, type Vocabulary } from './plan.ts'
import { hashKeys, seen, waiting } from './statements.ts'

const mostCandidates = 100
const afterAll = '\u{10ffff}'

type KnownWord = [word: string, records: number, hash: string]

type Found = {
  words: KnownWord[] | null
  beginnings: Record<string, string[]> | null
  links: NameLink[] | null
  candidates: string[] | null
  nl: boolean | null
  de: boolean | null
  waiting: number
  format: number | null
}

/** What `findWords` has found. `candidates` may be compounds; `languages`: those of them that the house's texts have. */
export type FoundWords = Omit<Vocabulary, 'compounds'> &
  Pick<Found, 'waiting' | 'format'> & { candidates: string[]; languages: Compounding[] }

/** What to look for among the words of a house. `parts`: of compounds, see `compoundParts`. */
type AskedWords = {
  keys: readonly string[]
  beginnings: readonly string[]
  parts: readonly string[]
  hasPatterns: boolean
}

const knownWords = (house: Scope['house'], keys: readonly string[], categories: boolean) => sql`
      select key, word, sum(records)::int as records from catalogue.search_words
      where house_id = ${house.id} and key = any(${hashKeys(sql`${keys}`, house)}) and ${seen(categories)}
      group by key, word having sum(records) > 0`

const toKnown = (words: readonly KnownWord[]) =>
  new Map(words.map(([word, records, hash]) => [word, { records, hash }]))

const isNamed = (house: Scope['house'], keys: RawBuilder<unknown>, categories: boolean) => sql`
          n.house_id = ${house.id} and n.keys && ${keys}
          and (${categories}::boolean or n.kind <> ${sql.lit(kinds.category.number)})`

// In this order PostgreSQL reads one entry of the index, also where no word has forms of the language.
const hasForms = (house: Scope['house'], language: Compounding) => sql`(
          select word < ${`${language}0`}::text from catalogue.search_words
          where house_id = ${house.id} and word >= ${`${language}/`}::text order by word limit 1)`

// The most frequent words in the class of a part that are longer than it and begin or end with it.
const longerWords = (house: Scope['house'], categories: boolean, isAtPlace: RawBuilder<unknown>) => sql`(
          select word from catalogue.search_words
          where house_id = ${house.id} and ${isAtPlace} and left(word, length(class)) = class
            and (class <> '' or strpos(word, '/') = 0) and length(word) > length(part) and ${seen(categories)}
          group by word having sum(records) > 0 order by sum(records) desc, word limit ${sql.lit(mostCandidates)})`

/**
 * What the house's words say about keys and beginnings, which words may be compounds of parts, and how many records wait
 * for the index. `categories`: whether the names of categories count.
 */
export async function findWords(
  { db, house }: Scope,
  { keys, beginnings, parts, hasPatterns }: AskedWords,
  categories: boolean,
): Promise<FoundWords> {
  const { rows } = await sql<Found>`
    with known as materialized (${knownWords(house, keys, categories)}), begun as materialized (
      select each.beginning, found.* from unnest(${beginnings}::text[]) each (beginning) cross join lateral (
        select key, word, sum(records)::int as records from catalogue.search_words
        where house_id = ${house.id} and word >= each.beginning and word < each.beginning || ${afterAll}::text and strpos(word, '/') = 0
          and ${seen(categories)}
        group by key, word having sum(records) > 0 order by sum(records) desc, word limit ${sql.lit(mostBegun)}) found
    ), words as materialized (
      select key, word, records from known union select key, word, records from begun
    ), languages as materialized (
      select coalesce(${hasForms(house, 'nl')}, false) as nl, coalesce(${hasForms(house, 'de')}, false) as de
    )
    select ${waiting(house)}, (select nl from languages) as nl, (select de from languages) as de,
      (select json_agg(distinct candidate.word) from (
        select part, coalesce(substring(part from '^[a-z]+/'), '') as class
        from unnest(${parts}::text[]) each (part)
        where (select case when part like 'nl/%' then nl when part like 'de/%' then de else nl or de end from languages)) asked
        cross join lateral (
          ${longerWords(house, categories, sql`word >= part and word < part || ${afterAll}::text`)}
          union
          ${longerWords(
            house,
            categories,
            sql`reverse(word) >= reverse(substr(part, length(class) + 1))
            and reverse(word) < reverse(substr(part, length(class) + 1)) || ${afterAll}::text`,
          )}) candidate) as candidates,
      (select json_agg(json_build_array(word, records, key::text)) from words) as words,
      (select json_object_agg(beginning, words) from (
        select beginning, json_agg(word order by records desc, word) as words from begun group by beginning) each) as beginnings,
      (select json_agg(json_build_object('link', n.link::text, 'words', case when ${hasPatterns}::boolean then n.words else '' end,
          'keys', array(select key::text from unnest(n.keys) each (key) where key in (select key from words))))
        from catalogue.search_names n where ${isNamed(house, sql`array(select key from words)`, categories)}) as links`.execute(
    db,
  )
  const { words, beginnings: begun, links, candidates, nl, de, waiting: marks, format } = rows[0]!
  return {
    known: toKnown(words ?? []),
    beginnings: new Map(Object.entries(begun ?? {})),
    links: links ?? [],
    candidates: candidates ?? [],
    languages: [...(nl === true ? (['nl'] as const) : []), ...(de === true ? (['de'] as const) : [])],
    waiting: marks,
    format,
  }
}

/** Those of these keys that a record has. */
export async function findKnown(
  { db, house }: Scope,
  keys: readonly string[],
  categories: boolean,
): Promise<Vocabulary['known']> {
  const { rows } = await sql<{ words: KnownWord[] | null }>`
    select json_agg(json_build_array(word, records, key::text)) as words
    from (${knownWords(house, keys, categories)}) known`.execute(db)
  return toKnown(rows[0]!.words ?? [])
}

/** The makers and categories whose names have any of these hashes. */
export async function findLinks(
  { db, house }: Scope,
  hashes: readonly string[],
  categories: boolean,
): Promise<NameLink[]> {
  const { rows } = await sql<NameLink>`
    select n.link::text as link, '' as words,
      array(select key::text from unnest(n.keys) each (key) where key = any(${hashes}::bigint[])) as keys
    from catalogue.search_names n where ${isNamed(house, sql`${hashes}::bigint[]`, categories)}`.execute(db)
  return rows
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
