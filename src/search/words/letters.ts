import { createHash } from 'node:crypto'

/** Words of more letters are kept as their first 40 letters and a hash. They are found, but never corrected to. */
export const longestWord = 40

const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
}
const writtenOut: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** Same letters, same form: full width, ligatures, decomposed accents, apostrophes and hyphens of all kinds. */
export function normalize(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase()
  return (
    text
      // Otherwise 10½ would be 101 and 2.
      .replaceAll(/[\u00BC-\u00BE\u2150-\u215F]/g, ' $& ')
      .replaceAll('´', "'")
      .replaceAll(/[\u00AD\u2060\uFEFF]|\u200C|\u200D/g, '')
      .normalize('NFKC')
      .replaceAll(/[‘’‛ʹʻʼ`′]/g, "'")
      .replaceAll('\u2010', '-')
      .toLowerCase()
  )
}

function fold(word: string): string {
  const bare = word.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return bare.replaceAll(/[ßæœøłđðþħŧı]/g, (letter) => plainLetters[letter]!).normalize('NFKC') || word
}

function shorten(word: string): string {
  if (word.length <= longestWord) return word
  const letters = Array.from(word)
  if (letters.length <= longestWord) return word
  const hash = createHash('sha256').update(word).digest('base64url').slice(0, 16)
  return `${letters.slice(0, longestWord).join('')}#${hash}`
}

/**
 * The exact keys of a normalized word: without accents, and a second one where a letter may also be written out (`müller`:
 * `muller`, `mueller`).
 */
export function foldWord(word: string): string[] {
  if (!/[^\0-\x7f]/.test(word)) return [shorten(word)]
  const plain = shorten(fold(word))
  if (!/[äöüøå]/.test(word)) return [plain]
  return [plain, shorten(fold(word.replaceAll(/[äöüøå]/g, (letter) => writtenOut[letter]!)))]
}

/** A word, or a character of a script without spaces, as it stands in a normalized text. */
export interface Token {
  /** Place in the text, from 0: one for each word, part of a hyphenated word, and character without spaces. */
  position: number
  /** Normalized, not folded. Of a run of characters without spaces: this one and the next, or the last alone. */
  word: string
  /** The word joined with its neighbour, or with all parts, where they are written with a hyphen or an apostrophe. */
  joined: string[]
  kind: 'word' | 'pair' | 'single' | 'last'
  /** A single letter beside an apostrophe (`l'amour`, `Renoir's`): a query does not insist on it. */
  elided: boolean
}

const wordRun = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu
const asciiRun = /[a-z0-9]+(?:['-][a-z0-9]+)*/g
const spaceless = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー`
const spacelessRuns = new RegExp(`[${spaceless}]+|[^${spaceless}]+`, 'gu')
const hasSpaceless = new RegExp(`[${spaceless}]`, 'u')
/** Finds a character of a script without spaces at the beginning of a word. */
export const isSpaceless = new RegExp(`^[${spaceless}]`, 'u')

/** Whether two words that stand beside each other may also be written as one. Not two numbers. */
export function mayJoin(one: string, other: string): boolean {
  return !(/^\d+$/.test(one) && /^\d+$/.test(other)) && !isSpaceless.test(one) && !isSpaceless.test(other)
}

/** The words of a normalized text, in their order. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  const isAscii = !/[^\0-\x7f]/.test(text)
  const add = (word: string) => {
    if (isAscii || !hasSpaceless.test(word)) addWord(tokens, word)
    else for (const piece of word.match(spacelessRuns)!) addPiece(tokens, piece)
  }
  for (const run of text.match(isAscii ? asciiRun : wordRun) ?? []) {
    if (!/['-]/.test(run)) {
      add(run)
      continue
    }
    const first = tokens.length
    const parts = run.split(/(?=['-])/)
    for (const part of parts) add(part.replace(/^['-]/, ''))
    if (tokens.length - first === parts.length) join(tokens, first, parts)
  }
  return tokens
}

function addWord(tokens: Token[], word: string, kind: Token['kind'] = 'word') {
  tokens.push({ position: tokens.length, word, joined: [], kind, elided: false })
}

function addPiece(tokens: Token[], piece: string) {
  if (!isSpaceless.test(piece)) {
    addWord(tokens, piece)
    return
  }
  const characters = Array.from(piece)
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1]
    const kind = next !== undefined ? 'pair' : characters.length === 1 ? 'single' : 'last'
    addWord(tokens, character + (next ?? ''), kind)
  }
}

// A joined word stands at each of its parts, so that its neighbours on both sides are beside it.
function join(tokens: Token[], first: number, parts: string[]) {
  const add = (from: number, to: number) => {
    const joined = tokens.slice(from, to + 1).map(({ word }) => word)
    if (joined.some((part, index) => index > 0 && !mayJoin(joined[index - 1]!, part))) return
    for (let at = from; at <= to; at++) tokens[at]!.joined.push(joined.join(''))
  }
  const last = tokens.length - 1
  for (let at = first; at < last; at++) add(at, at + 1)
  if (last - first > 1) add(first, last)
  for (let at = first; at <= last; at++) {
    const isBeside = parts[at - first]!.startsWith("'") || parts[at - first + 1]?.startsWith("'") === true
    tokens[at]!.elided = isBeside && tokens[at]!.word.length === 1
  }
}
