import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { ArchiveError } from './archive.ts'

// The entries of an archive, in this order: the manifest, the rows of the tables, the jobs, the counters, the files.
// Rows are in parts that hold whole lines of PostgreSQL's text format.

export const manifestName = 'catalogue.json'
export const countersName = 'counters.json'
export const mediaFolder = 'media/'
export const jobs = 'jobs'

const format = 'auction-catalogue backup 1'

const Table = Type.Object({ name: Type.String(), columns: Type.Array(Type.String()) })
// A counter of 17 digits was never reached by counting.
const Counter = Type.Object({ last_value: Type.String({ pattern: '^[1-9][0-9]{0,15}$' }), is_called: Type.Boolean() })
const Counters = Type.Record(Type.String(), Counter)
const Manifest = Type.Object({
  format: Type.Literal(format),
  created_at: Type.Refine(Type.String(), (text) => !Number.isNaN(Date.parse(text))),
  migrations: Type.Array(Type.String(), { minItems: 1 }),
  tables: Type.Array(Table),
})

/** The first entry of an archive: the migrations of its schema, and the columns of its tables. */
export type Manifest = Static<typeof Manifest>

/** The text of a manifest. */
export function printManifest(manifest: Omit<Manifest, 'format'>): string {
  return `${JSON.stringify({ format, ...manifest }, null, 2)}\n`
}

/**
 * Reads the text of a manifest.
 * @throws ArchiveError
 */
export function parseManifest(text: string): Manifest {
  const manifest = parse(text)
  if (!Value.Check(Manifest, manifest))
    throw new ArchiveError('the archive is no backup of a catalogue that this version can read')
  return manifest
}

/** The name of a part of a table's rows, or of the jobs. */
export const printPart = (table: string, part: number) => `rows/${table}/${String(part).padStart(6, '0')}.tsv.gz`

/** The table of a part; undefined if the entry is not a part of a table. */
export const parsePart = (name: string) => /^rows\/(\w+)\/\d+\.tsv\.gz$/.exec(name)?.[1]

/**
 * Reads the text of the counters of these tables: the state of the sequence that numbers the rows of each.
 * @throws ArchiveError
 */
export function parseCounters(text: string, tables: readonly string[]): Static<typeof Counters> {
  const counters = parse(text)
  if (!Value.Check(Counters, counters) || Object.keys(counters).toSorted().join() !== tables.toSorted().join())
    throw new ArchiveError(`the archive is damaged: ${countersName} does not have the counters of its tables`)
  return counters
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
