import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import { kinds, usualKinds, type Followed } from '../kinds.ts'
import { isReadable, versionedTable, versionOf } from './document.ts'
import { lowBits, greatestLow, lastNumber, type FeedPosition } from './statements.ts'

/**
 * The sums of the readable records of one kind: their count, and the sums of the first and second eight bytes of their
 * hashes as signed integers. `negative`: how many of the second integers are below zero.
 */
export type Sum = { kind: number; count: string; high: string; low: string; negative: string }

type Fed = { kind: number; count: string; revisions: string }

/**
 * The sums of some kinds, with the last numbers of the feed at that moment. `isWhole`: the feed has the revision of each
 * record. `base`: the prefix of all versions. `offset 0` keeps the planner from computing each hash four times.
 */
export async function sumVersions(
  { db, house }: Scope,
  of: readonly Followed[],
  base: string,
): Promise<{ last: FeedPosition; sums: Sum[]; isWhole: boolean }> {
  const hashes = of.map(
    (kind) => sql`
        select ${sql.lit(kinds[kind].number)} as kind, r.id, r.revision, encode(sha256(convert_to(${sql.lit(`${kind} `)}
          || coalesce(${sql.lit(`${kinds[kind].prefix}_`)} || r.public_id, '') || ${` ${base}`} || ${versionOf(kind, house, 'r')}, 'UTF8')), 'hex') as hash
        from ${versionedTable(kind, house)} r where r.house_id = ${house.id} and ${isReadable(kind, 'r')}`,
  )
  // A revision only grows, and the feed never has a higher one than the record. So equal sums mean equal revisions.
  // Ids are added, because an image may be deleted and another one inserted.
  const { rows } = await sql<{ number: string; image: string; sums: (Sum & Fed)[]; fed: Fed[] }>`
    select ${lastNumber(house, usualKinds)}::text as number, ${lastNumber(house, ['image'])}::text as image, (
      select coalesce(json_agg(json_build_object('kind', kind, 'count', count::text, 'revisions', revisions::text,
        'high', high::text, 'low', low::text, 'negative', negative::text)), '[]')
      from (
        select kind, count(*), sum(id + revision) as revisions, sum(high) as high, sum(low) as low,
          count(*) filter (where low < 0) as negative
        from (
          select kind, id, revision, ('x' || substr(hash, 1, 16))::bit(64)::bigint as high,
            ('x' || substr(hash, 17, 16))::bit(64)::bigint as low
          from (select * from (${sql.join(hashes, sql` union all `)}) each offset 0) hashed offset 0
        ) numbers group by kind
      ) summed) as sums, (
      select coalesce(json_agg(json_build_object('kind', kind, 'count', count::text, 'revisions', revisions::text)), '[]')
      from (
        select c.record >> ${sql.lit(Number(lowBits))} as kind, count(*), sum((c.record & ${greatestLow}) + split_part(rtrim(c.version, '?'), '-', 1)::bigint) as revisions
        from catalogue.changes c where c.house_id = ${house.id} and c.version is not null
          and c.record >> ${sql.lit(Number(lowBits))} = any(${of.map((kind) => kinds[kind].number)}::bigint[]) group by 1
      ) fed) as fed`.execute(db)
  const { number, image, sums, fed } = rows[0]!
  const printSum = ({ kind, count, revisions }: Fed) => `${kind} ${count} ${revisions}`
  const isWhole = sums.map(printSum).toSorted().join() === fed.map(printSum).toSorted().join()
  return { last: { number, image }, sums, isWhole }
}
