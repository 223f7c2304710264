import { pairBounds } from './bounds.ts'
import { clock, day, fits, isPicture, isText, most, type Samples } from './values.ts'
import { isGeneral, isMeasureLetter, readHeading, type Candidate, type Meaning } from './vocabulary.ts'

/** The probable field of a column. A reserve has none. */
export type Guess = { field: string | undefined; isReserve: boolean }

/** Reads neighbours such as `H | B | D` as dimensions. A single letter alone may mean anything. */
function findMeasures(columns: Samples[], meanings: Meaning[]): void {
  const isMeasure = (index: number) =>
    isMeasureLetter(columns[index]?.heading ?? '') && meanings[index]!.candidates.length === 0
  for (const index of columns.keys())
    if (isMeasure(index) && (isMeasureLetter(columns[index - 1]?.heading ?? '') || isMeasure(index + 1)))
      meanings[index] = { isReserve: false, isKnown: true, candidates: [{ field: 'dimensions', rank: 0 }] }
}

/** Recognises a column of pictures by its cells alone: they are names of files. */
function findPictures({ cells }: Samples, { isKnown }: Meaning): Candidate | undefined {
  const isFound = !isKnown && cells.length > 0 && most(cells, isPicture)
  return isFound ? { field: 'images', rank: 0 } : undefined
}

const isShort = ({ cells }: Samples) => cells.every((cell) => String(cell).length <= 100)

/** Whether cells could be titles: short and different texts, most of them with several words. */
const areTitles = (column: Samples) =>
  isShort(column) &&
  column.cells.length > 1 &&
  new Set(column.cells.map(String)).size >= column.cells.length * 0.9 &&
  most(column.cells, (text) => isText(text) && /\s/.test(text))

// The columns of these fields are joined.
const joined = new Set(['images', 'alt', 'dimensions'])

/** Keeps the best column of each field, and all columns of joined fields. */
function chooseBest(columns: Samples[], found: (Candidate | undefined)[]): (string | undefined)[] {
  const isBest = (index: number) =>
    !found.some(
      (other, at) =>
        other?.field === found[index]!.field &&
        (other.rank < found[index]!.rank || (other.rank === found[index]!.rank && at < index)),
    )
  // A date and a time may take two columns. A second column of dates, or of times, is left out.
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

/** Finds the title if no heading names it, and makes one of two titles the description. */
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
    // Beside a title with a language, a designation is the description.
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

/** Without a reference, a unique number of a seller beside a column of sellers is one: `Inbr.nr` beside `Inbrenger`. */
function completeReference(columns: Samples[], meanings: Meaning[], fields: (string | undefined)[]): void {
  const number = fields.indexOf('seller')
  if (fields.includes('external_reference') || number < 0) return
  const isUnique = columns[number]!.cells.length > 1 && fits('external_reference', columns[number]!)
  const seller = fields.findIndex(
    (field, index) =>
      field === undefined &&
      meanings[index]!.candidates[0]?.field === 'seller' &&
      !fits('external_reference', columns[index]!),
  )
  if (!isUnique || seller < 0) return
  fields[number] = 'external_reference'
  fields[seller] = 'seller'
}

/** Proposes a field for each column, by its heading and its cells. */
export function guessFields(columns: Samples[]): Guess[] {
  const meanings = columns.map(({ heading }) => readHeading(heading))
  pairBounds(columns, meanings)
  findMeasures(columns, meanings)
  const found = columns.map(
    (column, index) =>
      meanings[index]!.candidates.find(({ field }) => fits(field, column)) ?? findPictures(column, meanings[index]!),
  )
  const fields = chooseBest(columns, found)
  if (!fields.includes('images'))
    for (const [index, field] of fields.entries()) if (field?.split('.')[0] === 'alt') fields[index] = undefined
  completeTexts(columns, meanings, found, fields)
  completeReference(columns, meanings, fields)
  return fields.map((field, index) => {
    const { isReserve } = meanings[index]!
    // Beside the bounds of an estimate, a third column would be a second estimate.
    if (field === 'estimate' && (fields.includes('estimate.low') || fields.includes('estimate.high')))
      return { field: undefined, isReserve }
    // The name of a session or an auction is also its reference if no other column is.
    const name = field === 'session.title' || field === 'auction.title' ? field.split('.')[0]! : undefined
    return { field: name === undefined || fields.includes(name) ? field : name, isReserve }
  })
}
