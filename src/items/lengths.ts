import { fieldError, fieldsOf, type Fields } from '../http/body/validation.ts'
import type { FieldError } from '../problems.ts'
import { isLocale, type Locale } from '../values/locales.ts'
import { byteLength, countCharacters } from '../values/text.ts'
import { textNames, type ItemTexts, type TextName } from './texts.ts'

/** The maximal number of characters of a title in one locale. */
export const titleCharacters = 1_000

/** The maximal number of UTF-8 bytes of all texts of an item, in all locales together. */
export const textBytes = 256 * 1024

/** A text in a body or in a load; '' clears it. `place` identifies where it is stored. */
export type GivenText = { field: string; place: string; name: TextName; text: string }

/** Where a text is stored. A flat text has the place of the default locale's translation. */
export const placeOf = (locale: string, name: TextName) => `${locale} ${name}`

// Most bodies need no measuring: a unit of a string has at most three bytes in UTF-8.
function areShort(given: GivenText[], stored: ReadonlyMap<string, string>): boolean {
  let units = 0
  for (const { name, text } of given) {
    if (name === 'title' && text.length > titleCharacters) return false
    units += text.length
  }
  for (const text of stored.values()) units += text.length
  return 3 * units <= textBytes
}

const sizeOf = (texts: Iterable<string>) => [...texts].reduce((sum, text) => sum + byteLength(text), 0)

/** The texts that are too long, and why. A text no longer than the one `stored` at its place is accepted. */
export function findTooLong(
  given: GivenText[],
  stored: ReadonlyMap<string, string> = new Map(),
): { field: string; problem: string }[] {
  if (areShort(given, stored)) return []
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
