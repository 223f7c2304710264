import type { Row } from '../source/cells.ts'
import { joinHeadings, pairHeadings, type HeadingPair } from '../source/headings.ts'
import { isValue } from './values.ts'
import { isGeneral, isHeading, isLanguage, isSubheading, readHeading } from './vocabulary.ts'

// The one or two rows of headings, another that may be the second, and how many of the headings are known. `isData`: the
// first rows have none.
type HeadingRows = { rows: Row[]; doubtful?: Row; isData?: true; known: number }

const filled = ({ cells }: Row) => cells.map((cell) => String(cell ?? '').trim()).filter((text) => text !== '')

const countHeadings = (row: Row) => filled(row).filter((text) => !isValue(text) && isHeading(text)).length

const leadsTo = (heading: string) => readHeading(heading).candidates[0]?.field ?? ''
const tells = (heading: string) => leadsTo(heading) !== '' || readHeading(heading).isReserve

/** Whether both headings together say more than the lower one. */
function saysMore(pair: HeadingPair): boolean {
  const both = joinHeadings(pair)
  if (pair.upper === '' || pair.lower === '' || !tells(both)) return false
  if (isSubheading(pair.lower) || !isHeading(pair.lower)) return true
  // `Titel` below `English` is the same field in another language.
  return leadsTo(both).startsWith(`${leadsTo(pair.lower)}.`) && isLanguage(pair.upper)
}

// A seller also has a title and a number.
const ofAnything = ['title', 'external_reference', 'lot_number']

/** Whether the lower heading has a field that the upper one hides: `Gewicht` below `Maten` is dimensions with it. */
function saysOther(pair: HeadingPair): boolean {
  const { upper, lower } = pair
  const field = leadsTo(lower)
  if (field === '' || ofAnything.includes(field) || isGeneral(lower) || isSubheading(lower)) return false
  return leadsTo(upper) !== '' && field !== leadsTo(upper) && leadsTo(joinHeadings(pair)) === leadsTo(upper)
}

/** Whether both headings have the same field: `Ancho` below `Medidas`. */
const saysSame = ({ upper, lower }: HeadingPair) => leadsTo(lower) !== '' && leadsTo(lower) === leadsTo(upper)

/** Names columns by both headings if they say more than the lower one. */
export function nameByMeaning(pairs: HeadingPair[]): string[] {
  let isReaching = true
  return pairs.map((pair) => {
    const { upper, lower, reach } = pair
    if (reach !== 'loose') isReaching = true
    if (upper === '' || lower === '') return lower || (reach === 'own' ? upper : '')
    if (saysOther(pair)) {
      isReaching &&= reach !== 'loose'
      return lower
    }
    const both = joinHeadings(pair)
    const isOf =
      reach === 'loose' ? saysMore(pair) || isGeneral(lower) || saysSame(pair) : tells(both) || !isHeading(lower)
    // A column that does not belong to the upper heading ends its reach.
    isReaching &&= reach !== 'loose' || isOf
    return isReaching && (isOf || !isHeading(lower)) ? both : lower
  })
}

const toShape = (text: string) => text.replaceAll(/\d+/g, '9').replaceAll(/\p{L}+/gu, 'a')

/** Whether a row has what a row below has in its place: the same text, or one of the same shape such as `V-1` and `V-2`. */
const isLikeBelow = (row: Row, below: Row[]) =>
  row.cells.some((cell, index) => {
    const text = String(cell ?? '').trim()
    const others = below.map(({ cells }) => String(cells[index] ?? '').trim())
    return (
      text !== '' && others.some((other) => other === text || (/\d/.test(text) && toShape(other) === toShape(text)))
    )
  })

/**
 * Whether two rows are headings together: most words of the lower one are headings, and some need the upper one. What a row
 * of data can look like is no heading. Undefined if that is doubtful.
 */
function arePaired(upper: Row, lower: Row, below: Row[]): boolean | undefined {
  const words = filled(lower)
  const breaks = upper.cells.map((cell) => String(cell ?? '').split('\n').length - 1)
  if (lower.line - upper.line > 1 + breaks.reduce((sum, each) => sum + each, 0)) return false
  if (words.some((word) => isValue(word) || word.length > 40) || isLikeBelow(lower, below)) return false
  const known = words.filter((word) => isSubheading(word) || isHeading(word)).length
  const pairs = pairHeadings(upper, lower)
  // A cell that is merged over most columns is a title.
  const isTitle = upper.merged?.some(({ first, last }) => last - first >= pairs.length / 2)
  const isLikely =
    !isTitle &&
    known >= words.length * 0.6 &&
    pairs.some((pair) => (isSubheading(pair.lower) || pair.reach !== 'loose') && saysMore(pair))
  return isLikely && known < words.length ? undefined : isLikely
}

/** Finds the headings in the first rows of a sheet. */
export function findHeadings(top: Row[]): HeadingRows {
  const rows = top.map((row) => ({ row, width: filled(row).length, known: countHeadings(row) }))
  const widest = Math.max(0, ...rows.map(({ width }) => width))
  const [best] = rows.toSorted((a, b) => b.known - a.known)
  if (best === undefined || best.known < 2 || best.known < best.width / 3) {
    // A title fills one or two cells, headings fill a whole row.
    const row = rows.find(({ width }) => width >= widest / 2)?.row
    if (row && filled(row).some(isValue) && isLikeBelow(row, top.slice(top.indexOf(row) + 1)))
      return { rows: [row], isData: true, known: 0 }
    return { rows: row ? [row] : [], known: 0 }
  }
  const at = top.indexOf(best.row)
  const { known } = best
  // Where two exports stand one behind the other, the headings come again.
  const isAgain = (row: Row) => row !== best.row && filled(row).join('\n') === filled(best.row).join('\n')
  const end = top.findIndex(isAgain)
  const pairs = [at, at - 1].flatMap((index) => {
    const [upper, lower] = [top[index], top[index + 1]]
    const paired = upper && lower ? arePaired(upper, lower, top.slice(index + 2, end < 0 ? undefined : end)) : false
    return paired === false ? [] : [{ rows: [upper!, lower!], isDoubtful: paired === undefined }]
  })
  const [pair] = pairs.toSorted((a, b) => Number(a.isDoubtful) - Number(b.isDoubtful))
  if (pair === undefined) return { rows: [best.row], known }
  return pair.isDoubtful ? { rows: [pair.rows[0]!], doubtful: pair.rows[1]!, known } : { rows: pair.rows, known }
}
