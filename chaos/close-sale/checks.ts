import assert from 'node:assert/strict'
import type { Event } from './history.ts'
import { checkJournal, type JournalRow } from './journal.ts'
import type { Order } from './orders.ts'
import type { Attempt } from './people.ts'
import { leastAfter, momentsAt, replay, type Replayed } from './replay.ts'
import type { PlannedSale } from './sale.ts'

type Moment = Replayed['moments'][number]

/** A sale's figures. `late`: see `Replayed`. `refusedWithRow`: refused bids that the journal has. */
export type Figures = {
  bids: number
  refused: Record<string, number>
  refusedWithRow: number
  unknown: number
  stored: number
  cancelled: number
  takenBack: number
  byJob: number
  byClerks: number
  extensions: number
  results: Record<string, number>
  late: number[]
}

const isState = (state: string) => (moment: Moment) => moment.result?.state === state
const closesAt = (time: string) => (moment: Moment) => moment.closes === Date.parse(time)

// What must have been true when an order was refused.
const refusals: Record<string, [RegExp, (found: string, attempt: Attempt) => (moment: Moment) => boolean]> = {
  'has a result': [/^the lot (?:lot_\S+ )?is (sold|unsold|withdrawn)/, (state) => isState(state)],
  'has closed': [
    /^the lot closed at (\S+)$/,
    (time, { outcome: { ended } }) =>
      (moment) =>
        closesAt(time)(moment) && moment.closes <= ended,
  ],
  'is too low': [
    /^amount must be at least/,
    (_, { order }) =>
      ({ current }) =>
        order.verb === 'bid' && order.amount < leastAfter(current),
  ],
  'has not closed': [
    /^the lot closes at (\S+)$/,
    (time, { outcome: { begun } }) =>
      (moment) =>
        closesAt(time)(moment) && moment.closes > begun,
  ],
  'closes too soon': [/^closes_at must be at or after /, () => () => true],
}

function checkRefusal(name: string, attempt: Attempt, replayed: Replayed): string {
  const { order, outcome } = attempt
  assert.ok('refused' in outcome)
  for (const [reason, [pattern, meets]] of Object.entries(refusals)) {
    const found = pattern.exec(outcome.refused)
    if (!found) continue
    const isTrue = meets(found[1] ?? '', attempt)
    assert.ok(
      momentsAt(replayed, outcome).some((moment) => isTrue(moment)),
      `${name}: ${JSON.stringify(order)} was refused without cause: ${outcome.refused}`,
    )
    return reason
  }
  return assert.fail(`${name}: ${JSON.stringify(order)} was refused: ${outcome.refused}`)
}

// What an acknowledged order left behind.
function isDone({ order, outcome }: Attempt): (moment: Moment) => boolean {
  assert.ok('done' in outcome)
  switch (order.verb) {
    case 'bid':
      return ({ bids }) => bids.has(order.amount)
    case 'cancel':
      return ({ bids }) => outcome.done.cancelled === undefined || bids.get(outcome.done.cancelled)?.cancelled === true
    case 'hold':
      return ({ held }) => held
    case 'release':
      return ({ held }) => !held
    case 'result':
      return isState(order.state)
    case 'back':
      return ({ result, closes }) => result === null && (order.closesAt === undefined || closes === order.closesAt)
    default:
      return () => true
  }
}

function isAbout(order: Order, lot: string): boolean {
  if (order.verb === 'closed') return !order.except.includes(lot)
  return order.verb !== 'finish' && order.lot === lot
}

/** Checks the histories of a finished sale against everything that was asked and answered, and against the journal. */
export function checkSale(
  sale: PlannedSale,
  histories: Map<string, Event[]>,
  attempts: Attempt[],
  journal: JournalRow[],
): Figures {
  const figures: Figures = {
    bids: 0,
    refused: {},
    refusedWithRow: 0,
    unknown: 0,
    stored: 0,
    cancelled: 0,
    takenBack: 0,
    byJob: 0,
    byClerks: 0,
    extensions: 0,
    results: {},
    late: [],
  }
  for (const { uuid, number } of sale.lots) {
    const name = `lot ${number} (${uuid})`
    const own = attempts.filter(({ order }) => isAbout(order, uuid))
    const replayed = replay(name, histories.get(uuid) ?? [], own)
    const last = replayed.moments.at(-1)!
    assert.ok(last.result, `${name} has no result`)
    for (const attempt of own) {
      const { order, outcome } = attempt
      if (!('lot' in order)) continue
      if (order.verb === 'bid') figures.bids++
      if ('unknown' in outcome) figures.unknown++
      else if ('refused' in outcome) {
        const reason = `${order.verb} ${checkRefusal(name, attempt, replayed)}`
        figures.refused[reason] = (figures.refused[reason] ?? 0) + 1
      } else
        assert.ok(
          momentsAt(replayed, outcome).some(isDone(attempt)),
          `${name}: ${JSON.stringify(order)} was acknowledged and is lost`,
        )
    }
    figures.refusedWithRow += checkJournal(name, uuid, replayed, journal, own)
    const { moments } = replayed
    figures.stored += last.bids.size
    figures.cancelled += [...last.bids.values()].filter(({ cancelled }) => cancelled).length
    figures.takenBack += moments.filter(({ result }, at) => result === null && moments[at - 1]?.result).length
    figures.byJob += replayed.late.length
    figures.byClerks += replayed.byClerks
    figures.extensions += replayed.extensions
    figures.results[last.result.state] = (figures.results[last.result.state] ?? 0) + 1
    figures.late.push(...replayed.late)
  }
  return figures
}
