// The letters beyond a to z that words of a language have: of the locales, and of two other languages that sheets come in.
const alphabets = new Map(
  Object.entries({
    nl: 'áàäâéèëêíïîóòöôúùüûçñ',
    en: 'éèëêïöôüâàçñæœ',
    fr: 'àâæçéèêëîïôœùûüÿ',
    de: 'äöüßéèàêç',
    es: 'áéíóúüñ',
    it: 'àèéìíîòóùú',
    pl: 'ąćęłńóśźż',
    hu: 'áéíóöőúüű',
    tr: 'çğıöşüâîû',
    ru: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  }).map(([language, letters]) => [language, new Set(letters)]),
)

// Signs that stand beside a word, and those that stand beside a number or alone.
const beside = new Set('–—‘’“”„‚«»‹›…•™®©·¿¡ºª²³\u00a0')
const alone = new Set('€£¥°½¼¾×±§')
const within = new Set("’'\u00ad")
const isLower = (letter: string | undefined) => letter !== undefined && /\p{Ll}/u.test(letter)
const isUpper = (letter: string | undefined) => letter !== undefined && /\p{Lu}/u.test(letter)

/**
 * The letters of a word beyond a to z, in lower case. Undefined if it is written as no word is: with a sign among its
 * letters, or with a capital that only another encoding gives it, as in `TÍte`.
 */
function findLetters(word: string): string[] | undefined {
  const signs = Array.from(word)
  if (signs.every((sign) => beside.has(sign) || alone.has(sign))) return []
  const core = signs.slice(
    signs.findIndex((sign) => !beside.has(sign)),
    signs.findLastIndex((sign) => !beside.has(sign)) + 1,
  )
  const foreign: string[] = []
  for (const [at, sign] of core.entries()) {
    // In `n°`, the sign belongs to the letter.
    if (within.has(sign) || /[A-Za-z]/.test(sign) || (sign === '°' && core.length === 2)) continue
    if (!/\p{L}/u.test(sign)) return undefined
    if ((isUpper(sign) && isLower(core[at - 1])) || (isLower(sign) && isUpper(core[at + 1]))) return undefined
    foreign.push(sign.toLowerCase())
  }
  const mixed = /\p{Lu}{2}\p{Ll}/u.exec(core.join(''))
  // In front of a small letter stands one capital, and no capital stands alone.
  if (mixed && /[^A-Za-z]/.test(mixed[0])) return undefined
  return core.length === 1 && foreign.length > 0 && isUpper(core[0]) ? undefined : foreign
}

/** The languages whose words have only letters such as those of a word. */
export function findLanguages(word: string): string[] {
  const letters = findLetters(word)
  if (letters === undefined) return []
  // Cyrillic letters stand in words of their own.
  const isMixed = /[A-Za-z]/.test(word) && letters.some((each) => /\p{Script=Cyrillic}/u.test(each))
  if (isMixed) return []
  return [...alphabets].filter(([, alphabet]) => letters.every((each) => alphabet.has(each))).map(([name]) => name)
}
