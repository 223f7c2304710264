import { compoundOf, compoundParts } from '../../src/search/words/compounds.ts'
import { correctionDistance, correctionKeys, correctionLookups } from '../../src/search/words/corrections.ts'
import { correctedWord, readQuery, type QueryWord } from '../../src/search/words/query.ts'
import { readText } from '../../src/search/words/words.ts'
import { type Source } from './known-items.ts'

type Weights = Map<string, number>

const mostBeginnings = 100
const mostCompounds = 50
const mostCorrections = 3
const classWeights = { exact: 1, forms: 0.8, parts: 0.5 }

/**
 * The words of `src/search/words` alone: an index in memory that takes a query as the contract says (as written, corrected,
 * with words left out). It knows neither filters nor phrases.
 */
export function openWordsEngine({ items, locale }: Source) {
  const postings = new Map<string, Weights>()
  const exactKeys = new Set<string>()
  for (const { id, title, maker, description } of items)
    for (const [text, language, weight] of [
      [title, locale, 4],
      [maker, null, 4],
      [description, locale, 1],
    ] as const)
      for (const { exact, forms } of readText(text, language)) {
        for (const key of exact) exactKeys.add(key)
        for (const key of [...exact, ...forms]) {
          const records = postings.get(key) ?? new Map<string, number>()
          records.set(id, Math.max(records.get(id) ?? 0, weight))
          postings.set(key, records)
        }
      }
  const sorted = [...postings.keys()].toSorted()
  const reverse = (text: string) => text.split('').toReversed().join('')
  const bare = (key: string) => key.slice(key.indexOf('/') + 1)
  const reversed = sorted.map((key) => [reverse(bare(key)), key] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const corrections = Map.groupBy(
    [...exactKeys].flatMap((word) => correctionKeys(word).map((key) => ({ key, word }))),
    ({ key }) => key,
  )
  const countOf = (key: string) => postings.get(key)?.size ?? 0

  function* beginningWith<T>(list: readonly T[], keyOf: (each: T) => string, beginning: string): Generator<T> {
    let low = 0
    for (let high = list.length; low < high;) {
      const middle = (low + high) >>> 1
      if (keyOf(list[middle]!) < beginning) low = middle + 1
      else high = middle
    }
    for (let at = low; at < list.length && keyOf(list[at]!).startsWith(beginning); at++) yield list[at]!
  }

  function findCompounds(word: QueryWord): string[] {
    const found = compoundParts(word).flatMap((part) => {
      const ends = [...beginningWith(reversed, ([key]) => key, reverse(bare(part)))].map(([, key]) => key)
      const candidates = [...beginningWith(sorted, (key) => key, part), ...ends]
      return candidates.flatMap((candidate) => {
        const isSameClass =
          candidate.split('/')[1] === undefined ? !part.includes('/') : candidate.startsWith(part.slice(0, 3))
        const compound =
          isSameClass && candidate.includes('/') === part.includes('/') ? compoundOf(candidate, part) : undefined
        return compound?.rests.some((rest) => postings.has(rest)) === true ? [compound.key] : []
      })
    })
    return [...new Set(found)].toSorted((a, b) => countOf(b) - countOf(a)).slice(0, mostCompounds)
  }

  function match(word: QueryWord): Weights {
    const beginnings = word.beginnings
      .flatMap((beginning) => [...beginningWith(sorted, (key) => key, beginning)].filter((key) => !key.includes('/')))
      .toSorted((a, b) => countOf(b) - countOf(a))
    const found: Weights = new Map()
    const add = (keys: readonly string[], weight: number) => {
      for (const key of keys)
        for (const [id, field] of postings.get(key) ?? [])
          found.set(
            id,
            Math.max(found.get(id) ?? 0, weight * Math.sqrt(field) * Math.log(1 + items.length / countOf(key))),
          )
    }
    add([...word.exact, ...word.joined], classWeights.exact)
    add(word.forms, classWeights.forms)
    add([...findCompounds(word), ...beginnings.slice(0, mostBeginnings)], classWeights.parts)
    return found
  }

  function correct(word: QueryWord): Weights {
    const written = word.exact[0]!
    const candidates = new Set(
      correctionLookups(written).flatMap((key) => corrections.get(key)?.map((each) => each.word) ?? []),
    )
    const near = [...candidates].flatMap((candidate) => {
      const distance = correctionDistance(written, candidate)
      return distance === undefined ? [] : [{ candidate, distance }]
    })
    near.sort((a, b) => a.distance - b.distance || countOf(b.candidate) - countOf(a.candidate))
    const found: Weights = new Map()
    for (const { candidate } of near.slice(0, mostCorrections))
      for (const [id, weight] of match(correctedWord(candidate)))
        found.set(id, Math.max(found.get(id) ?? 0, weight / 2))
    return found
  }

  const both = (words: readonly Weights[]): Weights => {
    const [first = new Map<string, number>(), ...others] = words
    const all = [...first].filter(([id]) => others.every((other) => other.has(id)))
    return new Map(all.map(([id, weight]) => [id, others.reduce((sum, other) => sum + other.get(id)!, weight)]))
  }

  return {
    name: 'the words in memory',
    search(q: string): string[] {
      const query = readQuery(q)
      if (typeof query === 'string') return []
      let words = query.words.map((word) => match(word))
      let found = both(words)
      if (found.size === 0) {
        words = words.map((matches, at) => (matches.size === 0 ? correct(query.words[at]!) : matches))
        found = both(words)
      }
      if (found.size === 0) {
        const known = words.filter(({ size }) => size > 0).toSorted((a, b) => a.size - b.size)
        for (let kept = known.length; found.size === 0 && 2 * kept >= words.length && kept > 0; kept--)
          found = both(known.slice(0, kept))
      }
      return [...found]
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, 100)
        .map(([id]) => id)
    },
  }
}
