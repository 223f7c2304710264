import { BrokenCell, type Row } from './cells.ts'
import { toColumn } from './merged-cells.ts'

/**
 * The two headings of a column, and where the upper one stands: over the column itself (`own`), in a merged cell over it
 * (`merged`), or further left (`loose`). A loose one may belong only to the columns on the left.
 */
export type HeadingPair = { upper: string; lower: string; reach: 'own' | 'merged' | 'loose' }

const toText = (row: Row, index: number) => String(row.cells[index] ?? '').trim()

/** Both headings in one: `Schätzpreis` over `von` is `Schätzpreis von`. */
export const joinHeadings = ({ upper, lower }: HeadingPair): string => `${upper} ${lower}`.trim()

/** Pairs two rows of headings. An upper heading reaches over the columns on its right that have only a lower heading. */
export function pairHeadings(upper: Row, lower: Row): HeadingPair[] {
  const pairs: HeadingPair[] = []
  let reaching = ''
  for (let index = 0; index < Math.max(upper.cells.length, lower.cells.length); index++) {
    const [own, below] = [toText(upper, index), toText(lower, index)]
    const merged = upper.merged?.find(({ first, last }) => first < index && index <= last)
    // An upper heading that is merged downwards belongs only to its own column.
    if (own !== '') reaching = lower.cells[index] instanceof BrokenCell ? '' : own
    else if (below === '') reaching = ''
    if (own !== '') pairs.push({ upper: own, lower: below, reach: 'own' })
    else if (merged) pairs.push({ upper: toText(upper, merged.first), lower: below, reach: 'merged' })
    else pairs.push({ upper: reaching, lower: below, reach: 'loose' })
    // The width of a merged cell is its reach.
    if (upper.merged?.some(({ first, last }) => first <= index && index <= last)) reaching = ''
  }
  return pairs
}

/** The letters of a column in spreadsheet programs: A, B, …, Z, AA. */
export const printLetters = (index: number): string =>
  (index < 26 ? '' : printLetters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

/** The name of a column without a heading of its own in a mapping: `column D`. */
export const nameByPlace = (index: number): string => `column ${printLetters(index)}`

/** Whether a heading is longer than a key of YAML may be, with its quotes. */
export const isTooLong = (heading: string): boolean => JSON.stringify(heading).length > 1024

const placeOf = (name: string) => toColumn(/^column ([A-Z]{1,2})$/.exec(name)?.[1] ?? '') - 1

/** Names columns as the mapping does: by both headings or one of them, or by place if there is none, or a very long one. */
export function nameAsMapped(pairs: HeadingPair[], mapped: string[]): string[] {
  const names = pairs.map((pair) => {
    const possible = [joinHeadings(pair), pair.lower, pair.reach === 'own' ? pair.upper : '']
    return possible.find((name) => name !== '' && mapped.includes(name)) ?? (pair.lower || possible[2]!)
  })
  for (const name of mapped.filter((each) => !names.includes(each))) {
    const place = placeOf(name)
    // A mapped column may stand to the right of all headings, and of several with one heading each has its letter.
    while (names.length < place) names.push('')
    if (place < 0) continue
    const given = names[place] ?? ''
    if (given === '' || names.indexOf(given) !== names.lastIndexOf(given) || isTooLong(joinHeadings(pairs[place]!)))
      names[place] = name
  }
  return names
}
