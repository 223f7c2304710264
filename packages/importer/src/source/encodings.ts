import { createReadStream } from 'node:fs'
import iconv from 'iconv-lite'
import { findLanguages } from './alphabets.ts'
import { readHead } from './head.ts'
import { Unusable } from '../misfit.ts'

/**
 * An encoding, and the reason for it in words for the user. `doubts` are others that may be meant, each with a word as it
 * gives it.
 */
export type Recognized = { encoding: string; because: string; doubts: { encoding: string; word: string }[] }

// Encodings of one byte a letter, the most frequent first.
const frequent = ['windows-1252', 'windows-1250', 'macintosh', 'windows-1254', 'windows-1251']
const singles = [...frequent, 'iso-8859-15', 'iso-8859-2', 'cp850', 'cp852']

const mostWords = 20_000

/** What the bytes of a file beyond ASCII show: its words, and pairs of bytes as Chinese encodings have them. */
class Bytes {
  isAscii = true
  readonly words = new Set<string>()
  /** The pairs of which both are beyond ASCII, those of frequent characters, and those that no character has. */
  readonly pairs = { count: 0, high: 0, gbk: 0, big5: 0, noGbk: 0, noBig5: 0 }
  #word = ''
  #lead = 0

  add(piece: Buffer): void {
    for (const byte of piece) {
      if (byte >= 0x80) this.isAscii = false
      this.#addToPair(byte)
      const isPart = byte >= 0x80 || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x27
      if (isPart && this.#word.length < 60) this.#word += String.fromCharCode(byte)
      else if (this.#word !== '') this.end()
    }
  }

  end(): void {
    if (/[\x80-\xff]/.test(this.#word) && this.words.size < mostWords) this.words.add(this.#word)
    this.#word = ''
  }

  #addToPair(byte: number): void {
    const lead = this.#lead
    this.#lead = lead === 0 && byte >= 0x81 ? byte : 0
    if (lead === 0) return
    const { pairs } = this
    pairs.count++
    if (byte >= 0x80) pairs.high++
    // Signs of punctuation, then the frequent characters: GB 2312 and Big5 both sort these before the rare ones.
    if (byte < 0x40) pairs.noGbk++
    else if (byte >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || lead <= 0xa3)) pairs.gbk++
    if (byte < 0x40 || (byte > 0x7e && byte < 0xa1) || lead < 0xa1 || lead > 0xf9) pairs.noBig5++
    else if (lead <= 0xc6) pairs.big5++
  }
}

async function readBytes(path: string): Promise<Bytes> {
  const bytes = new Bytes()
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) bytes.add(piece)
  bytes.end()
  return bytes
}

async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) decoder.decode(piece, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Whether every byte of a file has a meaning in an encoding. */
export async function isReadable(path: string, encoding: string): Promise<boolean> {
  if (/^utf-?8$/i.test(encoding)) return isUtf8(path)
  for await (const text of readText(path, encoding)) if (text.includes('\ufffd')) return false
  return true
}

const read = (word: string, encoding: string) => decode(Buffer.from(word, 'latin1'), encoding)

/** A word as each of several encodings gives it, if possible one that none of them gives as another does. */
function readIn(words: Set<string>, encodings: string[]): Recognized['doubts'] {
  const readings = (word: string) => encodings.map((encoding) => read(word, encoding))
  const word = [...words].find((each) => new Set(readings(each)).size === encodings.length) ?? [...words][0] ?? ''
  return encodings.map((encoding) => ({ encoding, word: read(word, encoding) }))
}

/** Recognises a Chinese encoding by its frequent characters. Undefined if the file has none. */
function recognizeChinese({ words, pairs: { count, high, gbk, big5, noGbk, noBig5 } }: Bytes): Recognized | undefined {
  const found = [
    { encoding: 'gbk', frequent: gbk, impossible: noGbk },
    { encoding: 'big5', frequent: big5, impossible: noBig5 },
  ]
    .filter(({ frequent, impossible }) => impossible <= count * 0.01 && frequent >= count * 0.5)
    .toSorted((a, b) => b.frequent - a.frequent)
  const [best, other] = found
  // In other encodings, a letter beyond ASCII seldom stands beside another one.
  if (best === undefined || high < count * 0.4) return undefined
  const share = Math.round((100 * best.frequent) / count)
  return {
    encoding: best.encoding,
    because: `it is not UTF-8, and ${share} % of its signs are frequent Chinese characters`,
    doubts: other && other.frequent > best.frequent * 0.6 ? readIn(words, [best.encoding, other.encoding]) : [],
  }
}

/**
 * The words of a file that fit any language in an encoding, how many fit the language that most of them fit, and whether one
 * is a euro sign.
 */
type Score = { encoding: string; fitting: Set<string>; inOne: number; hasEuro: boolean }

function score(words: Set<string>, encoding: string): Score {
  const fitting = new Set<string>()
  const byLanguage = new Map<string, number>()
  for (const word of words) {
    const languages = findLanguages(read(word, encoding))
    if (languages.length > 0) fitting.add(word)
    for (const language of languages) byLanguage.set(language, (byLanguage.get(language) ?? 0) + 1)
  }
  const hasEuro = [...words].some((word) => read(word, encoding).includes('€'))
  return { encoding, fitting, inOne: Math.max(0, ...byLanguage.values()), hasEuro }
}

/** Whether another encoding gives some words otherwise, and they are as likely. */
function isDoubtful(words: Set<string>, best: Score, other: Score): boolean {
  const differing = [...words].filter((word) => read(word, best.encoding) !== read(word, other.encoding))
  const only = differing.filter((word) => best.fitting.has(word) && !other.fitting.has(word)).length
  const onlyOther = differing.filter((word) => other.fitting.has(word) && !best.fitting.has(word)).length
  if (differing.length === 0 || (only > 3 * onlyOther && best.inOne >= other.inOne)) return false
  return only !== onlyOther || best.inOne <= other.inOne
}

/** @throws Unusable if a word that fits no language in an encoding fits one in UTF-8 */
function refuseMixture(path: string, unfit: string[], encoding: string): void {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (const word of unfit) {
    let right: string
    try {
      right = decoder.decode(Buffer.from(word, 'latin1'))
    } catch {
      continue
    }
    if (findLanguages(right).length === 0) continue
    throw new Unusable(
      `${path} has lines in two encodings: ${encoding} gives ${JSON.stringify(read(word, encoding))}, which is ${JSON.stringify(right)} in UTF-8. Save it in one encoding`,
    )
  }
}

// The signs of sheets are mostly of currencies: `€ 5` is likelier than `§ 5`.
const sumOf = ({ fitting, inOne, hasEuro }: Score) => fitting.size + inOne + (hasEuro ? 0.5 : 0)

const isFrequent = ({ encoding }: Score) => frequent.includes(encoding)

/** Whether a rarer encoding fits all words, and gives letters where the best one gives signs: `città` for `citt…`. */
const hasLetters = (words: Set<string>, best: Score, rarer: Score): boolean =>
  rarer.fitting.size === words.size &&
  [...words].some(
    (word) =>
      /[A-Za-z]/.test(word) &&
      /[^\p{L}]$/u.test(read(word, best.encoding)) &&
      /\p{L}$/u.test(read(word, rarer.encoding)),
  )

/** Whether all words fit a rarer encoding as well, and the best one is old too: `Mosä` in MacRoman is `Mosè` in DOS. */
const isAsRare = (words: Set<string>, best: Score, rarer: Score): boolean =>
  !best.encoding.startsWith('windows-') && rarer.fitting.size === words.size && rarer.inOne >= best.inOne

/** Recognises an encoding by the languages that its words fit, or by frequent Chinese characters. */
function recognizeByWords(path: string, bytes: Bytes): Recognized {
  const { words } = bytes
  const [best, ...others] = singles
    .map((encoding) => score(words, encoding))
    .toSorted((a, b) => sumOf(b) - sumOf(a)) as [Score, ...Score[]]
  const { encoding, fitting } = best
  const isFitting = fitting.size >= words.size * 0.8
  const chinese = isFitting ? undefined : recognizeChinese(bytes)
  if (chinese) return chinese
  const unfit = [...words].filter((word) => !fitting.has(word))
  refuseMixture(path, unfit, encoding)
  const shown = unfit.slice(0, 3).map((word) => JSON.stringify(read(word, encoding)))
  const rivals = others
    .filter(
      (other) =>
        isDoubtful(words, best, other) &&
        (isFrequent(other) || hasLetters(words, best, other) || isAsRare(words, best, other)),
    )
    .map((other) => other.encoding)
  const doubtful = fitting.size >= words.size * 0.5 ? rivals : ['gbk', 'big5']
  return {
    encoding,
    because: `it is not UTF-8, and ${fitting.size} of ${words.size} words with accents fit a language with it${shown.length > 0 ? `, but not ${shown.join(', ')}` : ''}`,
    doubts: doubtful.length > 0 ? readIn(words, [encoding, ...doubtful]) : [],
  }
}

/**
 * Recognises the encoding of a file by its byte order mark, as valid UTF-8, or by the words that it gives. Reads the whole
 * file, a piece at a time.
 * @throws Unusable if some of its lines are UTF-8, and others are not
 */
export async function recognizeEncoding(path: string): Promise<Recognized> {
  const certain = (encoding: string, because: string): Recognized => ({ encoding, because, doubts: [] })
  const head = await readHead(path, 1024)
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return certain('utf-8', 'of its byte order mark')
  if (head[0] === 0xff && head[1] === 0xfe) return certain('utf-16le', 'of its byte order mark')
  if (head[0] === 0xfe && head[1] === 0xff) return certain('utf-16be', 'of its byte order mark')
  const zeros = [0, 1].map((odd) => head.filter((byte, index) => index % 2 === odd && byte === 0).length)
  if (zeros[1]! > head.length / 8) return certain('utf-16le', 'every second byte is zero')
  if (zeros[0]! > head.length / 8) return certain('utf-16be', 'every second byte is zero')

  const bytes = await readBytes(path)
  if (bytes.isAscii) return certain('utf-8', 'it is plain ASCII')
  return (await isUtf8(path)) ? certain('utf-8', 'it is valid UTF-8') : recognizeByWords(path, bytes)
}

/**
 * The encoding that gives words of a language where another one gives what no language has: of `windows-1252`, `õszi`, it is
 * windows-1250 with `őszi` in Hungarian. Undefined if the given one fits.
 * @throws Unusable if some lines of the file are UTF-8, and others are not
 */
export async function findFittingEncoding(
  path: string,
  given: string,
  language: string,
): Promise<Recognized['doubts'] | undefined> {
  if (!singles.includes(given.toLowerCase())) return undefined
  const bytes = await readBytes(path)
  const fits = (word: string, encoding: string) => findLanguages(read(word, encoding)).includes(language)
  const unfit = [...bytes.words].filter((word) => findLanguages(read(word, given)).length === 0)
  refuseMixture(path, unfit, given)
  for (const encoding of singles) {
    const word = unfit.find((each) => fits(each, encoding))
    const lost = [...bytes.words].filter((each) => fits(each, given) && !fits(each, encoding)).length
    if (word !== undefined && unfit.filter((each) => fits(each, encoding)).length > lost)
      return [given, encoding].map((each) => ({ encoding: each, word: read(word, each) }))
  }
  return undefined
}

/** Whether the program can read this encoding. */
export const isEncoding = (encoding: string): boolean => iconv.encodingExists(encoding)

// The library has the sign that MacRoman had for the euro before 1998.
const mend = (text: string, encoding: string) =>
  /^(?:x-)?mac(?:intosh|roman)?$/i.test(encoding) ? text.replaceAll('¤', '€') : text

const decode = (bytes: Buffer, encoding: string) => mend(iconv.decode(bytes, encoding), encoding)

/** Reads the text of a file piece by piece, without its byte order mark. */
export async function* readText(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(encoding)
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    const text = decoder.write(piece)
    if (text !== '') yield mend(text, encoding)
  }
  const rest = decoder.end()
  if (rest) yield mend(rest, encoding)
}
