import type { Rejections } from '../rejections.ts'
import type { Lines, RowAccount, RowKind } from '../source/row-account.ts'

/** What became of some rows of a sheet: how many they are, and the lines on which they begin. */
export type RowCount = { count: number; lines: Lines[] }

const kinds: RowKind[] = ['headings', 'record', 'empty', 'total', 'passed over']

/** Takes single lines out of ranges. */
function without(ranges: readonly Lines[], lines: number[]): Lines[] {
  let left = [...ranges]
  for (const line of lines)
    left = left.flatMap(({ first, last }) =>
      line < first || line > last
        ? [{ first, last }]
        : [
            { first, last: line - 1 },
            { first: line + 1, last },
          ].filter((range) => range.first <= range.last),
    )
  return left
}

/** Every row of a sheet by its kind. A row of which a record was rejected is refused. The counts add up to the rows. */
export function countRows(account: RowAccount, { list }: Rejections): Record<RowKind | 'refused', RowCount> {
  const refused = [...new Set(list.map(({ source }) => source.place.line))]
  const entries = kinds.map((kind): [RowKind, RowCount] => {
    const { count, lines } = account.of(kind)
    if (kind !== 'record') return [kind, { count, lines: [...lines] }]
    return [kind, { count: count - refused.length, lines: without(lines, refused) }]
  })
  const lines = refused.map((line) => ({ first: line, last: line }))
  return Object.fromEntries([...entries, ['refused', { count: refused.length, lines }]]) as ReturnType<typeof countRows>
}

const words: Record<RowKind | 'refused', [one: string, several: string]> = {
  headings: ['of headings', 'of headings'],
  record: ['record', 'records'],
  empty: ['empty', 'empty'],
  total: ['total', 'totals'],
  'passed over': ['passed over', 'passed over'],
  refused: ['refused', 'refused'],
}
const shownRanges = 8

function printLines(lines: Lines[]): string {
  const ranges = lines.slice(0, shownRanges).map(({ first, last }) => (first === last ? first : `${first}-${last}`))
  const more = lines.length > shownRanges ? ` and ${lines.length - shownRanges} more` : ''
  return `${lines.length === 1 && lines[0]!.first === lines[0]!.last ? 'line' : 'lines'} ${ranges.join(', ')}${more}`
}

/** What became of every row of a sheet, in a line for the user. */
export function printRows(account: RowAccount, rejections: Rejections): string {
  const counted = Object.entries(countRows(account, rejections)).filter(([, { count }]) => count > 0)
  const parts = counted.map(
    ([kind, { count, lines }]) => `${count} ${words[kind as RowKind][count === 1 ? 0 : 1]} (${printLines(lines)})`,
  )
  return `${account.rows} rows: ${parts.join(', ')}`
}
