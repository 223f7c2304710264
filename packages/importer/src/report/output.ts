/** The text with control and bidirectional characters as `\u001b`: a terminal shows them and does not obey them. */
export function escapeControls(text: string): string {
  const escape = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, escape)
}

/** Where a command prints: a stream of the process, or what stands for it. */
export type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number }

/** Prints lines for the user. Names and messages in them come from sources and services. */
export function say(to: Output, lines: string[]): void {
  to.write(lines.map((line) => `${escapeControls(line)}\n`).join(''))
}

/** Prints an object for programs as a line of JSON, with its texts unchanged. */
export function emit(to: Output, event: object): void {
  to.write(`${JSON.stringify(event)}\n`)
}
