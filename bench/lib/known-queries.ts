import { type KnownItem, type Source } from './known-items.ts'
import { fold, split } from './sqlite-engine.ts'

/** What a query does to the words of its record. */
export const queryKinds = [
  'as they are',
  'words that others have too',
  'without accents',
  'misspelt, five letters and more',
  'misspelt, four letters',
  'another form',
  'a beginning',
  'a part of a compound',
  'with an absent word',
] as const

/** One of the kinds. */
export type QueryKind = (typeof queryKinds)[number]

/** A query, the name of the record that it is to find, and the changed word. */
export type KnownQuery = { q: string; name: string; changed: string }

const hasCharacters = (text: string) => /\p{Script=Han}/u.test(text)

/** Random numbers below a number, the same for the same seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** The words of all texts of a source, in lower case. */
export const usedWords = ({ items }: Source): Set<string> =>
  new Set(
    items.flatMap(({ title, maker, description }) =>
      `${title} ${maker} ${description}`.toLowerCase().match(/[\p{L}\p{M}]+/gu)!,
    ),
  )

function wordsOf({ title, maker }: KnownItem): string[] {
  const text = `${title} ${maker}`
  if (hasCharacters(text)) return [...text.matchAll(/\p{Script=Han}{2,4}/gu)].map(([word]) => word)
  return [...new Map([...text.matchAll(/[\p{L}\p{M}]{3,}/gu)].map(([word]) => [fold(word), word])).values()]
}

/**
 * At most `count` different queries of a kind from the records of a source: one to three of the words of a title and its
 * maker, that no other name has together, or two to ten names. `forms`: other forms of a word. The same for the same seed.
 */
export function makeQueries(
  { items, locale }: Source,
  kind: QueryKind,
  { seed, count, forms }: { seed: number; count: number; forms: ReadonlyMap<string, readonly string[]> },
): KnownQuery[] {
  const random = createRandom(seed)
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!
  const namesOf = new Map<string, Set<string>>()
  for (const item of items)
    for (const word of wordsOf(item)) {
      const key = fold(word)
      const names = namesOf.get(key)
      if (names) names.add(item.name)
      else namesOf.set(key, new Set([item.name]))
    }
  const sorted = [...namesOf.keys()].toSorted()
  const beginningWith = (beginning: string) => {
    const words = sorted.filter((word) => word.startsWith(beginning))
    return new Set(words.flatMap((word) => [...namesOf.get(word)!]))
  }
  const isCommon = (word: string) => (namesOf.get(word)?.size ?? 0) >= 3
  const partsOf = (word: string) => {
    if (locale !== 'nl' && locale !== 'de') return []
    const key = fold(word)
    return Array.from({ length: Math.max(0, key.length - 7) }, (_, at) => [key.slice(0, at + 4), key.slice(at + 4)])
      .filter((parts) => parts.every(isCommon))
      .flat()
  }
  const change: Record<QueryKind, (word: string) => string | undefined> = {
    'as they are': (word) => word,
    'words that others have too': (word) => word,
    'without accents': (word) => (fold(word) === word.toLowerCase() ? undefined : fold(word)),
    'misspelt, five letters and more': (word) => (word.length > 4 ? misspell(word, random) : undefined),
    'misspelt, four letters': (word) => (word.length === 4 ? misspell(word, random) : undefined),
    'another form': (word) => {
      const others = (forms.get(word.toLowerCase()) ?? []).filter((form) => fold(form) !== fold(word))
      return others.length > 0 ? pick(others) : undefined
    },
    'a beginning': (word) => (word.length > 4 ? word.slice(0, 4 + random(word.length - 4)) : undefined),
    'a part of a compound': (word) => {
      const parts = partsOf(word)
      return parts.length > 0 ? pick(parts) : undefined
    },
    'with an absent word': (word) => (absent.length > 0 ? `${pick(absent)} ${word}` : undefined),
  }
  const used = new Set(items.flatMap(({ title, maker, description }) => split(`${title} ${maker} ${description}`)))
  // Without a form in the texts: it would be found rightly.
  const absent = [...forms].flatMap(([word, others]) =>
    word.length > 3 && others.length === 0 && !used.has(fold(word)) ? [word] : [],
  )
  // Which names the changed word may also mean: all that begin so, or else those with the word itself.
  const meant = (word: string, changed: string) =>
    kind === 'a beginning' ? beginningWith(fold(changed)) : (namesOf.get(fold(word)) ?? new Set<string>())

  const isShared = kind === 'words that others have too'
  const isAsWritten = isShared || kind === 'as they are'
  const queries: KnownQuery[] = []
  const asked = new Set<string>()
  for (let tries = 0; tries < 40 * count && queries.length < count; tries++) {
    const item = pick(items)
    const words = wordsOf(item)
    const eligible = words.flatMap((word) => {
      const changed = hasCharacters(word) && !isAsWritten ? undefined : change[kind](word)
      return changed === undefined ? [] : [{ word, changed }]
    })
    if (eligible.length === 0) continue
    const { word, changed } = pick(eligible)
    const chosen = [changed]
    let left = meant(word, changed)
    // A part is frequent, so the words beside it do the telling.
    if (kind === 'a part of a compound') left = new Set(items.map(({ name }) => name))
    const rest = words.filter((each) => each !== word)
    const [fewest, most] = isShared ? [2, 2 + random(9)] : [0, 1]
    while (left.size > most && chosen.length < 3 && rest.length > 0) {
      const [next] = rest.splice(random(rest.length), 1) as [string]
      const names = namesOf.get(fold(next))!
      left = new Set([...left].filter((name) => names.has(name)))
      chosen.unshift(next)
    }
    const q = chosen.join(' ') + (kind === 'a beginning' ? '' : ' ')
    if (left.size < fewest || left.size > most || asked.has(q)) continue
    asked.add(q)
    queries.push({ q, name: item.name, changed })
  }
  return queries
}

function misspell(word: string, random: (below: number) => number): string | undefined {
  const at = random(word.length)
  const letter = String.fromCharCode(97 + random(26))
  const changed = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + letter + word.slice(at + 1),
    word.slice(0, at) + word.slice(at + 1, at + 2) + word.slice(at, at + 1) + word.slice(at + 2),
  ][random(4)]!
  return fold(changed) === fold(word) || changed.length < 4 ? undefined : changed
}
