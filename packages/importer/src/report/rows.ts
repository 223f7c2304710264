import type { Rejections } from '../rejections.ts'
import type { Taken } from '../run/result.ts'
import type { Lines, None, RowAccount, RowKind } from '../source/row-account.ts'

/** What became of some rows of a sheet: how many they are, and the lines on which they begin. */
export type RowCount = { count: number; lines: Lines[] }

/** The kinds of rows, those of which a record was rejected, and those that a run which was given up did not try. */
export type RowFate = RowKind | 'refused' | 'not tried'

const kinds: RowKind[] = ['headings', 'record', 'empty', 'total', 'passed over']

/** Takes the lines of rows out of ranges. */
function without(ranges: readonly Lines[], rows: Lines[]): Lines[] {
  let left = [...ranges]
  for (const row of rows)
    left = left.flatMap(({ first, last }) =>
      row.first < first || row.first > last
        ? [{ first, last }]
        : [
            { first, last: row.first - 1 },
            { first: row.last + 1, last },
          ].filter((range) => range.first <= range.last),
    )
  return left
}

/** Every row of a sheet by its fate. The counts add up to the rows. Without `taken`, all rows were taken. */
export function countRows(account: RowAccount, { list }: Rejections, taken?: Taken): Record<RowFate, RowCount> {
  const rejected = new Map(
    list.map(({ source: { place } }) => [place.line, { first: place.line, last: place.last ?? place.line }]),
  )
  const refused = [...rejected.values()]
  const all = account.of('record')
  const [tried, end] = [taken?.count ?? all.count, taken?.lines.last ?? Infinity]
  const untried = all.lines.flatMap(({ first, last }) =>
    last <= end ? [] : [{ first: Math.max(first, end + 1), last }],
  )
  const others = kinds.map((kind): [RowFate, RowCount] => {
    const { count, lines } = account.of(kind)
    return [kind, { count, lines: [...lines] }]
  })
  return {
    ...(Object.fromEntries(others) as Record<RowKind, RowCount>),
    record: { count: tried - refused.length, lines: without(all.lines, [...refused, ...untried]) },
    refused: { count: refused.length, lines: refused.map(({ first }) => ({ first, last: first })) },
    'not tried': { count: all.count - tried, lines: untried },
  }
}

const words: Record<RowFate, [one: string, several: string]> = {
  headings: ['of headings', 'of headings'],
  record: ['record', 'records'],
  empty: ['empty', 'empty'],
  total: ['total', 'totals'],
  'passed over': ['passed over', 'passed over'],
  refused: ['refused', 'refused'],
  'not tried': ['not tried', 'not tried'],
}
const shownRanges = 8

function printLines(lines: Lines[]): string {
  const ranges = lines.slice(0, shownRanges).map(({ first, last }) => (first === last ? first : `${first}-${last}`))
  const more = lines.length > shownRanges ? ` and ${lines.length - shownRanges} more` : ''
  return `${lines.length === 1 && lines[0]!.first === lines[0]!.last ? 'line' : 'lines'} ${ranges.join(', ')}${more}`
}

function printNone({ word, count, lines }: None): string {
  const more = count > lines.length ? ` and ${count - lines.length} more` : ''
  // Nobody is called by signs alone.
  const where = /\p{L}/u.test(word) ? ` (${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more})` : ''
  return `${JSON.stringify(word)} ${count === 1 ? 'once' : `${count} times`}${where}`
}

/** The words for which cells of a sheet were read as empty, in a line for each column. */
export const printNones = ({ nones }: RowAccount): string[] =>
  nones.map((words) => `read as none: column "${words[0]!.column}": ${words.map(printNone).join(', ')}`)

/** What became of every row of a sheet, in a line for the user. */
export function printRows(account: RowAccount, rejections: Rejections, taken?: Taken): string {
  const counted = Object.entries(countRows(account, rejections, taken)).filter(([, { count }]) => count > 0)
  const parts = counted.map(
    ([kind, { count, lines }]) => `${count} ${words[kind as RowFate][count === 1 ? 0 : 1]} (${printLines(lines)})`,
  )
  return `${account.rows} rows: ${parts.join(', ')}`
}
