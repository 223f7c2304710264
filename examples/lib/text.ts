/** The text in one line: each run of white space becomes a single space. */
export function tidy(text: string | null | undefined): string {
  return (text ?? '').replaceAll(/[ \t\r\n]+/g, ' ').trim()
}

/** The parts that are not blank, tidied, each on its own line. Undefined if all are blank. */
export function paragraphs(...parts: (string | null | undefined)[]): string | undefined {
  const lines = parts.map(tidy).filter((line) => line !== '')
  return lines.length > 0 ? lines.join('\n') : undefined
}

/** The text up to its first full stop, semicolon or colon after 12 characters: a title where the source has none. */
export function firstClause(text: string): string {
  return /^.{12,}?(?=[.;:](?:\s|$))/.exec(text)?.[0] ?? text
}

/** The text in at most `length` characters. A longer one is cut at a space and ends with an ellipsis. */
export function shorten(text: string, length = 255): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length - 1)
  return `${cut.slice(0, cut.lastIndexOf(' ') + 1).trim() || cut}…`
}

/** The text in lower-case ASCII letters and digits with hyphens: `Jacques Charavay aîné` is `jacques-charavay-aine`. */
export function slugify(text: string): string {
  const ascii = text.normalize('NFD').replaceAll(/[\u0300-\u036f'’]/g, '')
  return ascii
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
