const byteOrderMark = Buffer.from('\ufeff')

/** The bytes of a text without a byte order mark. */
export const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? bytes.subarray(byteOrderMark.length) : bytes

const decimal = ['kB', 'MB', 'GB', 'TB']
const units = new Map([
  ['', 1],
  ['B', 1],
  ...['K', 'M', 'G', 'T'].flatMap((letter, index): [string, number][] => [
    [`${letter}B`, 1000 ** (index + 1)],
    [`${letter}IB`, 1024 ** (index + 1)],
  ]),
])

/**
 * Reads a number of bytes: `50GB`, `1.5 GiB`, `1,5 GB`, or the bare number. Undefined for any other text, or beyond
 * the safe integers. A unit takes at most two decimals: `1,500 MB` is neither 1.5 nor 1500.
 */
export function parseBytes(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,16}|\d{1,12}[.,]\d{1,2}(?=\s*[a-z]{2}))\s*([a-z]{0,3})$/i.exec(text.trim()) ?? []
  const factor = units.get(unit?.toUpperCase() ?? '-')
  const bytes = Math.round(Number(number?.replace(',', '.')) * (factor ?? NaN))
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** Prints a number of bytes in a unit of thousands, with at most one decimal: `999 B`, `8.9 MB`, `50 GB`. */
export function printBytes(bytes: number): string {
  const power = decimal.findLastIndex((_, index) => bytes >= 999.95 * 1000 ** index)
  if (power < 0) return `${bytes} B`
  return `${Number((bytes / 1000 ** (power + 1)).toFixed(1))} ${decimal[power]}`
}
