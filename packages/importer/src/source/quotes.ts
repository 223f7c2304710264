// An error in the quotes of a CSV row, and its line, counted from the first line of the row.
type QuoteFault = { lines: number; message: string }

/** A quoted cell with several lines: its index in the row, where it begins in the text, and its lines. */
type LongCell = { index: number; begin: number; lines: string[] }

const mend = 'close the quote, or write "" for a quote within a cell'
const lineBreak = /\r\n|\n|\r/

/** The number of line breaks of any kind in a text. */
export const countBreaks = (text: string): number => text.split(lineBreak).length - 1

/**
 * Splits a row as the file has it: the number of its cells, the first one, and those with several lines. Returns an error
 * if its quotes have one.
 */
function splitRow(raw: string, separator: string): { count: number; first: string; long: LongCell[] } | QuoteFault {
  const quoted = /"[^"]*(?:""[^"]*)*"/y
  const long: LongCell[] = []
  let [count, first] = [0, '']
  for (let at = 0; at <= raw.length; at++) {
    const begin = at
    if (raw[at] === '"') {
      quoted.lastIndex = at
      const [text] = quoted.exec(raw) ?? []
      const isEnd = text !== undefined && /^[\r\n]?$/.test(raw.slice(at + text.length, at + text.length + 2))
      if (text === undefined || !(isEnd || raw.startsWith(separator, at + text.length)))
        return { lines: countBreaks(raw.slice(0, at)), message: `a quoted cell ends inside a cell: ${mend}` }
      if (lineBreak.test(text)) long.push({ index: count, begin, lines: text.slice(1, -1).split(lineBreak) })
      at += text.length
    } else {
      const next = raw.indexOf(separator, at)
      at = next < 0 ? raw.length : next
    }
    if (count++ === 0) first = raw.slice(begin, at).replaceAll('"', '')
    if (!raw.startsWith(separator, at)) break
  }
  return { count, first, long }
}

/** The shape of a reference: `a-9` for `M-12`. Undefined if the text is no reference, or reads like a sentence. */
export function toShape(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > 30 || !/\d/.test(trimmed)) return undefined
  const shape = trimmed.replaceAll(/\d+/g, '9')
  return shape.includes(' ') ? shape : shape.replaceAll(/\p{L}+/gu, 'a')
}

const maxKnown = 1000

/** Checks the rows of a CSV file in their order, and finds an unclosed quote that has swallowed rows as its text. */
export class Quotes {
  readonly #separator: string
  // The number of rows by their number of cells; the first cells of the rows, and the shapes of those.
  readonly #widths = new Map<number, number>()
  readonly #firsts = new Set<string>()
  readonly #shapes = new Set<string>()

  constructor(separator: string) {
    this.#separator = separator
  }

  /** The error in the next row as the file has it. Undefined if there is none. */
  check(raw: string): QuoteFault | undefined {
    const row = splitRow(raw, this.#separator)
    if ('message' in row) return row
    const { count, long } = row
    const first = row.first.split(lineBreak)[0]!.split(this.#separator)[0]!.trim()
    const shape = toShape(first)
    if (shape !== undefined && this.#shapes.size < maxKnown) this.#shapes.add(shape)
    if (first.length > 1 && this.#firsts.size < maxKnown) this.#firsts.add(first)
    for (const cell of long)
      if (this.#hasRows(cell, count))
        return {
          lines: countBreaks(raw.slice(0, cell.begin)),
          message: `the ${cell.lines.length} lines of a quoted cell look like rows: ${mend}. If they are one text, save the sheet as XLSX`,
        }
    this.#widths.set(count, (this.#widths.get(count) ?? 0) + 1)
    return undefined
  }

  /** The number of cells that most rows have. */
  get #width(): number {
    const [most] = [...this.#widths].toSorted((one, other) => other[1] - one[1] || other[0] - one[0])
    return most?.[0] ?? 0
  }

  /**
   * Counts the separators of a line that look like those between cells. In a sentence a space follows, in a number a digit.
   */
  #countTight(line: string): number {
    const pattern = this.#separator === ',' ? /,(?![^\S\r])(?<!\d,(?=\d))/g : undefined
    if (pattern) return line.match(pattern)?.length ?? 0
    const parts = line.split(this.#separator).slice(1)
    return this.#separator === '\t' ? parts.length : parts.filter((part) => !/^[^\S\r]/.test(part)).length
  }

  #beginsLikeRow(line: string): boolean {
    const end = line.indexOf(this.#separator)
    if (end < 0) return false
    const first = line.slice(0, end).trim()
    // `19e; beschadigd` and `20,5 cm` do not begin with references.
    const isTight = this.#countTight(line.slice(0, end + 2)) > 0
    if (isTight && this.#firsts.has(first)) return true
    const shape = toShape(first)
    return shape !== undefined && this.#shapes.has(shape) && (isTight || !shape.startsWith('9'))
  }

  /** Whether the lines of a cell look like rows, also with a few cells more or fewer. */
  #hasRows({ index, lines }: LongCell, count: number): boolean {
    const width = this.#width || count
    if (width < 2) return false
    const [first, ...rest] = lines.map((line) => this.#countTight(line))
    const last = rest.pop()!
    if (lines.slice(1).some((line) => this.#beginsLikeRow(line))) return true
    // The first cell of a row is short: a line with a reference and another cell is a row.
    const [reference] = lines[0]!.split(this.#separator)
    if (
      index === 0 &&
      first! > 0 &&
      toShape(reference!) !== undefined &&
      toShape(lines.at(-1)!) === toShape(reference!)
    )
      return true
    if (rest.some((each) => each >= Math.max(2, width - 3))) return true
    // The first line is the end of a row, and the last line the beginning of another.
    const [missing, before] = [width - 1 - index, width - count + index]
    if (first! > 0 && first! >= missing && last >= before) return true
    if (last > 0 && first! >= Math.max(2, missing - 3)) return true
    return count !== width && first! + last + rest.reduce((sum, each) => sum + each, 0) > 0
  }
}
