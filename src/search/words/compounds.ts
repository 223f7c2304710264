import { type QueryWord } from './query.ts'
import { stemWord } from './stems.ts'

/** A word of the house that has a query's word as its first or last part, provided that the rest is a word too. */
interface Compound {
  /** The key of the compound. Its forms may have lost the part: `oorringen` ends like a word of `oor`. */
  key: string
  /** Exact and form keys: the house must have at least one of them. */
  rests: string[]
}

/** The languages whose compounds are found. */
const compounding = ['nl', 'de'] as const

/** A language whose compounds are found. */
export type Compounding = (typeof compounding)[number]

const links = ['', 's', 'e', 'en', 'n', 'er', 'es', 'ens', 'ns']
const shortestPart = 4
const plurals = ['e', 'en', 'n', 's', 'es']
const shortestRest = 3
// Shorter words that are rests: Eibecher, Eierbecher, Ölgemälde. No Einband: an n links no Ei.
const shortRests = new Set(['ei', 'eier', 'ol'])

// Endings and beginnings that make a word of another, though they are words themselves.
const endings = new RegExp(
  '^(?:(?:heid|lijk|loos|loz|baar|zaam|schap|achtig|heit|keit|lich|haft|schaft|isch|ung|bar|sam|los|end|ing|ling)(?:e[mnrs]?)?|' +
    'heden|eren|erij|ei|ster|isme|ten|den|ers|jes|tjes?|teur|ier|lein|chen|ern|igen)$',
)
const beginnings = new Set(
  'ver ont her ent zer erz auf aus bei durch ein gegen mit nach uber ueber vor uit aan bij door toe voor'.split(' '),
)
// versie-ring, verwar-ring, häre-tisch, persi-scher: the part is the ending of a word of its own; ei-land.
const derived = new Map([
  ['ring', /(?:e|ar)$/],
  ['tisch', /(?:e|a|is)$/],
  ['scher', /i$/],
  ['land', /^ei$/],
])

/**
 * What to look for as a part of compounds (nl, de): beginnings and ends of exact keys (`ring`) and of the form keys of a
 * language (`nl/ring`: keys `nl/ring…` and `nl/…ring`). Empty below four letters.
 */
export function compoundParts(
  { exact, forms, correctable }: QueryWord,
  languages: readonly Compounding[] = compounding,
): string[] {
  if (!correctable) return []
  const ofForms = forms.filter((form) => languages.some((language) => form.startsWith(`${language}/`)))
  // The stem of a compound may have lost the part (Bauerntisch), so exact keys are looked for by the singular too.
  const singular = exact.flatMap((word) =>
    plurals.flatMap((ending) => (word.endsWith(ending) ? [word.slice(0, -ending.length)] : [])),
  )
  return [...new Set([...exact, ...ofForms, ...singular])].filter((part) => lettersOf(part).length >= shortestPart)
}

/**
 * How a key of the house that begins or ends with a part (of `compoundParts`, of the same class) may be a compound of it.
 * Undefined if it cannot be one: `versiering` is none of `ring`. `languages`: those of the house's texts.
 */
export function compoundOf(
  candidate: string,
  part: string,
  languages: readonly Compounding[] = compounding,
): Compound | undefined {
  const [whole, known] = [lettersOf(candidate), lettersOf(part)]
  if (whole.length < known.length + 2) return undefined
  const among = languages.filter((language) => !part.includes('/') || part.startsWith(`${language}/`))
  const rests = [
    ...(whole.endsWith(known) ? restsBefore(whole.slice(0, -known.length), known) : []),
    ...(whole.startsWith(known) ? restsAfter(whole.slice(known.length)) : []),
  ]
  if (rests.length === 0) return undefined
  const formsOf = (word: string) => among.flatMap((language) => stemWord(word, language))
  return {
    key: candidate,
    rests: [
      ...new Set(rests.flatMap((rest) => [rest, ...among.map((language) => `${language}/${rest}`), ...formsOf(rest)])),
    ],
  }
}

/** How words of the house may be compounds of a word of a query. A candidate and a part are of one class, as `nl/`. */
export function compoundsAmong(
  candidates: readonly string[],
  word: QueryWord,
  languages: readonly Compounding[],
): Compound[] {
  const classOf = (key: string) => key.slice(0, key.indexOf('/') + 1)
  return compoundParts(word, languages).flatMap((part) =>
    candidates.flatMap((candidate) =>
      classOf(candidate) === classOf(part) ? (compoundOf(candidate, part, languages) ?? []) : [],
    ),
  )
}

function restsBefore(rest: string, part: string): string[] {
  if (endings.test(part) || beginnings.has(rest) || derived.get(part)?.test(rest) === true) return []
  return links
    .filter((link) => rest.endsWith(link))
    .map((link) => rest.slice(0, rest.length - link.length))
    .filter((word) => (word.length >= shortestRest || shortRests.has(rest)) && !beginnings.has(word))
}

function restsAfter(rest: string): string[] {
  return links
    .filter((link) => rest.startsWith(link))
    .map((link) => rest.slice(link.length))
    .filter((word) => (word.length >= shortestRest || word === 'ol') && !endings.test(word))
}

function lettersOf(key: string): string {
  return key.slice(key.indexOf('/') + 1)
}
