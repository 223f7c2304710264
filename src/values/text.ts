/** Whether the text has no character but white space. */
export function isBlank(text: string): boolean {
  return !/\S/.test(text)
}

/** Whether the text can be stored and sent as UTF-8: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** The text's length in UTF-8 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
