import type { Picture, SubjectName } from '../drawings/compose.ts'

/** The same words in the house's three languages. */
export type Text = readonly [nl: string, en: string, de: string]

export interface Piece {
  readonly ref: string
  readonly title: Text
  readonly description: Text
  readonly condition: Text
  readonly size: Text
  readonly weight?: Text
  /** Whole euros. */
  readonly estimate: readonly [low: number, high: number]
  /** Slugs of categories. */
  readonly categories: readonly string[]
  /** Refs of makers, the chief one first. */
  readonly makers?: readonly string[]
  readonly delivery: 'collect' | 'parcel' | 'fragile' | 'courier'
  readonly picture: Picture
  readonly views: 1 | 2
}

const number = (value: number): Text => {
  const [point, comma] = [String(value), String(value).replace('.', ',')]
  return [comma, point, comma]
}

function measure(values: readonly (number | undefined)[], names: readonly Text[], tail: Text): Text {
  const part = (language: 0 | 1 | 2) =>
    values
      .flatMap((value, at) => (value === undefined ? [] : `${names[at]?.[language] ?? ''}${number(value)[language]}`))
      .join(' × ') + tail[language]
  return [part(0), part(1), part(2)]
}

const unnamed: Text = ['', '', '']
const edges: readonly Text[] = [
  ['h. ', 'H ', 'H '],
  ['b. ', 'W ', 'B '],
  ['d. ', 'D ', 'T '],
]

/** Height and width of something flat, as seen within its frame; centimetres. */
export const sight = (h: number, w: number) =>
  measure([h, w], [unnamed, unnamed], [' cm (dagmaat)', ' cm (sight size)', ' cm (Lichtmaß)'])

/** Height and width of a sheet or a canvas without a frame; centimetres. */
export const sheet = (h: number, w: number) => measure([h, w], [unnamed, unnamed], [' cm', ' cm', ' cm'])

/** Height, width and depth; centimetres. */
export const solid = (h: number, w?: number, d?: number) => measure([h, w, d], edges, [' cm', ' cm', ' cm'])

/** Diameter and, if it matters, height; centimetres. */
export const across = (diameter: number, h?: number) =>
  measure(
    [diameter, h],
    [
      ['Ø ', 'Diam. ', 'Ø '],
      ['h. ', 'H ', 'H '],
    ],
    [' cm', ' cm', ' cm'],
  )

/** Length; centimetres. */
export const long = (length: number) => measure([length], [['l. ', 'L ', 'L ']], [' cm', ' cm', ' cm'])

/** Weight in grams, as silver and jewels are sold. */
export const grams = (weight: number): Text => {
  const [nl, en, de] = number(weight)
  return [`${nl} gram`, `${en} g`, `${de} g`]
}

export const picture = (subject: SubjectName, ...colours: string[]): Picture => ({ subject, colours })
