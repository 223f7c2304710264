import type { House } from '../../src/context.ts'
import { eur, houseLine, type Line } from '../../test/support/lines.ts'
import { strategy } from '../lib/sale.ts'
import type { Random } from '../lib/random.ts'

// Words with a digit: they have no other forms, and are neither corrected nor left out. Some begin alike.
const words = ['k4an', 'k4op', 'v7as', 'v7is', 'b2ed', 'b2ol', 'r9oos', 's5tam', 'm3at', 't6in']

export const pickWord = (random: Random) => random.pick(words)
export const makeText = (random: Random) =>
  Array.from({ length: 1 + random.below(4) }, () => pickWord(random)).join(' ')

const kinds = ['maker', 'category', 'seller', 'consignment', 'auction', 'session', 'item', 'lot', 'image'] as const

/** The kinds of record that questions and changes name. */
export type Kind = (typeof kinds)[number]

/** UUIDs by kind. Nothing changes what a search sees of the `still` ones. Of the `bidden` lots only the bids change. */
export type Known = Record<'still' | 'changing', Record<Kind, string[]>> & { bidden: string[] }

/** A house and its records. `next` is a lot number that no lot has. */
export type Place = { house: House; known: Known; next: number }

const far = '2099-01-01T00:00:00Z'
const opened = '2020-01-01T00:00:00Z'
const times = <Of>(count: number, make: (at: number) => Of): Of[] => Array.from({ length: count }, (_, at) => make(at))

/** Makes a house with sessions in all states. A part of its records is still. */
export function makeHouse(slug: string, random: Random): { known: Known; lines: Line[] } {
  const none = () => Object.fromEntries(kinds.map((kind) => [kind, [] as string[]])) as Record<Kind, string[]>
  const known: Known = { still: none(), changing: none(), bidden: [] }
  const lines: Line[] = [houseLine(slug), strategy]

  function add(state: 'still' | 'changing', type: Kind, fields: Record<string, unknown>): string {
    const id = random.uuid()
    known[state][type].push(id)
    lines.push({ type, id, ...fields })
    return id
  }
  const some = <Of>(from: readonly Of[], most: number) => random.shuffle(from).slice(0, random.below(most + 1))

  function addSession(
    state: 'still' | 'changing',
    auction: string,
    kind: 'timed' | 'live',
    isRunning: boolean,
  ): string {
    const closing =
      kind === 'live'
        ? { live: { closes_at: far } }
        : { timed: { first_closes_at: far, group_size: 1, interval_seconds: 60 } }
    const running = isRunning && { published: true, customer_bidding_enabled: true }
    const fields = { auction, kind, titles: { nl: makeText(random) }, increment_strategy: strategy.id }
    return add(state, 'session', {
      ...fields,
      opens_at: isRunning ? opened : '2098-12-01T00:00:00Z',
      ...closing,
      ...running,
    })
  }

  function addItem(state: 'still' | 'changing', at: number): string {
    const estimate = { low: eur(100 * random.below(50)), high: eur(5_000 + 100 * random.below(50)) }
    const { category, maker } = known[state]
    const item = add(state, 'item', {
      external_reference: `R${state}${at}`,
      title: makeText(random),
      ...(random.chance(0.5) && { description: makeText(random) }),
      ...(random.chance(0.3) && { translations: { en: { title: makeText(random) } } }),
      ...(random.chance(0.8) && { estimate: random.pick([estimate, { low: estimate.low }, { high: estimate.high }]) }),
      ...(random.chance(0.5) && { seller: random.pick(known.still.seller) }),
      ...(random.chance(0.3) && { consignment: random.pick(known.still.consignment) }),
      categories: some(category, 2),
      makers: some(maker, 2),
    })
    for (let image = random.below(3); image > 0; image--)
      add(state, 'image', { item, external_reference: `${state} ${at} ${image}`, public: image === 1 })
    return item
  }

  const addLot = (
    state: 'still' | 'changing',
    session: string,
    item: string,
    number: number | null,
    isRunning: boolean,
  ) =>
    add(state, 'lot', {
      session,
      item,
      ...(number !== null && { lot_number: number }),
      ...(isRunning && { active: true, closes_at: far, scheduled_closes_at: far }),
    })

  for (let number = 1; number <= 3; number++) {
    const seller = add('still', 'seller', { seller_number: number })
    add('still', 'consignment', { number: String(number), seller })
  }
  for (const state of ['still', 'changing'] as const) {
    const isStill = state === 'still'
    for (const at of times(isStill ? 5 : 60, (at) => at)) add(state, 'maker', { name: `${makeText(random)} ${at}` })
    for (const at of times(isStill ? 3 : 12, (at) => at)) {
      const parent = isStill || at < 3 ? undefined : random.pick(known[state].category)
      add(state, 'category', { slug: `${state}${at}`, names: { nl: makeText(random) }, ...(parent && { parent }) })
    }
    const auctions = times(isStill ? 1 : 2, (at) => add(state, 'auction', { title: 'Sale', published: at === 0 }))
    const running = [addSession(state, auctions[0]!, 'timed', true)]
    if (!isStill)
      for (const kind of ['timed', 'live'] as const) running.push(addSession(state, auctions[0]!, kind, true))
    const drafts = isStill
      ? []
      : (['timed', 'live'] as const).map((kind) => addSession(state, auctions[1]!, kind, false))
    const sessions = [...running, ...drafts]
    for (let at = 0; at < 120; at++) {
      const item = addItem(state, at)
      const session = sessions[at % sessions.length]!
      const isRunning = running.includes(session)
      if (at % 10 > 0) addLot(state, session, item, at % 30 === 7 && !isRunning ? null : at + 1, isRunning)
    }
  }
  known.bidden = known.still.lot.splice(-30)
  return { known, lines }
}
