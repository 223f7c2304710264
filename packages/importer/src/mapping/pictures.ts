import { locales } from '@auction-catalogue/client'
import { Misfit } from '../misfit.ts'
import { compact, type FieldError, type Place, type Records, type SourceRecord } from '../records.ts'
import type { Fields } from './fields.ts'
import type { Mapping } from './mapping.ts'

type Text = string | null

const split = (text: string, sign: string) => text.split(sign).map((part) => part.trim())

const withoutPicture = () => new Misfit('is a text, and the row names no picture for it')

/** Divides the text of a cell among pictures. Texts may have commas: where these separate names, lines separate texts. */
function divide(text: string, count: number, list: string): Text[] {
  if (text === '') return Array.from({ length: count }, () => null)
  if (count === 0) throw withoutPicture()
  if (count === 1) return [text]
  const parts = split(text, list === ',' ? '\n' : list)
  if (parts.length === count) return parts.map((part) => part || null)
  const sign = list === ',' ? 'a line for each' : `texts with "${list}" between them`
  throw new Misfit(`has ${parts.length} of the ${count} texts that the row's pictures need: write ${sign}`)
}

/**
 * The texts of a row's pictures in one language, in the order of the pictures; undefined if no column is mapped. A column
 * belongs to the column of pictures with its number, or all texts stand in one cell, or each has a column of its own.
 */
function readTexts(cells: Fields, field: string, groups: string[][], list: string): Text[] | undefined {
  if (!cells.isMapped(field)) return undefined
  const texts = cells.cells(field)
  const count = groups.flat().length
  if (texts.length === groups.length) return groups.flatMap((names, at) => divide(texts[at]!, names.length, list))
  if (texts.length === 1) return divide(texts[0]!, count, list)
  if (texts.slice(count).some((text) => text !== '')) throw withoutPicture()
  return texts.slice(0, count).map((text) => text || null)
}

/**
 * The pictures of a row, with the texts that say what they show. Behind those that cells name come those in cells: `placed`
 * are their files, and `reference` is that of the item.
 */
export function readPictures(
  cells: Fields,
  { list, pictures }: Mapping,
  place: Place,
  item: string,
  { placed, reference }: { placed: string[]; reference: string },
): SourceRecord[] {
  const groups = cells.cells('images').map((text) => split(text, list).filter((name) => name !== ''))
  const errors: FieldError[] = []
  const textsIn = (field: string, target: string) => {
    const taken = cells.attempt(field, target, cells.text(field) ?? '', () => readTexts(cells, field, groups, list))
    errors.push(...cells.errors.splice(0))
    return Array.isArray(taken) ? taken : undefined
  }
  const alts = textsIn('alt', 'alt')
  const translations = locales.flatMap((locale) => {
    const texts = textsIn(`alt.${locale}`, `alt_translations.${locale}`)
    return texts ? [{ locale, texts }] : []
  })
  const cellOf = (target: string) => cells.cellOf(target.replace(/^alt_translations\./, 'alt.'))
  // A text without a picture is refused as the picture that it describes.
  const refused: SourceRecord[] =
    groups.flat().length === 0 && errors.length > 0 ? [{ place, record: { type: 'image', item }, errors, cellOf }] : []
  const count = groups.flat().length
  const inCells = placed.map((file, index): SourceRecord => {
    const external_reference = `${reference}-${index + 1}`
    const record: Records['image'] = {
      type: 'image',
      item,
      external_reference,
      file,
      public: true,
      position: count + index,
    }
    return { place, record, errors: [] }
  })
  const named = groups.flat().map((name, index): SourceRecord => {
    const record: Records['image'] = compact({
      type: 'image',
      item,
      external_reference: name.replace(/\.[^./\\]+$/, ''),
      file: `${pictures}/${name.replaceAll('\\', '/')}`.replace(/^\.\//, ''),
      public: true,
      position: index,
      alt: alts && (alts[index] ?? null),
      alt_translations:
        translations.length > 0
          ? Object.fromEntries(translations.map(({ locale, texts }) => [locale, texts[index] ?? null]))
          : undefined,
    })
    const cellOfPicture = (target: string) =>
      target.startsWith('alt') ? cellOf(target) : { ...cells.cellOf('images'), value: name }
    return { place, record, errors, cellOf: cellOfPicture }
  })
  return [...refused, ...named, ...inCells]
}
