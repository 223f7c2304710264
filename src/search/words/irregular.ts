// Forms that Snowball leaves apart, of nouns and adjectives as catalogues have them.

// Dutch nouns with a short vowel in the singular only. Their compounds end alike (wijnglazen).
const dutchPlurals: Record<string, string> = {
  bladeren: 'blad',
  bladen: 'blad',
  daken: 'dak',
  dagen: 'dag',
  eieren: 'ei',
  glazen: 'glas',
  goden: 'god',
  graven: 'graf',
  hoven: 'hof',
  leden: 'lid',
  lammeren: 'lam',
  schepen: 'schip',
  sloten: 'slot',
  spelen: 'spel',
  steden: 'stad',
  vaten: 'vat',
  wegen: 'weg',
}
const dutchPlural = new RegExp(`(?:${Object.keys(dutchPlurals).join('|')})$`)
const dutchEnding = /[^e]e$/
const openSyllable = /(^|[^aeiou]|i(?=[aou]))([aeou])([bdfgklmnprstvz])e$/

/**
 * The words of which a normalized word may be a form, itself mostly, to be stemmed in its place.
 */
export function baseForms(word: string, language: string): string[] {
  if (language === 'nl') return dutchBases(word)
  if (language === 'fr') return frenchBases(word)
  // Snowball keeps sofas.
  if (language === 'de') return [/..[^aeiou][aiou]s$/.test(word) ? word.slice(0, -1) : word]
  // Without accents, obrazów is obrazow, whose ending Snowball does not know.
  if (language === 'pl' && word.endsWith('ow')) return [word, `${word.slice(0, -2)}ów`]
  return [word]
}

// Inflected adjectives: oude, rode, gladde, grijze. Stems would keep them apart from oud, rood, glad, grijs.
function dutchBases(word: string): string[] {
  const plural = dutchPlural.exec(word)
  if (plural) return [word, word.slice(0, plural.index) + dutchPlurals[plural[0]]!]
  if (word.length < 4 || !dutchEnding.test(word)) return [word]
  const bare = word.slice(0, -1).replace(/v$/, 'f').replace(/z$/, 's')
  const open = openSyllable.exec(word)
  if (!open) return [word, bare.replace(/([bdfgklmnprst])\1$/, '$1')]
  const long = bare.slice(0, -1) + bare.slice(-2)
  // In formele the vowel is long, in dubbele it is not.
  return open[2] === 'e' ? [word, long, bare] : [word, long]
}

// Snowball keeps tissus, and knows no directeur in directrice, no conteur in conteuse. Without its s, anglais would be apart
// from anglaise.
function frenchBases(word: string): string[] {
  const base = word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word
  const masculine = base
    .replace(/trice$/, 'teur')
    .replace(/(..)euse$/, '$1eur')
    .replace(/ise$/, 'i')
  return masculine === base ? [base] : [base, masculine]
}

const englishStems = new Map([
  ['children', 'child'],
  ['feet', 'foot'],
  ['gees', 'goos'],
  ['mice', 'mous'],
  ['teeth', 'tooth'],
])

/** One stem for the stems of singular and plural: `leav` and `leaf`, `women` and `woman`. */
export function mergeStem(stem: string, language: string): string {
  if (language !== 'en') return stem
  return (
    englishStems.get(stem) ??
    stem
      .replace(/men$/, 'man')
      .replace(/eaux$/, 'eau')
      .replace(/(ea|oa|ie|l|ar)v$/, '$1f')
      .replace(/(^|[^aeiou])(kn|w|l)ive$/, '$1$2ife')
  )
}
