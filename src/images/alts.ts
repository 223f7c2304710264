import { fieldError, fieldsOf, type Fields } from '../http/body/validation.ts'
import type { FieldError } from '../problems.ts'
import type { Locale } from '../values/locales.ts'
import type { Values } from '../writes/journal.ts'

/** What a picture shows, by locale. The flat `alt` is the text of the default locale. */
export type Alts = Partial<Record<Locale, string>>

/** The maximal number of characters of a text in one locale. */
export const altCharacters = 1_000

/** The texts of a body: a text that is left out is kept, and null clears one. */
export type AltChange = { alt?: string | null; alt_translations?: Partial<Record<Locale, string | null>> }

/** `alt` and the default locale's translation are one text. A body that gives both must give the same. */
export function checkAlts({ alt, alt_translations }: Fields, locale: Locale): FieldError[] {
  const translation = fieldsOf(alt_translations)[locale]
  if (alt === undefined || translation === undefined || alt === translation) return []
  return [fieldError('alt', 'invalid', "differs from the default locale's translation")]
}

/** The texts after a change. */
export function changeAlts(stored: Alts, { alt, alt_translations }: AltChange, locale: Locale): Alts {
  const texts = { ...stored, ...alt_translations, ...(alt !== undefined && { [locale]: alt }) }
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null))
}

/** The texts as fields of the journal. */
export function listAlts(alts: Alts, locale: Locale): Values {
  const named = Object.entries(alts).map(([each, text]) => [each === locale ? 'alt' : `alt_translations.${each}`, text])
  return Object.fromEntries(named) as Values
}
