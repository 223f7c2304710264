import { sql, type RawBuilder } from 'kysely'
import { int32 } from '../values/bounds.ts'
import { lastUuid } from '../values/ids.ts'

/** Where a page ended: the sort value as PostgreSQL prints it, the public UUID, and in some orders the UUID of a tie. */
export type Position = { sort: string; id: string; tie?: string | undefined }

/** The order of a list: rows without a sort value come last, and the public UUID breaks ties in the same direction. */
export type Keyset = {
  sort: RawBuilder<unknown>
  id: RawBuilder<unknown>
  type: 'timestamptz' | 'bigint'
  direction: 'asc' | 'desc'
  /** Decides between rows with the same public UUID. `find` is the value of `column` for the UUID `asked.after_tie`. */
  tie?: { column: RawBuilder<unknown>; uuid: RawBuilder<unknown>; find: RawBuilder<unknown> }
}

const idOf = (table: string) => sql`coalesce(${sql.ref(`${table}.public_id`)}, ${sql.lit(lastUuid)})`

/** Newest first by a timestamp column. The indexes of lists have the same expressions. */
export function newestFirst(table: string, column = 'created_at'): Keyset {
  return {
    sort: sql`coalesce(${sql.ref(`${table}.${column}`)}, '-infinity')`,
    id: idOf(table),
    type: 'timestamptz',
    direction: 'desc',
  }
}

/** Oldest first by creation: the order of managed images. */
export function oldestFirst(table: string): Keyset {
  return {
    sort: sql`coalesce(${sql.ref(`${table}.created_at`)}, 'infinity')`,
    id: idOf(table),
    type: 'timestamptz',
    direction: 'asc',
  }
}

/** The place of a lot by the column of its number, as SQL: without a number it comes last. Indexes have the expression. */
export const placeOfLot = (column: string) => `coalesce(${column}, ${int32.maximum + 1})`

/** Lots by their number. */
export function byLotNumber(table: string): Keyset {
  return {
    sort: sql.raw(placeOfLot(`"${table}"."lot_number"`)),
    id: idOf(table),
    type: 'bigint',
    direction: 'asc',
  }
}

/** The condition `and …` for the rows after the position, whose values come from `asked`. Empty for the first page. */
export function behind(keyset: Keyset, position: Position | undefined): RawBuilder<unknown> {
  if (!position) return sql``
  const comparison = sql.raw(keyset.direction === 'asc' ? '>' : '<')
  const { tie } = keyset
  const [column, found] = tie ? [sql`, ${tie.column}`, sql`, ${tie.find}`] : [sql``, sql``]
  return sql`and (${keyset.sort}, ${keyset.id}${column}) ${comparison} (asked.after_sort::${sql.raw(keyset.type)}, asked.after_id::uuid${found})`
}

/** The `order by … limit …` of one page. The limit is in the text, so that the planner sees it. */
export function inOrder(keyset: Keyset, limit: number): RawBuilder<unknown> {
  const direction = sql.raw(keyset.direction)
  const tie = keyset.tie ? sql`, ${keyset.tie.column} ${direction}` : sql``
  return sql`order by ${keyset.sort} ${direction}, ${keyset.id} ${direction}${tie} limit ${sql.lit(limit)}`
}
