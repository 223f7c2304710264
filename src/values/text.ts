// The last character is the Braille pattern without dots, which looks like a space.
const visibleCharacter = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Control}\u2800]/u

/** Whether the text has no visible character: only Unicode white space and invisible characters. */
export function isBlank(text: string): boolean {
  return !visibleCharacter.test(text)
}

/** A client's text for a message, cut to `characters`. */
export function shorten(text: string, characters = 100): string {
  if (text.length <= characters) return text
  const kept = Array.from(text.slice(0, 2 * characters))
    .slice(0, characters)
    .join('')
  return kept.length < text.length ? `${kept}…` : text
}

/** The path of a request, cut for a message. The longest real path has 112 characters. */
export function shortenPath(path: string): string {
  return shorten(path, 200)
}

/** Whether the text can be stored and sent as UTF-8: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** The text's length in characters (code points). An emoji beyond the basic plane counts once. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Escapes control and bidirectional characters as `\u001b`, so that a terminal shows them and does not obey them. */
export function escapeControls(text: string): string {
  const escape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, escape)
}

/** The most bytes of what staff give as a reason. */
export const longestReason = 1024

/** The text's length in UTF-8 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

/** The words as one name: `next_cursor` and `Next-Cursor` become `NextCursor`. */
export function pascalCase(words: string): string {
  return words.replaceAll(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, first: string) => first.toUpperCase())
}
