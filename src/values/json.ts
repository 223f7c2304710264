const longestNumber = 1_000

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i
const literals = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])

const codeOf = (character: string) => character.charCodeAt(0)
const quote = codeOf('"')
const backslash = codeOf('\\')
const comma = codeOf(',')
const colon = codeOf(':')
const opening = { object: codeOf('{'), array: codeOf('[') }
const closing = { object: codeOf('}'), array: codeOf(']') }
const blanks = new Set([' ', '\t', '\r', '\n'].map(codeOf))
const inWords = new Set(Array.from('+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', codeOf))

/** The first problem of a text: the path of its value, which is empty for the whole text, and what is wrong. */
export class JsonError extends Error {
  readonly path: string[]
  readonly problem: string

  constructor(path: string[], problem: string) {
    super(problem)
    this.name = 'JsonError'
    this.path = path
    this.problem = problem
  }
}

/** What a text is called in messages, and what it may hold. `toNumber` reads a number of at most 1,000 characters. */
export type JsonRules = {
  name: string
  deepest: number
  mostValues: number
  mostCharacters: number
  toNumber: (text: string) => unknown
}

/** The rules of a line of the load format. Its values then take little more memory than its bytes. */
export const lineRules: JsonRules = {
  name: 'line',
  deepest: 8,
  mostValues: 10_000,
  mostCharacters: 2 * 1024 * 1024,
  toNumber: Number,
}

/** Reads JSON from its bytes, and stops at the first problem. */
class Reader {
  readonly #bytes: Buffer
  readonly #rules: JsonRules
  readonly #path: string[] = []
  #at = 0
  #values = 0
  #characters = 0

  constructor(bytes: Buffer, rules: JsonRules) {
    this.#bytes = bytes
    this.#rules = rules
  }

  read(): unknown {
    const value = this.#readValue()
    if (this.#next() !== undefined) throw this.#unexpected()
    return value
  }

  /** The next byte that is no white space; undefined at the end. */
  #next(): number | undefined {
    while (blanks.has(this.#bytes[this.#at]!)) this.#at++
    return this.#bytes[this.#at]
  }

  #take(code: number): boolean {
    if (this.#next() !== code) return false
    this.#at++
    return true
  }

  #require(code: number): void {
    if (!this.#take(code)) throw this.#unexpected()
  }

  #refuse(problem: string): JsonError {
    const subject = this.#path.length === 0 ? `the ${this.#rules.name} ` : ''
    return new JsonError([...this.#path], `${subject}${problem}`)
  }

  #unexpected(): JsonError {
    const isOver = this.#at >= this.#bytes.length
    const what = isOver ? 'it ends too early' : `the character at byte ${this.#at + 1} is wrong there`
    return new JsonError([], `the ${this.#rules.name} is not valid JSON: ${what}`)
  }

  #readValue(): unknown {
    const { name, deepest, mostValues } = this.#rules
    if (++this.#values > mostValues) throw this.#refuse(`brings the ${name} beyond ${mostValues} values`)
    const first = this.#next()
    if (first === quote) return this.#readText()
    if (first !== opening.object && first !== opening.array) return this.#readWord()
    if (this.#path.length === deepest) throw this.#refuse(`is nested too deeply (more than ${deepest} levels)`)
    this.#at++
    return first === opening.object ? this.#readObject() : this.#readArray()
  }

  #readObject(): object {
    const fields = new Map<string, unknown>()
    if (this.#take(closing.object)) return {}
    do {
      if (this.#next() !== quote) throw this.#unexpected()
      const name = this.#readText()
      this.#path.push(name)
      if (fields.has(name)) throw this.#refuse('is given twice')
      this.#require(colon)
      fields.set(name, this.#readValue())
      this.#path.pop()
    } while (this.#take(comma))
    this.#require(closing.object)
    return Object.fromEntries(fields)
  }

  #readArray(): unknown[] {
    const elements: unknown[] = []
    if (this.#take(closing.array)) return elements
    do {
      this.#path.push(String(elements.length))
      elements.push(this.#readValue())
      this.#path.pop()
    } while (this.#take(comma))
    this.#require(closing.array)
    return elements
  }

  #readText(): string {
    const start = this.#at
    let isPlain = true
    for (this.#at++; this.#bytes[this.#at] !== quote; this.#at++) {
      if (this.#at >= this.#bytes.length || this.#bytes[this.#at]! < 0x20) throw this.#unexpected()
      if (this.#bytes[this.#at] !== backslash) continue
      isPlain = false
      this.#at++
    }
    this.#at++
    // No character takes more than six bytes.
    const { name, mostCharacters } = this.#rules
    const left = mostCharacters - this.#characters
    const text = this.#at - start - 2 > 6 * left ? undefined : this.#decode(start, isPlain)
    if (text === undefined || text.length > left)
      throw this.#refuse(`brings the texts of the ${name} beyond ${mostCharacters} characters`)
    this.#characters += text.length
    return text
  }

  #decode(start: number, isPlain: boolean): string {
    if (isPlain) return this.#bytes.toString('utf8', start + 1, this.#at - 1)
    try {
      return JSON.parse(this.#bytes.toString('utf8', start, this.#at)) as string
    } catch {
      this.#at = start
      throw this.#unexpected()
    }
  }

  #readWord(): unknown {
    const start = this.#at
    while (inWords.has(this.#bytes[this.#at]!)) this.#at++
    if (this.#at - start > longestNumber) throw this.#refuse(`is a number of more than ${longestNumber} characters`)
    const word = this.#bytes.toString('latin1', start, this.#at)
    const literal = literals.get(word)
    if (literal !== undefined) return literal
    if (number.test(word)) return this.#rules.toNumber(word)
    if (this.#at < this.#bytes.length) this.#at = start
    throw this.#unexpected()
  }
}

/**
 * Reads JSON, which is UTF-8: strictly, and no key twice.
 * @throws JsonError at the first problem
 */
export function readJson(bytes: Buffer, rules: JsonRules): unknown {
  return new Reader(bytes, rules).read()
}
