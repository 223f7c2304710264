import { fieldError, fieldsOf, type Fields } from '../http/body/validation.ts'
import type { FieldError } from '../problems.ts'
import { itemTexts, textNames, type TextName } from '../values/item-texts.ts'
import { isLocale, type Locale } from '../values/locales.ts'
import { byteLength, countCharacters } from '../values/text.ts'

export { textNames, type TextName }

/** The names of the texts in which the search looks for words. */
export const searchedTexts = textNames.filter((name) => itemTexts[name].searched)

/** The names of the texts that `--texts` adds to lists as CSV. */
export const exportedTexts = textNames.filter((name) => itemTexts[name].exported)

/** The texts of one locale, or null. */
export type Texts = Record<TextName, string | null>

// The texts in a body: flat ones in the default locale, and translations, which may include the default locale.
type TextChanges = { [Name in TextName]?: string | null } & {
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

/** Whether there is a text. A locale without texts has no row. */
export const hasText = (texts: Texts) => textNames.some((name) => texts[name] !== null)

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

/** The texts after a change. A text that is left out is kept, also inside a translation (section 4.4). */
export function changeTexts(stored: ItemTexts, body: TextChanges, locale: Locale): ItemTexts {
  const { [locale]: inDefault, ...others } = body.translations ?? {}
  const translations = { ...stored.translations }
  for (const [name, given] of Object.entries(others) as [Locale, Partial<Texts>][]) {
    const texts = { ...noTexts, ...translations[name], ...given }
    if (translations[name] || hasText(texts)) translations[name] = texts
  }
  const given: Partial<Texts> = { ...inDefault }
  for (const name of textNames) if (body[name] !== undefined) given[name] = body[name]
  const flat = { ...stored.flat, ...given }
  // The default locale gets a row when a translation is written, or when a flat text first changes.
  const unchanged = textNames.every((name) => flat[name] === stored.flat[name])
  const translates = Object.values(inDefault ?? {}).some((text) => text !== null)
  if (!translations[locale] && (unchanged ? !translates : !hasText(flat))) return { flat, translations }
  return { flat, translations: { ...translations, [locale]: { ...(translations[locale] ?? flat), ...given } } }
}

/** The maximal number of characters of a title in one locale. */
export const titleCharacters = 1_000

/** The maximal number of UTF-8 bytes of all texts of an item, in all locales together. */
export const textBytes = 256 * 1024

/** A text in a body or in a load; '' clears it. `place` identifies where it is stored. */
export type GivenText = { field: string; place: string; name: TextName; text: string }

/** Where a text is stored. A flat text has the place of the default locale's translation. */
export const placeOf = (locale: string, name: TextName) => `${locale} ${name}`

const sizeOf = (texts: Iterable<string>) => [...texts].reduce((sum, text) => sum + byteLength(text), 0)

/** The texts that are too long, and why. A text no longer than the one `stored` at its place is accepted. */
export function findTooLong(
  given: GivenText[],
  stored: ReadonlyMap<string, string> = new Map(),
): { field: string; problem: string }[] {
  const storedAt = (place: string) => stored.get(place) ?? ''
  const found = given
    .filter(({ name, text }) => name === 'title' && countCharacters(text) > titleCharacters)
    .filter(({ place, text }) => countCharacters(text) > countCharacters(storedAt(place)))
    .map(({ field }) => ({ field, problem: `is longer than ${titleCharacters} characters` }))

  // Older systems may give two texts for one place. The longer one counts.
  const changed = new Map<string, GivenText>()
  for (const each of given) {
    const known = changed.get(each.place)
    if (!known || byteLength(each.text) > byteLength(known.text)) changed.set(each.place, each)
  }
  const kept = [...stored].filter(([place]) => !changed.has(place)).map(([, text]) => text)
  let sum = sizeOf(kept)
  const size = sum + sizeOf(Array.from(changed.values(), ({ text }) => text))
  if (size <= textBytes || size <= sizeOf(stored.values())) return found
  // Names the text that exceeds the bound, counted after the texts that stay; otherwise the last one that grows.
  let beyond = ''
  for (const { field, place, text } of changed.values()) {
    sum += byteLength(text)
    if (byteLength(text) <= byteLength(storedAt(place))) continue
    beyond = field
    if (sum > textBytes) break
  }
  if (found.some(({ field }) => field === beyond)) return found
  return [...found, { field: beyond, problem: `brings the texts of the item beyond ${textBytes} bytes` }]
}

// The body may have any shape. Unknown locales are refused elsewhere.
function* givenTexts(body: Fields, locale: Locale): Generator<GivenText> {
  const holders: [path: string, locale: string, texts: Fields][] = [['', locale, body]]
  for (const [each, texts] of Object.entries(fieldsOf(body.translations)))
    if (isLocale(each)) holders.push([`translations.${each}.`, each, fieldsOf(texts)])
  for (const [path, each, texts] of holders) {
    for (const name of textNames) {
      const text = texts[name]
      if (typeof text === 'string' || text === null)
        yield { field: path + name, place: placeOf(each, name), name, text: text ?? '' }
    }
  }
}

function storedTexts({ flat, translations }: ItemTexts, locale: Locale): Map<string, string> {
  const texts = new Map(textNames.map((name) => [placeOf(locale, name), flat[name] ?? '']))
  for (const [each, translation] of Object.entries(translations)) {
    for (const name of textNames) {
      const text = translation[name] ?? ''
      const place = placeOf(each, name)
      // Older rows may have two different texts. The longer one counts.
      if (byteLength(text) >= byteLength(texts.get(place) ?? '')) texts.set(place, text)
    }
  }
  return texts
}

/** Checks the lengths of the texts in a body of any shape. `stored` are the item's present texts. */
export function checkLengths(body: Fields, locale: Locale, stored?: ItemTexts): FieldError[] {
  const tooLong = findTooLong([...givenTexts(body, locale)], stored && storedTexts(stored, locale))
  return tooLong.map(({ field, problem }) => fieldError(field, 'too_long', problem))
}
