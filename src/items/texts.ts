import { fieldError, fieldsOf, type Fields } from '../http/body/validation.ts'
import type { FieldError } from '../problems.ts'
import type { Locale } from '../values/locales.ts'

/** The names of an item's texts in one locale, in the order of all lists of them. Each is a column. */
export const textNames = ['title', 'description', 'condition', 'dimensions', 'weight'] as const

/** The name of a text. */
export type TextName = (typeof textNames)[number]

/** The texts of one locale, or null. */
export type Texts = Record<TextName, string | null>

/** The texts in a body: flat ones in the default locale, and translations, which may include the default locale. */
export type TextChanges = { [Name in TextName]?: string | null } & {
  translations?: { [L in Locale]?: { [Name in TextName]?: string | null } }
}

/** All texts of an item: the flat ones, and every stored translation. */
export type ItemTexts = { flat: Texts; translations: Partial<Record<Locale, Texts>> }

/** An object with the same value for each text. */
export function forTexts<Value>(value: Value): Record<TextName, Value> {
  return Object.fromEntries(textNames.map((name) => [name, value])) as Record<TextName, Value>
}

/** No text at all. */
export const noTexts: Texts = forTexts(null)

const isText = (value: unknown) => typeof value === 'string' || value === null

/**
 * Flat texts and the default locale's translation are the same texts. A body that gives both must give the same.
 * The body may have any shape.
 */
export function checkTexts(body: Fields, locale: Locale, nullCode: 'wrong_type' | 'not_clearable'): FieldError[] {
  const translated = fieldsOf(fieldsOf(body.translations)[locale])
  const errors = textNames
    .filter((name) => isText(body[name]) && isText(translated[name]) && body[name] !== translated[name])
    .map((name) =>
      fieldError(
        name,
        name === 'title' ? 'title_mismatch' : 'invalid',
        "differs from the default locale's translation",
      ),
    )
  if (translated.title === null) errors.push(fieldError(`translations.${locale}.title`, nullCode))
  return errors
}

const isEmpty = (texts: Texts) => textNames.every((name) => texts[name] === null)

/** The texts after a change. A text that is left out is kept, also inside a translation (section 4.4). */
export function changeTexts(stored: ItemTexts, body: TextChanges, locale: Locale): ItemTexts {
  const { [locale]: inDefault, ...others } = body.translations ?? {}
  const translations = { ...stored.translations }
  for (const [name, given] of Object.entries(others) as [Locale, Partial<Texts>][]) {
    const texts = { ...noTexts, ...translations[name], ...given }
    if (translations[name] || !isEmpty(texts)) translations[name] = texts
  }
  const given: Partial<Texts> = { ...inDefault }
  for (const name of textNames) if (body[name] !== undefined) given[name] = body[name]
  const flat = { ...stored.flat, ...given }
  // The default locale gets a row when a translation is written, or when a flat text first changes.
  const unchanged = textNames.every((name) => flat[name] === stored.flat[name])
  const translates = Object.values(inDefault ?? {}).some((text) => text !== null)
  if (!translations[locale] && (unchanged ? !translates : isEmpty(flat))) return { flat, translations }
  return { flat, translations: { ...translations, [locale]: { ...(translations[locale] ?? flat), ...given } } }
}
