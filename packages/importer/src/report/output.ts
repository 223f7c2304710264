/** The text with control and bidirectional characters as `\u001b`: a terminal shows them and does not obey them. */
export function escapeControls(text: string): string {
  const escape = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, escape)
}

const toText = (lines: string[]) => lines.map((line) => `${escapeControls(line)}\n`).join('')

/** Prints lines for the user. Names and messages in them come from sources and services. */
export function say(lines: string[]): void {
  process.stdout.write(toText(lines))
}

/** Prints an object for programs as a line of JSON, with its texts unchanged. */
export function emit(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

/** Prints lines for the user on standard error. */
export function complain(lines: string[]): void {
  process.stderr.write(toText(lines))
}
