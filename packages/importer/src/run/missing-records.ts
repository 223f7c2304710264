import type { Missing } from './links.ts'
import type { LinkedType, Records } from '../records.ts'

/** Records of a source by their refs. */
type Refs = ReadonlyMap<string, Records[LinkedType]>

/** The types whose missing records staff can make from a file. */
type MadeType = Exclude<LinkedType, 'increment_strategy'>

const plurals: Record<MadeType, string> = {
  seller: 'sellers',
  category: 'categories',
  maker: 'makers',
  delivery_class: 'delivery-classes',
  consignment: 'consignments',
}

/** The types in the order in which staff make them: consignments point to sellers. */
export const madeTypes = Object.keys(plurals) as MadeType[]

/** What the commands and the files of a type are called. */
export const pluralOf = (type: MadeType): string => plurals[type]

type Cells = Record<string, string | number | boolean | null | undefined>

// A pointer as `create --file` takes it: a number, slug or name, else the id.
function nameOf(pointer: string | null | undefined, refs: Refs): string | null {
  if (!pointer) return null
  const record = refs.get(pointer)
  if (record?.type === 'seller') return String(record.seller_number ?? record.profile_name ?? record.account_name ?? '')
  if (record?.type === 'category') return record.slug ?? Object.values(record.names ?? {})[0] ?? ''
  return pointer
}

function cellsOf(record: Records[LinkedType], refs: Refs): Cells {
  switch (record.type) {
    case 'seller':
      return {
        seller_number: record.seller_number,
        profile_name: record.profile_name,
        account_name: record.account_name,
      }
    case 'category': {
      const names = Object.entries(record.names ?? {}).map(([locale, name]) => [`names.${locale}`, name])
      return { slug: record.slug, ...(Object.fromEntries(names) as Cells), parent: nameOf(record.parent, refs) }
    }
    case 'maker':
      return { name: record.name, active: record.active }
    case 'delivery_class':
      return { name: record.name, instructions: record.instructions }
    case 'consignment':
      return {
        number: record.number,
        seller: nameOf(record.seller, refs),
        locked: record.locked,
        commission_percentage: record.commission_percentage,
        private_notes: record.private_notes,
      }
    default:
      return {}
  }
}

const quote = (text: string) => (/["\n\r,;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * The file of a type's missing records for `bin/catalogue … create --file`; undefined without any. A record with the name of
 * several stored ones is not in it. `refs`: the source's records of these types by their refs.
 */
export function printMissing(
  type: MadeType,
  missing: readonly Missing[],
  refs: Refs,
): { count: number; csv: string } | undefined {
  const rows = missing.flatMap(({ record, isAmbiguous }) =>
    record.type === type && !isAmbiguous ? [cellsOf(record, refs)] : [],
  )
  if (rows.length === 0) return undefined
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.some((row) => (row[name] ?? '') !== ''),
  )
  const lines = [columns, ...rows.map((row) => columns.map((name) => quote(String(row[name] ?? ''))))]
  return { count: rows.length, csv: lines.map((line) => `${line.join(',')}\n`).join('') }
}
