import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../context.ts'
import { sendAhead } from '../db/pipeline.ts'
import { textsOf } from '../items/document.ts'
import { searchedTexts, type Texts } from '../items/texts.ts'
import { followedKinds, kinds, searchedKinds, type Searched } from '../kinds.ts'
import type { Locale } from '../values/locales.ts'
import { indexFormat, type Indexed, type Text } from './texts.ts'

type House = Scope['house']

/** The most records that a search catches up with before it answers. */
export const mostCaughtUp = 2_000

/** The source of words that no load has. */
export const ownSource = '0'

/**
 * The source of the words of a kind. Those of categories have sources below zero: a key that may not read categories does
 * not see them.
 */
export const sourceOf = (kind: Searched, source: string) =>
  kind === 'category' ? String(-1n - BigInt(source)) : source

const isSeen = sql`source >= 0`

/** The condition on words for those who may read categories, or may not. */
export const seen = (categories: boolean) => (categories ? sql`true` : isSeen)

// The lowest bit is free: in `search_items.keys` it says whether a title has the key.
const hashKey = (key: RawBuilder<unknown>, house: House) => sql`(hashtextextended(${key}, ${house.id}::bigint) & -2)`

/** Hashed keys as an item has them in a title, a reference, or as a link. */
export const inTitle = (keys: readonly string[]) => keys.map((key) => String(BigInt(key) + 1n))

/** Hashed keys as an item has them anywhere. */
export const wherever = (keys: readonly string[]) => [...keys, ...inTitle(keys)]

/** The hashes of keys, as an array. */
export const hashKeys = (keys: RawBuilder<unknown>, house: House) =>
  sql`array(select ${hashKey(sql.ref('key'), house)} from unnest(${keys}::text[]) each (key))`

/** The key by which an item is linked to a maker or a category. A slash is in no word. */
const linkKey = (kind: 'maker' | 'category', id: string) => `${kind}/${id}`

/** A record by its kind and its internal id. */
export type Marked = { kind: Searched; id: string }

/** Takes the oldest marks of a house, at most `limit`, in the transaction that brings the records into the index. */
export async function takeMarks({ db, house }: Scope, limit: number): Promise<Marked[]> {
  const { rows } = await sql<{ kind: number; record_id: string }>`
    delete from catalogue.search_marks where house_id = ${house.id} and id = any(array(
      select id from catalogue.search_marks where house_id = ${house.id} order by id limit ${sql.lit(limit)}))
    returning kind, record_id`.execute(db)
  return rows.map(({ kind, record_id }) => ({ kind: followedKinds[kind] as Searched, id: record_id }))
}

/** How many records wait for the index, counted up to one more than a search catches up with; and its format. */
export const waiting = (house: House) => sql`
    (select count(*)::int from (select from catalogue.search_marks where house_id = ${house.id} limit ${sql.lit(mostCaughtUp + 1)}) marked) as waiting,
    (select format from catalogue.search_houses where house_id = ${house.id}) as format`

/** The format of a house's index; undefined if it has none. */
export async function findFormat({ db, house }: Scope): Promise<number | undefined> {
  const { rows } = await sql<{ format: number }>`
    select format from catalogue.search_houses where house_id = ${house.id}`.execute(db)
  return rows[0]?.format
}

/** Whether a house has a record of a searched kind. */
export async function hasRecords({ db, house }: Scope): Promise<boolean> {
  const parts = searchedKinds.map(
    (kind) => sql`exists (select from ${sql.table(`catalogue.${kinds[kind].plural}`)} where house_id = ${house.id})`,
  )
  const { rows } = await sql<{ has: boolean }>`select ${sql.join(parts, sql` or `)} as has`.execute(db)
  return rows[0]!.has
}

/** Records the format of a house's index. */
export async function writeFormat({ db, house }: Scope): Promise<void> {
  await sql`insert into catalogue.search_houses (house_id, format) values (${house.id}, ${indexFormat})
    on conflict (house_id) do update set format = excluded.format`.execute(db)
}

const indexedAs = (kind: Searched, house: House): RawBuilder<unknown> =>
  kind === 'item'
    ? sql`catalogue.search_items x on x.house_id = ${house.id} and x.item_id = r.id`
    : sql`catalogue.search_names x on x.house_id = ${house.id} and x.kind = ${sql.lit(kinds[kind].number)} and x.record_id = r.id`

/** Records of a kind after an id whose index is missing or older than they are, or has another format. */
export async function findStale(
  { db, house }: Scope,
  kind: Searched,
  after: string,
  limit: number,
): Promise<{ id: string; isStale: boolean }[]> {
  const { rows } = await sql<{ id: string; isStale: boolean }>`
    select r.id, (x.revision is distinct from r.revision or x.format is distinct from ${indexFormat}) as "isStale"
    from ${sql.table(`catalogue.${kinds[kind].plural}`)} r left join ${indexedAs(kind, house)}
    where r.house_id = ${house.id} and r.id > ${after}::bigint order by r.id limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** A record with its texts as stored, its revision and the hash of its index; `format` and `hash` null if it has none. */
type Stored = { id: string; revision: string; hash: string | null; texts: Text[]; links: string[] }

const [flatTexts, translationTexts] = [textsOf('i', searchedTexts), textsOf('t', searchedTexts)]

/** The texts of items, and the hash of their index if it has the present format. */
export async function readItems({ db, house }: Scope, locale: Locale, ids: string[]): Promise<Stored[]> {
  type Row = Pick<Stored, 'id' | 'revision' | 'hash' | 'links'> & {
    reference: string | null
    flat: Partial<Texts>
    translations: { locale: Locale; texts: Partial<Texts> }[]
  }
  const { rows } = await sql<Row>`
    select i.id, i.revision, x.hash, i.external_reference as reference, ${flatTexts} as flat,
      (select coalesce(json_agg(json_build_object('locale', t.locale, 'texts', ${translationTexts}) order by t.locale, t.id), '[]')
        from catalogue.item_translations t where t.house_id = ${house.id} and t.item_id = i.id) as translations,
      array(select 'maker/' || m.maker_id from catalogue.item_makers m where m.house_id = ${house.id} and m.item_id = i.id order by m.maker_id)
        || array(select 'category/' || c.category_id from catalogue.item_categories c where c.house_id = ${house.id} and c.item_id = i.id order by c.category_id) as links
    from catalogue.items i
    left join catalogue.search_items x on x.house_id = ${house.id} and x.item_id = i.id and x.format = ${indexFormat}
    where i.house_id = ${house.id} and i.id = any(${ids}::bigint[]) order by i.id`.execute(db)
  return rows.map(({ id, revision, hash, links, reference, flat, translations }) => {
    const texts = [{ locale, texts: flat }, ...translations].flatMap((each) =>
      searchedTexts.flatMap((name) => {
        const text = each.texts[name]
        return text ? [{ text, locale: each.locale, isTitle: name === 'title' }] : []
      }),
    )
    const all: Text[] = reference === null ? texts : [...texts, { text: reference, locale: null, isTitle: true }]
    return { id, revision, hash, links, texts: all }
  })
}

/** The names of makers or categories. A deleted one has none. */
export async function readNames(
  { db, house }: Scope,
  kind: 'maker' | 'category',
  ids: string[],
): Promise<Omit<Stored, 'hash' | 'links'>[]> {
  type Row = { id: string; revision: string; archived: boolean; names: Record<string, string | null> }
  const own = kind === 'maker' ? sql`json_build_object('', r.name)` : sql`r.names`
  const { rows } = await sql<Row>`
    select r.id, r.revision, r.archived, ${own} as names from ${sql.table(`catalogue.${kinds[kind].plural}`)} r
    where r.house_id = ${house.id} and r.id = any(${ids}::bigint[]) order by r.id`.execute(db)
  return rows.map(({ id, revision, archived, names }) => ({
    id,
    revision,
    texts: Object.entries(archived ? {} : (names ?? {})).flatMap(([locale, text]) =>
      text ? [{ text, locale: locale === '' ? null : (locale as Locale), isTitle: true }] : [],
    ),
  }))
}

/** What the index gets of a record. */
export type Entry = Indexed & { id: string; revision: string; hash: string; links: string[] }

// The driver would write arrays of arrays as a matrix.
const listed = (entries: readonly object[]) => JSON.stringify(entries)

/** Writes items into the index. */
export async function writeItems({ db, house }: Scope, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map(({ id, revision, hash, keys, titleKeys, words, links }) => {
    const titles = new Set(titleKeys)
    const others = keys.filter((key) => !titles.has(key))
    return { item_id: id, revision, hash, titles: [...titleKeys, ...links], others, words }
  })
  const hashed = (column: string) =>
    sql`select ${hashKey(sql.ref('key'), house)} as hash from unnest(${sql.ref(column)}) each (key)`
  await sendAhead(
    db,
    sql`
    insert into catalogue.search_items (house_id, item_id, revision, format, hash, keys, words)
    select ${house.id}::bigint, r.item_id, r.revision, ${indexFormat}::int, r.hash,
      array(select hash + 1 as key from (${hashed('r.titles')}) h union all select hash from (${hashed('r.others')}) h order by key), r.words
    from json_to_recordset(${listed(rows)}::json)
      r (item_id bigint, revision bigint, hash text, titles text[], others text[], words text)
    on conflict (house_id, item_id) do update set revision = excluded.revision, format = excluded.format,
      hash = excluded.hash, keys = excluded.keys, words = excluded.words`,
  )
}

/** Notes the revisions of items whose texts are as the index has them. */
export async function writeRevisions({ db, house }: Scope, items: readonly Stored[]): Promise<void> {
  await sendAhead(
    db,
    sql`
    update catalogue.search_items x set revision = r.revision
    from unnest(${items.map(({ id }) => id)}::bigint[], ${items.map(({ revision }) => revision)}::bigint[]) r (id, revision)
    where x.house_id = ${house.id} and x.item_id = r.id`,
  )
}

/** Writes the names of makers or categories into the index. */
export async function writeNames(
  { db, house }: Scope,
  kind: 'maker' | 'category',
  entries: readonly Omit<Entry, 'hash' | 'links'>[],
): Promise<void> {
  const rows = entries.map(({ id, revision, keys, words }) => {
    return { record_id: id, revision, keys, words, link: linkKey(kind, id) }
  })
  await sendAhead(
    db,
    sql`
    insert into catalogue.search_names (house_id, kind, record_id, revision, format, link, keys, words)
    select ${house.id}::bigint, ${kinds[kind].number}::smallint, r.record_id, r.revision, ${indexFormat}::int,
      ${hashKey(sql.ref('r.link'), house)}, ${hashKeys(sql.ref('r.keys'), house)}, r.words
    from json_to_recordset(${listed(rows)}::json) r (record_id bigint, revision bigint, keys text[], words text, link text)
    on conflict (house_id, kind, record_id) do update set revision = excluded.revision, format = excluded.format,
      keys = excluded.keys, words = excluded.words`,
  )
}

/** Takes the words of records that the index has out of the numbers of the house's words. */
export async function subtractWords(
  { db, house }: Scope,
  { items, names }: { items: string[]; names: { kind: 'maker' | 'category'; ids: string[] } },
): Promise<void> {
  await sendAhead(
    db,
    sql`
    insert into catalogue.search_words (house_id, key, source, word, records, corrections)
    select w.house_id, gone.key, ${sourceOf(names.kind, ownSource)}::bigint, w.word, -gone.records, w.corrections
    from (
      select key, count(*)::int as records from (
        select unnest(x.keys) & -2 as key from catalogue.search_items x
        where x.house_id = ${house.id} and x.item_id = any(${items}::bigint[]) and x.format = ${indexFormat}
        union all select unnest(n.keys) from catalogue.search_names n
        where n.house_id = ${house.id} and n.kind = ${kinds[names.kind].number} and n.record_id = any(${names.ids}::bigint[])
          and n.format = ${indexFormat}
      ) each group by key
    ) gone
    cross join lateral (
      select house_id, word, corrections from catalogue.search_words where house_id = ${house.id} and key = gone.key limit 1
    ) w
    on conflict (house_id, key, source) do update set records = search_words.records + excluded.records`,
  )
}

/** A word of a house: how many of the records that are being written have it, and the keys for its corrections. */
type CountedWord = { word: string; records: number; corrections: string[] }

/** Adds the words of records. `source`: see `sourceOf`. */
export async function addWords({ db, house }: Scope, words: readonly CountedWord[], source: string): Promise<void> {
  await sendAhead(
    db,
    sql`
    insert into catalogue.search_words (house_id, key, source, word, records, corrections)
    select ${house.id}::bigint, ${hashKey(sql.ref('r.word'), house)}, ${source}::bigint, r.word, r.records, ${hashKeys(sql.ref('r.corrections'), house)}
    from json_to_recordset(${listed(words)}::json) r (word text, records int, corrections text[])
    on conflict (house_id, key, source) do update set records = search_words.records + excluded.records`,
  )
}

/** Joins the words of committed loads with the others of the house. Returns the number of rows that it has joined. */
export async function joinWords({ db, house }: Scope, limit: number): Promise<number> {
  const ofLoads = sql`house_id = ${house.id} and source not in (-1, 0)`
  const { rows } = await sql<{ key: string; source: number; word: string; records: number; corrections: string[] }>`
    delete from catalogue.search_words where ${ofLoads} and (key, source) in (
      select key, source from catalogue.search_words where ${ofLoads} limit ${sql.lit(limit)})
    returning key, case when ${isSeen} then 0 else -1 end as source, word, records, corrections`.execute(db)
  if (rows.length === 0) return 0
  const merged = new Map<string, (typeof rows)[number]>()
  for (const row of rows) {
    const name = `${row.key} ${row.source}`
    const known = merged.get(name)
    if (known) known.records += row.records
    else merged.set(name, row)
  }
  await sql`
    insert into catalogue.search_words (house_id, key, source, word, records, corrections)
    select ${house.id}::bigint, r.key, r.source, r.word, r.records, r.corrections
    from json_to_recordset(${listed([...merged.values()])}::json) r (key bigint, source bigint, word text, records int, corrections bigint[])
    on conflict (house_id, key, source) do update set records = search_words.records + excluded.records`.execute(db)
  return rows.length
}

/** Forgets the words of a house whose index is made anew. */
export async function forgetWords({ db, house }: Scope): Promise<void> {
  await sql`delete from catalogue.search_words where house_id = ${house.id}`.execute(db)
}
