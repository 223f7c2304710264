import { locales } from '../../src/values/locales.ts'
import type { Random } from '../lib/random.ts'
import { pickWord, type Known } from './sale.ts'

/** A condition of `q`: a word, the beginning of one, words beside each other; or a word that is taken away. */
export type Clause = { how: 'word' | 'beginning' | 'phrase' | 'without'; text: string }

/**
 * A search to ask. Filters with several values are lists. Ids are bare. `isStaff`: of the interface of staff; others may
 * not read categories.
 */
export type Question = {
  kind: 'lots' | 'items'
  isStaff: boolean
  clauses: Clause[]
  filters: Record<string, string | string[]>
  sort: string | undefined
  facets: string[]
}

const pickBoolean = (random: Random) => random.pick(['true', 'false'])

function makeClauses(random: Random): Clause[] {
  if (random.chance(0.3)) return []
  if (random.chance(0.1)) return [{ how: 'word', text: String(1 + random.below(60)) }]
  if (random.chance(0.1)) return [{ how: 'word', text: `r${random.pick(['still', 'changing'])}${random.below(120)}` }]
  if (random.chance(0.1)) return [{ how: 'beginning', text: pickWord(random).slice(0, 2) }]
  const clauses: Clause[] = [{ how: 'word', text: pickWord(random) }]
  if (random.chance(0.2)) clauses.push({ how: 'word', text: pickWord(random) })
  if (random.chance(0.2)) clauses.push({ how: 'without', text: pickWord(random) })
  if (random.chance(0.2)) return [{ how: 'phrase', text: `${pickWord(random)} ${pickWord(random)}` }]
  return clauses
}

const printClause = ({ how, text }: Clause) =>
  ({ word: text, beginning: text, phrase: `"${text}"`, without: `-${text}` })[how]

/** Makes a question about a house. It may name records that the house does not have. */
export function makeQuestion({ still, changing }: Known, random: Random): Question {
  const kind = random.pick(['lots', 'lots', 'items'] as const)
  const isStaff = random.chance(0.6)
  const id = (of: keyof Known['still']) =>
    random.chance(0.05) ? random.uuid() : random.pick([...still[of], ...changing[of]])
  const ids = (of: keyof Known['still']) => [...new Set([id(of), id(of), id(of)].slice(random.below(3)))]
  const amount = () => String(100 * random.below(100))
  const number = () => String(1 + random.below(150))
  const choices: Record<string, () => string | string[]> = {
    ...(isStaff && { 'category[]': () => ids('category') }),
    'maker[]': () => ids('maker'),
    estimate_from: amount,
    estimate_to: amount,
    images: () => pickBoolean(random),
    ...(isStaff && { seller: () => id('seller'), consignment: () => id('consignment') }),
  }
  Object.assign(
    choices,
    kind === 'items'
      ? isStaff && {
          offered: () => random.pick(['never', 'open', 'sold', 'unsold']),
          without: () => random.pick(['image', 'estimate', ...locales.slice(0, 3)]),
        }
      : {
          session: () => id('session'),
          auction: () => id('auction'),
          lot_number: number,
          active: () => pickBoolean(random),
          published: () => pickBoolean(random),
          bids: () => pickBoolean(random),
          result: () => random.pick(['none', 'sold', 'unsold', 'withdrawn']),
          open: () => pickBoolean(random),
          ...(isStaff && { held: () => pickBoolean(random), number_from: number, number_to: number }),
        },
  )
  const chosen = random.shuffle(Object.keys(choices)).slice(0, random.below(4))
  const clauses = makeClauses(random)
  const sorts = ['estimate', 'created_at', ...(kind === 'lots' ? ['lot_number', 'closes_at', 'current_bid'] : [])]
  const facets = ['maker', ...(isStaff ? ['category'] : []), ...(kind === 'lots' ? ['session', 'result', 'open'] : [])]
  return {
    kind,
    isStaff,
    clauses,
    filters: Object.fromEntries(chosen.map((name) => [name, choices[name]!()])),
    sort: random.chance(0.5) ? undefined : random.pick(['', '-']) + random.pick(sorts),
    facets: random.shuffle(facets).slice(0, random.below(facets.length + 1)),
  }
}

/** The address of a question, without the folder of its interface. */
export function printQuestion({ kind, clauses, filters, sort, facets }: Question): string {
  const query = new URLSearchParams()
  // The last word is a beginning unless a space is behind it.
  const q = clauses.map(printClause).join(' ') + (clauses.at(-1)?.how === 'beginning' ? '' : ' ')
  if (clauses.length > 0) query.set('q', q)
  for (const [name, value] of Object.entries(filters)) for (const each of [value].flat()) query.append(name, each)
  if (sort !== undefined) query.set('sort', sort)
  for (const facet of facets) query.append('facets[]', facet)
  return `${kind}/search?${query.toString()}`
}
