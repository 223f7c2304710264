import assert from 'node:assert/strict'
import { count, type Counts } from '../lib/counts.ts'
import { leastAfter, type PlannedSale } from '../lib/sale.ts'
import type { Event } from './history.ts'
import { checkJournal, type JournalRow } from './journal.ts'
import type { Order } from './orders.ts'
import type { Attempt } from './people.ts'
import { momentsAt, replay, type Moment } from './replay.ts'

/** A sale's figures. `late`: how long after it was due each result of the job was recorded, in milliseconds. */
export type Figures = { counts: Counts; refused: Counts; results: Counts; late: number[] }

// What must have been true when an order was refused.
const refusals: Record<string, [RegExp, (moment: Moment, found: string, attempt: Attempt) => boolean]> = {
  'has a result': [/^the lot (?:lot_\S+ )?is (sold|unsold|withdrawn)/, ({ result }, state) => result?.state === state],
  'has closed': [
    /^the lot closed at (\S+)$/,
    ({ closes }, time, { outcome }) => closes === Date.parse(time) && closes <= outcome.ended,
  ],
  'is too low': [
    /^amount must be at least/,
    ({ current }, _, { order }) => order.verb === 'bid' && order.amount < leastAfter(current),
  ],
  'has not closed': [
    /^the lot closes at (\S+)$/,
    ({ closes }, time, { outcome }) => closes === Date.parse(time) && closes > outcome.begun,
  ],
  'closes too soon': [/^--closes-at must be at or after /, () => true],
}

function checkRefusal(name: string, attempt: Attempt, refused: string, moments: Moment[]): string {
  const what = `${name}: ${JSON.stringify(attempt.order)} was refused`
  for (const [reason, [pattern, meets]] of Object.entries(refusals)) {
    const found = pattern.exec(refused)
    if (!found) continue
    const isTrue = moments.some((moment) => meets(moment, found[1] ?? '', attempt))
    assert.ok(isTrue, `${what} without cause: ${refused}`)
    return `${attempt.order.verb} ${reason}`
  }
  return assert.fail(`${what}: ${refused}`)
}

// What an acknowledged order left behind.
function isDone(order: Order, cancelled: number | undefined): (moment: Moment) => boolean {
  switch (order.verb) {
    case 'bid':
      return ({ bids }) => bids.has(order.amount)
    case 'cancel':
      return ({ bids }) => cancelled === undefined || bids.get(cancelled)?.cancelled === true
    case 'hold':
    case 'release':
      return ({ held }) => held === (order.verb === 'hold')
    case 'result':
      return ({ result }) => result?.state === order.state
    case 'back':
      return ({ result, closes }) => result === null && closes === (order.closesAt ?? closes)
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
  { lots }: PlannedSale,
  histories: Map<string, Event[]>,
  attempts: Attempt[],
  journal: JournalRow[],
): Figures {
  const [counts, refused, results]: [Counts, Counts, Counts] = [{}, {}, {}]
  const allLate: number[] = []
  for (const [index, { uuid }] of lots.entries()) {
    const name = `lot ${index + 1} (${uuid})`
    const own = attempts.filter(({ order }) => isAbout(order, uuid))
    const { moments, late } = replay(name, histories.get(uuid) ?? [], own, counts)
    allLate.push(...late)
    const last = moments.at(-1)!
    assert.ok(last.result, `${name} has no result`)
    count(results, last.result.state)
    for (const attempt of own) {
      const { order, outcome } = attempt
      if (!('lot' in order)) continue
      if (order.verb === 'bid') count(counts, 'bids')
      const met = momentsAt(moments, outcome)
      if ('unknown' in outcome) count(counts, 'answers lost')
      else if ('refused' in outcome) count(refused, checkRefusal(name, attempt, outcome.refused, met))
      else {
        const isKept = met.some(isDone(order, outcome.done.cancelled))
        assert.ok(isKept, `${name}: ${JSON.stringify(order)} was acknowledged and is lost`)
      }
    }
    count(counts, 'refused bids in the journal', checkJournal(name, uuid, moments, journal, own))
    const bids = [...last.bids.values()]
    count(counts, 'stored', bids.length)
    count(counts, 'cancelled', bids.filter(({ cancelled }) => cancelled).length)
    const isTakenBack = ({ result }: Moment, at: number) => result === null && moments[at - 1]?.result
    count(counts, 'results taken back', moments.filter(isTakenBack).length)
  }
  return { counts, refused, results, late: allLate }
}
