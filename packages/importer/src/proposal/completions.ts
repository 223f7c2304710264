import { times, words } from './field-words.ts'
import { without } from './house-words.ts'
import { estimate, minimum, premium, reserve } from './words.ts'

// The words of a pattern that are long enough to be cut: `gewicht` of `\\w*gewicht`.
const stemsOf = ({ source }: RegExp) => source.match(/[a-z]{5,}/g) ?? []

/** The meanings of each word. */
const meanings = new Map<string, Set<string>>()
for (const [meaning, patterns] of [
  ['reserve', [reserve, minimum]],
  ['estimate', [estimate]],
  ['premium', [premium]],
  ['none', without],
  ...[...words, ...times].map(([field, pattern]): [string, RegExp[]] => [field, [pattern]]),
] as [string, RegExp[]][])
  for (const stem of patterns.flatMap(stemsOf)) meanings.set(stem, (meanings.get(stem) ?? new Set()).add(meaning))

const shortest = 4
const longestEnding = 2

/** Whether a token is a cut word (`beschrijv`), or a word with an ending (`descriptions`). */
const areAkin = (token: string, stem: string) =>
  (token.length >= shortest && stem.startsWith(token)) ||
  (token.startsWith(stem) && token.length - stem.length <= longestEnding)

/** Completes cut words and plurals in a text, if all words that they may stand for have one meaning. */
export const complete = (text: string): string =>
  text
    .split(' ')
    .map((token) => {
      const akin = [...meanings].filter(([stem]) => areAkin(token, stem))
      const isClear = [...(akin[0]?.[1] ?? [])].some((meaning) => akin.every(([, each]) => each.has(meaning)))
      return isClear ? akin[0]![0] : token
    })
    .join(' ')
