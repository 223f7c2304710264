/** What is wrong with the quotes of a row of a CSV file, and how many lines below its first. */
export type QuoteFault = { lines: number; message: string }

const mend = 'close the quote, or write "" for a quote within a cell'
/** How many line breaks of any kind a text has. */
export const countBreaks = (text: string): number => text.split(/\r\n|\n|\r/).length - 1

/** The separators in a line that stand as they do between cells: in a sentence, a space follows them. */
const countTight = (line: string, separator: string) =>
  line.split(separator).filter((part, index) => index > 0 && (separator === '\t' || !/^[^\S\r]/.test(part))).length

/**
 * What is wrong with a row as the file has it: a quoted cell that does not end where the cell does, or one of several lines
 * that are rows of `width` cells, because the quote of an earlier row was not closed. Undefined if nothing is.
 */
export function findQuoteFault(raw: string, separator: string, width: number): QuoteFault | undefined {
  if (!raw.includes('"')) return undefined
  const quoted = /"[^"]*(?:""[^"]*)*"/y
  const several: { index: number; begin: number; text: string }[] = []
  let count = 0
  for (let at = 0; at <= raw.length; at++) {
    const begin = at
    if (raw[at] === '"') {
      quoted.lastIndex = at
      const [text] = quoted.exec(raw) ?? []
      const isEnd = text !== undefined && /^[\r\n]?$/.test(raw.slice(at + text.length, at + text.length + 2))
      if (text === undefined || !(isEnd || raw.startsWith(separator, at + text.length)))
        return { lines: countBreaks(raw.slice(0, at)), message: `a quoted cell ends inside of a cell: ${mend}` }
      if (/[\r\n]/.test(text)) several.push({ index: count, begin, text })
      at += text.length
    } else {
      const next = raw.indexOf(separator, at)
      at = next < 0 ? raw.length : next
    }
    count++
    if (!raw.startsWith(separator, at)) break
  }
  for (const { index, begin, text } of several) {
    const counts = text.split(/\r\n|\n|\r/).map((line) => countTight(line, separator))
    const between = counts.slice(1, -1)
    const after = count - 1 - index
    // Where whole rows stand between, the last one may be cut short.
    const isSwallowed =
      counts[0]! >= width - 1 - index &&
      between.every((each) => each === width - 1) &&
      (between.length > 0 || counts.at(-1)! >= width - 1 - after)
    if (width > 1 && isSwallowed)
      return {
        lines: countBreaks(raw.slice(0, begin)),
        message: `the ${counts.length} lines of a quoted cell look like rows: ${mend}. If they are one text, save the sheet as XLSX`,
      }
  }
  return undefined
}
