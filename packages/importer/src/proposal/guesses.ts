import { pairBounds } from './bounds.ts'
import type { Samples } from './survey.ts'
import { clock, day, fits, isPicture, isText, most } from './values.ts'
import { isGeneral, isMeasureLetter, readHeading, type Candidate, type Meaning } from './vocabulary.ts'

/** The field that a column probably is, and whether it is a reserve, which has none. */
export type Guess = { field: string | undefined; isReserve: boolean }

/** Makes of `H | B | D` the measures that they are: one letter alone may be anything. */
function findMeasures(columns: Samples[], meanings: Meaning[]): void {
  const isMeasure = (index: number) =>
    isMeasureLetter(columns[index]?.heading ?? '') && meanings[index]!.candidates.length === 0
  for (const index of columns.keys())
    if (isMeasure(index) && (isMeasureLetter(columns[index - 1]?.heading ?? '') || isMeasure(index + 1)))
      meanings[index] = { isReserve: false, isKnown: true, candidates: [{ field: 'dimensions', rank: 0 }] }
}

/** A column that says by its cells alone what it is: it has names of files of pictures. */
function findPictures({ cells }: Samples, { isKnown }: Meaning): Candidate | undefined {
  const isFound = !isKnown && cells.length > 0 && most(cells, isPicture)
  return isFound ? { field: 'images', rank: 0 } : undefined
}

const isShort = ({ cells }: Samples) => cells.every((cell) => String(cell).length <= 100)

/** Whether cells could be titles: short texts that differ, most of them of several words. */
const areTitles = (column: Samples) =>
  isShort(column) &&
  column.cells.length > 1 &&
  new Set(column.cells.map(String)).size >= column.cells.length * 0.9 &&
  most(column.cells, (text) => isText(text) && /\s/.test(text))

// Their columns are joined.
const joined = new Set(['images', 'dimensions'])

/** The best column of each field, or all of those that are joined. */
function chooseBest(columns: Samples[], found: (Candidate | undefined)[]): (string | undefined)[] {
  const isBest = (index: number) =>
    !found.some(
      (other, at) =>
        other?.field === found[index]!.field &&
        (other.rank < found[index]!.rank || (other.rank === found[index]!.rank && at < index)),
    )
  // A date and a time may stand in two columns, and neither in more than one.
  const isRepeated = (index: number) =>
    columns.some(
      (other, at) =>
        at < index &&
        found[at]?.field === 'session.opens_at' &&
        [day, clock].some((kind) =>
          [other, columns[index]!].every(({ cells }) => most(cells, (text) => kind.test(text))),
        ),
    )
  return found.map((candidate, index) => {
    if (candidate === undefined) return undefined
    const { field } = candidate
    const isFirst = field === 'session.opens_at' ? !isRepeated(index) : joined.has(field) || isBest(index)
    return isFirst ? field : undefined
  })
}

/** Gives an item its title where no heading says which it is, and of two titles makes the other the description. */
function completeTexts(
  columns: Samples[],
  meanings: Meaning[],
  found: (Candidate | undefined)[],
  fields: (string | undefined)[],
): void {
  const has = (name: string) => fields.some((field) => field?.split('.')[0] === name)
  const titles = fields.flatMap((field, index) => (field?.startsWith('title') ? [index] : []))
  if (!has('description') && titles.length > 0) {
    const isLeft = (index: number) =>
      fields[index] === undefined && found[index]?.field === 'title' && !isGeneral(columns[index]!.heading)
    // Beside a title that names its language, a designation is none.
    const other =
      [...fields.keys()].find(isLeft) ?? (titles.length > 1 ? titles.find((at) => isDesignation(at)) : undefined)
    if (other !== undefined) fields[other] = 'description'
  }
  function isDesignation(at: number): boolean {
    return fields[at] === 'title' && titles.some((one) => found[one]!.rank < found[at]!.rank)
  }
  if (titles.length > 0) return
  for (const [index, field] of fields.entries())
    if (field?.startsWith('description') && isShort(columns[index]!))
      fields[index] = field.replace('description', 'title')
  if (has('title') || has('description')) return
  const first = columns.findIndex(
    (column, index) => column.heading !== '' && !meanings[index]!.isKnown && areTitles(column),
  )
  if (first >= 0) fields[first] = 'title'
}

/** Proposes a field for each column, by its heading and by what it holds. */
export function guessFields(columns: Samples[]): Guess[] {
  const meanings = columns.map(({ heading }) => readHeading(heading))
  pairBounds(columns, meanings)
  findMeasures(columns, meanings)
  const found = columns.map(
    (column, index) =>
      meanings[index]!.candidates.find(({ field }) => fits(field, column)) ?? findPictures(column, meanings[index]!),
  )
  const fields = chooseBest(columns, found)
  completeTexts(columns, meanings, found, fields)
  return fields.map((field, index) => {
    const { isReserve } = meanings[index]!
    // An estimate beside its bounds would be a second one.
    if (field === 'estimate' && (fields.includes('estimate.low') || fields.includes('estimate.high')))
      return { field: undefined, isReserve }
    // The name of a session is also what it is called by, where nothing else is.
    const name = field === 'session.title' || field === 'auction.title' ? field.split('.')[0]! : undefined
    return { field: name === undefined || fields.includes(name) ? field : name, isReserve }
  })
}
