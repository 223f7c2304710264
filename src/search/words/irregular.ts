import { foldWord } from './letters.ts'

// Forms that Snowball leaves apart, of nouns and adjectives as catalogues have them.

// Dutch nouns whose plural is not made by rule, or has a long vowel. Their compounds end alike (wijnglazen).
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
  kinderen: 'kind',
  koeien: 'koe',
  leden: 'lid',
  lammeren: 'lam',
  scheep: 'schip',
  schepen: 'schip',
  slagen: 'slag',
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
  if (language === 'pl') return [word, ...polishBases(word)]
  const rules = others[language]
  return rules ? [word, ...rules.flatMap((rule) => applyRule(word, rule))] : [word]
}

/** An ending of a form, and that of its base. */
type Rule = readonly [form: RegExp, base: string]

const applyRule = (word: string, [form, base]: Rule) => (form.test(word) ? [word.replace(form, base)] : [])

// German: Sofas, Bildnisse. Spanish: luces, arcos. Italian: chiavi, universi, teiere. Hungarian: kapuk, karórát.
const others: Partial<Record<string, Rule[]>> = {
  de: [
    [/(..[^aeiou][aiou])s$/, '$1'],
    [/nisse[ns]?$/, 'nis'],
  ],
  es: [
    [/ces$/, 'z'],
    [/(..[aeo])s$/, '$1'],
  ],
  hu: [
    [/([aáeéiíoóöőuúüű])k$/, '$1'],
    [/át$/, 'a'],
    [/ét$/, 'e'],
  ],
  it: [
    [/(..)vi$/, '$1ve'],
    [/ersi$/, 'erso'],
    [/iere$/, 'iera'],
    [/^uomini$/, 'uomo'],
    [/^buoi$/, 'bue'],
    [/^uve$/, 'uva'],
    [/^acqueforti$/, 'acquaforte'],
  ],
}

// Polish nouns change the letter before an ending (noga, nodze), drop an e (książek, książka), and have other vowels in front
// of a softened letter (miasto, mieście) or at their end (ręka, rąk).
const polishRules: Rule[] = [
  [/ow$/, 'ów'],
  [/(.[^aeiouyąęó])i?e([kłlrnc])$/, '$1$2a'],
  [/ą([^aeiouyąęó]{1,2})$/, 'ę$1a'],
  [/by$/, 'ba'],
  [/ce$/, 'ka'],
  [/dze$/, 'ga'],
  [/sze$/, 'cha'],
  [/rze$/, 'ra'],
  [/dzie$/, 'da'],
  [/(?<![śs])cie$/, 'ta'],
  [/[śs]cie$/, 'sta'],
  [/iele$/, 'ioła'],
  [/um$/, 'a'],
]
// Without accents.
const polishNouns = new Map(
  Object.entries({
    dziecko: 'dziecka dziecku dzieckiem dzieci dzieciom dziecmi dzieciach',
    ksiaze: 'ksiecia ksieciu ksieciem ksiazeta ksiazat ksiazetom',
    pies: 'psa psu psem psie psy psow psom psami psach',
    taca: 'tace',
    szklo: 'szkla szklu szklem szkle szkiel szklom szklami szklach',
  }).flatMap(([noun, forms]) => forms.split(' ').map((form) => [form, noun] as const)),
)
// Not talerze, which are no talary.
const softenedVowel = /(i|l(?!erze))e((?:[śs]?ci|[źz]?dzi|si|rz|l)e)$/

function polishBases(word: string): string[] {
  const noun = polishNouns.get(foldWord(word)[0]!)
  if (noun !== undefined) return [noun]
  if (word.length < 4 && !word.includes('ą')) return []
  const hard = word.replace(softenedVowel, '$1a$2')
  const words = hard === word ? [word] : [word, hard]
  const bases = words.flatMap((each) => polishRules.flatMap((rule) => applyRule(each, rule)))
  return hard === word ? bases : [...bases, hard]
}

// Inflected adjectives: oude, rode, gladde, grijze. Stems would keep them apart from oud, rood, glad, grijs.
function dutchBases(word: string): string[] {
  const trema = word.replace(/(ee|ie)ën$/, '$1')
  if (trema !== word) return [word, trema]
  // Snowball takes the d of borden for that of a past tense.
  if (/[lnr]den$/.test(word)) return [word, word.slice(0, -2)]
  if (/..[b-df-hj-np-tv-z][aeiouy]s$/.test(word)) return [word, ...dutchBases(word.slice(0, -1))]
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
// from anglaise. Others: cheveux, blanche, émail.
function frenchBases(word: string): string[] {
  const base = word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word
  const masculine = base
    .replace(/trice$/, 'teur')
    .replace(/(..)euse$/, '$1eur')
    .replace(/ise$/, 'i')
    .replace(/anche$/, 'anc')
    .replace(/ail$/, 'al')
    .replace(/eux$/, 'eu')
  return masculine === base ? [base] : [base, masculine]
}

const hungarianStems = new Map([
  ['falu', 'falv'],
  ['kehely', 'kelyh'],
  ['sator', 'satr'],
  ['szobor', 'szobr'],
  ['torony', 'torny'],
  ['tukor', 'tukr'],
])
const englishStems = new Map([
  ['canva', 'canvas'],
  ['children', 'child'],
  ['feet', 'foot'],
  ['gees', 'goos'],
  ['mice', 'mous'],
  ['teeth', 'tooth'],
])

/** One stem, without accents, for the stems of singular and plural: `leav` and `leaf`, `women` and `woman`. */
export function mergeStem(stem: string, language: string): string {
  if (language === 'hu') return hungarianStems.get(stem) ?? stem
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
