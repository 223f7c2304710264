// The last one is the Braille pattern without dots, which looks like a space.
const visibleCharacter = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Control}\u2800]/u

/** Whether the text has nothing to be seen: white space as Unicode defines it, and characters that show nothing. */
export function isBlank(text: string): boolean {
  return !visibleCharacter.test(text)
}

/** What a client wrote, for a message: at most a hundred characters of it, or as many as are said. */
export function shorten(text: string, characters = 100): string {
  if (text.length <= characters) return text
  const kept = Array.from(text.slice(0, 2 * characters))
    .slice(0, characters)
    .join('')
  return kept.length < text.length ? `${kept}…` : text
}

/** The path of a request, for a message. The longest one that there is has 112 characters. */
export function shortenPath(path: string): string {
  return shorten(path, 200)
}

/** Whether the text can be stored and sent as UTF-8: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** The text's length in characters: a picture beyond the basic plane is one. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** The text with its control and bidirectional characters as `\u001b`, so that a terminal shows them and obeys none. */
export function escapeControls(text: string): string {
  const escape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, escape)
}

/** The text's length in UTF-8 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
