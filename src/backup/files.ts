import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'

// The files that one image names: its original, the folder of its renditions, and the widths of the sources in it.
type NamedFiles = { original: string | null; renditions: string | null; source_widths: number[] | null }

type Row = NamedFiles & { house: string; id: string }

const rowsPerPage = 1_000

/** The files that the images of all houses name, page by page. */
export async function* findNamedFiles(db: Database): AsyncGenerator<NamedFiles> {
  let after: Pick<Row, 'house' | 'id'> | undefined = { house: '0', id: '0' }
  while (after) {
    const { rows }: { rows: Row[] } = await sql<Row>`
      select house_id as house, id, original, renditions,
        case when sources_folder = renditions then source_widths end as source_widths from catalogue.images
      where (house_id, id) > (${after.house}, ${after.id}) and (original is not null or renditions is not null)
      order by house_id, id limit ${rowsPerPage}`.execute(db)
    yield* rows
    after = rows.length === rowsPerPage ? rows.at(-1) : undefined
  }
}
