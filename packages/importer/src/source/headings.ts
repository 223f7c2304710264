import { BrokenCell, type Row } from './cells.ts'
import { toColumn } from './merged-cells.ts'

/**
 * A column below two rows of headings: what stands above it, what stands right over its cells, and why the upper word is taken
 * to be above it. Without a merged cell, it may belong to the columns on its left alone.
 */
export type HeadingPair = { upper: string; lower: string; reach: 'own' | 'merged' | 'loose' }

const toText = (row: Row, index: number) => String(row.cells[index] ?? '').trim()

/** The heading of both rows: `Schätzpreis` over `von` is `Schätzpreis von`. */
export const joinHeadings = ({ upper, lower }: HeadingPair): string => `${upper} ${lower}`.trim()

/** Pairs two rows of headings. An upper word reaches over the columns on its right that have a lower heading alone. */
export function pairHeadings(upper: Row, lower: Row): HeadingPair[] {
  const pairs: HeadingPair[] = []
  let reaching = ''
  for (let index = 0; index < Math.max(upper.cells.length, lower.cells.length); index++) {
    const [own, below] = [toText(upper, index), toText(lower, index)]
    const merged = upper.merged?.find(({ first, last }) => first < index && index <= last)
    // One that is merged downwards is the heading of its column.
    if (own !== '') reaching = lower.cells[index] instanceof BrokenCell ? '' : own
    else if (below === '') reaching = ''
    if (own !== '') pairs.push({ upper: own, lower: below, reach: 'own' })
    else if (merged) pairs.push({ upper: toText(upper, merged.first), lower: below, reach: 'merged' })
    else pairs.push({ upper: reaching, lower: below, reach: 'loose' })
    // A merged cell says itself how far it reaches.
    if (upper.merged?.some(({ first, last }) => first <= index && index <= last)) reaching = ''
  }
  return pairs
}

/** The letters that spreadsheet programs give a column: A, B, …, Z, AA. */
export const printLetters = (index: number): string =>
  (index < 26 ? '' : printLetters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

/** What a mapping calls a column without a heading: `column D`. */
export const nameByPlace = (index: number): string => `column ${printLetters(index)}`

const placeOf = (name: string) => toColumn(/^column ([A-Z]{1,2})$/.exec(name)?.[1] ?? '') - 1

/** Names columns as a mapping does, which may use both headings or one of them, and places of columns that have none. */
export function nameAsMapped(pairs: HeadingPair[], mapped: string[]): string[] {
  const names = pairs.map((pair) => {
    const possible = [joinHeadings(pair), pair.lower, pair.reach === 'own' ? pair.upper : '']
    return possible.find((name) => name !== '' && mapped.includes(name)) ?? (pair.lower || possible[2]!)
  })
  for (const name of mapped.filter((each) => !names.includes(each))) {
    const place = placeOf(name)
    // A column on the right of all headings has one, too.
    while (names.length < place) names.push('')
    if (place >= 0 && !names[place]) names[place] = name
  }
  return names
}
