import { isSpaceless, longestWord } from './letters.ts'

/** Whether a folded word may be corrected: at least four letters, no digit, of a script with spaces. */
export function isCorrectable(word: string): boolean {
  return word.length >= 4 && hasOnlyLetters(word)
}

// Letters beyond the basic plane would be cut in halves.
function hasOnlyLetters(word: string): boolean {
  return word.length <= longestWord && /^[^\P{L}\u{10000}-\u{10FFFF}]+$/u.test(word) && !isSpaceless.test(word)
}

/**
 * The keys by which a word of the house is found as a correction: its length and its two halves or, from six letters on,
 * its three thirds with their places. Of a word with one edit a half is unchanged, of one with two a third. Empty for a word
 * that is not corrected to: fewer than three letters or more than 40, digits, Chinese.
 */
export function correctionKeys(word: string): string[] {
  if (word.length < 3 || !hasOnlyLetters(word)) return []
  return segments(word.length).map(({ place, from, to }) => `${word.length}.${place}${word.slice(from, to)}`)
}

/** The keys of which a correction of the query's folded word has at least one. Few of the words with such a key are one. */
export function correctionLookups(word: string): string[] {
  if (!isCorrectable(word)) return []
  const edits = editsAllowed(word)
  const keys = new Set<string>()
  for (let length = Math.max(3, word.length - edits); length <= word.length + edits; length++) {
    const parts = segments(length)
    const longer = word.length - length
    for (const { place, from, to } of parts) {
      const after = parts.length - 1 - place
      const add = (letters: string, at: number) => keys.add(`${length}.${place}${letters.slice(at, at + to - from)}`)
      // An earlier edit moves a part by one, and so does a later one, seen from the end.
      const first = Math.max(0, from - place, from + longer - after)
      const last = Math.min(word.length - (to - from), from + place, from + longer + after)
      for (let at = first; at <= last; at++) add(word, at)
      // A swap of neighbours across the border of two parts changes both, so the letters are swapped back.
      if (after > 0 && Math.abs(longer) < edits)
        for (let at = Math.max(0, from - edits + 1); at < from + edits; at++) {
          const end = at + to - from
          if (end < word.length) add(swap(word, end - 1), at)
        }
    }
  }
  return [...keys]
}

/**
 * The edits between a query's folded word and a word of the house: a letter more, less, or another, or two neighbours
 * swapped. Undefined if they are too many, or none: one is allowed in four to seven letters, two from eight on.
 */
export function correctionDistance(word: string, candidate: string): 1 | 2 | undefined {
  if (word.length > longestWord || candidate.length > longestWord) return undefined
  const allowed = editsAllowed(word)
  const distance = countEdits(word, candidate, allowed)
  if (distance === 0 || distance > allowed) return undefined
  return isCorrectable(word) && hasOnlyLetters(candidate) ? (distance as 1 | 2) : undefined
}

function editsAllowed(word: string): 1 | 2 {
  return word.length < 8 ? 1 : 2
}

function swap(word: string, at: number): string {
  return word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2)
}

function segments(length: number): { place: number; from: number; to: number }[] {
  const count = length < 6 ? 2 : 3
  return Array.from({ length: count }, (_, place) => ({
    place,
    from: Math.floor((length * place) / count),
    to: Math.floor((length * (place + 1)) / count),
  }))
}

const emptyRow = () => new Uint8Array(longestWord + 1)
const rows = [emptyRow(), emptyRow(), emptyRow()] as const

// Optimal string alignment, in the band that the allowed edits leave. One more than the most if they do not suffice.
function countEdits(one: string, other: string, most: 1 | 2): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let [before, last, current] = rows
  for (let at = 0; at <= other.length; at++) last[at] = at
  for (let row = 1; row <= one.length; row++) {
    const letter = one.charCodeAt(row - 1)
    const from = Math.max(1, row - most)
    const to = Math.min(other.length, row + most)
    current[from - 1] = from === 1 ? row : most + 1
    let least = current[from - 1]!
    for (let at = from; at <= to; at++) {
      const compared = other.charCodeAt(at - 1)
      let edits = last[at - 1]! + (letter === compared ? 0 : 1)
      if (at < row + most && last[at]! + 1 < edits) edits = last[at]! + 1
      if (current[at - 1]! + 1 < edits) edits = current[at - 1]! + 1
      if (row > 1 && at > 1 && letter === other.charCodeAt(at - 2) && one.charCodeAt(row - 2) === compared)
        edits = Math.min(edits, before[at - 2]! + 1)
      current[at] = edits
      if (edits < least) least = edits
    }
    if (least > most) return most + 1
    const free = before
    before = last
    last = current
    current = free
  }
  return last[other.length]!
}
