import { sql, type RawBuilder } from 'kysely'
import { Problem } from '../problems.ts'
import { behind, inOrder, positionOf, type Keyset, type Position } from './keyset.ts'
import type { Database } from './pool.ts'

/** Which part of a list is wanted: at most `limit` records behind a position. */
export type PageRequest = { limit: number; after: Position | undefined }

/** A page: the JSON text of each record, and where the next page begins, if there is one. */
export type Page = { documents: string[]; next: Position | undefined }

/** The tables and joins of a read; among them a lateral `document` with the columns json and defect. */
export type Source = { from: RawBuilder<unknown>; where: RawBuilder<unknown> }

type Row = { json: string; defect: string | null }

// The one place that decides it for all resources: a page or record with a defect is not shown at all.
function show(row: Row): string {
  if (row.defect !== null) throw new Problem('integrity-unavailable', `A record ${row.defect}.`)
  return row.json
}

/**
 * Reads one page in one statement.
 * @throws Problem integrity-unavailable when a record of the page can't be shown truthfully
 */
export async function readPage(db: Database, source: Source, order: Keyset, page: PageRequest): Promise<Page> {
  const { rows } = await sql<Row & { sort: string; position_id: string }>`
    select document.json::text as json, document.defect, ${positionOf(order)}
    from ${source.from} where ${source.where} ${behind(order, page.after)}
    ${inOrder(order, page.limit + 1)}`.execute(db)
  const shown = rows.slice(0, page.limit)
  const last = rows.length > page.limit ? shown.at(-1) : undefined
  return { documents: shown.map(show), next: last && { sort: last.sort, id: last.position_id } }
}

/**
 * Reads one record in one statement.
 * @throws Problem not-found, integrity-unavailable (also when several records share the identity)
 */
export async function readOne(db: Database, source: Source): Promise<string> {
  const { rows } = await sql<Row>`
    select document.json::text as json, document.defect from ${source.from} where ${source.where}`.execute(db)
  if (rows.length > 1) throw new Problem('integrity-unavailable', 'Several records share this identity.')
  if (!rows[0]) throw new Problem('not-found', 'There is no such record.')
  return show(rows[0])
}
