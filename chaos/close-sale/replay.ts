import assert from 'node:assert/strict'
import { count, type Counts } from '../lib/counts.ts'
import { closeAfter, leastAfter } from '../lib/sale.ts'
import type { BidState, Event, LotState } from './history.ts'
import type { Attempt } from './people.ts'

/** How long a commit may be under way after its last change. Milliseconds. */
const commitMilliseconds = 10_000

/** Times are rounded to milliseconds. */
const roundedMilliseconds = 2

const decisionMilliseconds = 5 * 60_000

/** A lot between two transactions: after `transaction`, from `from` to the next one. */
export type Moment = LotState & { from: number; transaction: string; bids: Map<number, BidState> }

const standing = (bids: Map<number, BidState>): number | null => {
  const amounts = [...bids.values()].filter(({ cancelled }) => !cancelled).map(({ amount }) => amount)
  return amounts.length === 0 ? null : Math.max(...amounts)
}

const succeeded = ({ outcome }: Attempt) => !('refused' in outcome)

/** Whether an order that was carried out, or may have been, was under way at `at`. */
const couldCause = (attempt: Attempt, at: number) =>
  succeeded(attempt) &&
  attempt.outcome.begun <= at + roundedMilliseconds &&
  at <= attempt.outcome.ended + ('done' in attempt.outcome ? roundedMilliseconds : commitMilliseconds)

/**
 * Replays the transactions of a lot in the order of its lock, and checks each by the rules, which are written here
 * again. `attempts`: the orders about this lot. Returns its moments, and how long after it was due each result of the job
 * was recorded, in milliseconds.
 */
export function replay(name: string, events: Event[], attempts: Attempt[], counts: Counts) {
  const [first, ...rest] = events
  assert.ok(first && 'lot' in first, `${name} was not loaded`)
  let now: Moment = { ...first.lot, from: first.at, transaction: first.transaction, bids: new Map() }
  const [moments, late]: [Moment[], number[]] = [[now], []]
  const amounts = new Map(attempts.flatMap((each) => (each.order.verb === 'bid' ? [[each.order.amount, each]] : [])))
  let released = 0

  const explain = (what: string, at: number, fits: (attempt: Attempt) => boolean) =>
    assert.ok(
      attempts.some((attempt) => fits(attempt) && couldCause(attempt, at)),
      `${name}: ${what} at ${new Date(at).toISOString()} and no clerk asked for it`,
    )

  // Returns the close after the bid.
  function checkBid({ amount, placed }: BidState): number {
    const attempt = amounts.get(amount)
    assert.ok(attempt && succeeded(attempt), `${name}: the bid ${amount} is stored, and was refused`)
    assert.equal(now.result, null, `${name}: the bid ${amount} comes after the result`)
    assert.ok(amount >= leastAfter(now.current), `${name}: the bid ${amount} follows ${now.current}`)
    assert.ok(placed < now.closes, `${name}: the bid ${amount} was placed at or after the close`)
    const closes = closeAfter(now.closes, placed)
    if (closes > now.closes) count(counts, 'extensions')
    return closes
  }

  function checkResult(result: LotState['result'] & object, bids: Moment['bids'], at: number) {
    assert.equal(now.result, null, `${name}: a result replaces another one`)
    const highest = standing(bids)
    for (const { placed, amount } of bids.values())
      assert.ok(placed <= result.at, `${name}: the bid ${amount} is later than the result`)
    assert.equal(result.amount, result.state === 'sold' ? highest : null, `${name}: the price is not the highest bid`)
    const clerk = (attempt: Attempt) =>
      (attempt.order.verb === 'result' && attempt.order.state === result.state) ||
      (attempt.order.verb === 'closed' && !now.held && (result.state === 'sold') === (highest !== null))
    if (attempts.some((attempt) => clerk(attempt) && couldCause(attempt, at))) return count(counts, 'results of clerks')
    assert.equal(result.state, highest === null ? 'unsold' : 'sold', `${name}: the job ignores the bids`)
    assert.ok(!now.held, `${name}: the job decided a held lot`)
    assert.ok(now.closes <= at, `${name}: the job decided before the close`)
    assert.ok(at - now.closes < decisionMilliseconds, `${name}: the job decided too late`)
    late.push(at - Math.max(now.closes, released))
  }

  for (let index = 0; index < rest.length;) {
    const { transaction, at } = rest[index]!
    const group: Event[] = []
    while (rest[index]?.transaction === transaction) group.push(rest[index++]!)
    const next: Moment = { ...now, from: at, transaction, bids: new Map(now.bids) }
    let closes = now.closes
    for (const event of group) {
      if ('lot' in event) {
        Object.assign(next, event.lot)
        continue
      }
      const { bid } = event
      const known = now.bids.get(bid.amount)
      if (known) {
        assert.ok(bid.cancelled && !known.cancelled, `${name}: the bid ${bid.amount} changes`)
        assert.equal(now.result, null, `${name}: the bid ${bid.amount} is cancelled after the result`)
        explain(`the bid ${bid.amount} is cancelled`, at, ({ order }) => order.verb === 'cancel')
      } else closes = checkBid(bid)
      next.bids.set(bid.amount, bid)
    }
    assert.equal(next.current, standing(next.bids), `${name}: the current bid is not the highest that stands`)
    if (now.result !== null && next.result === null) {
      explain('a result is taken back', at, ({ order }) => order.verb === 'back')
      assert.ok(next.held, `${name}: taken back and not held`)
    } else if (JSON.stringify(now.result) !== JSON.stringify(next.result)) checkResult(next.result!, next.bids, at)
    else if (next.held !== now.held && next.closes === closes)
      explain(
        `held is ${next.held}`,
        at,
        ({ order }) => order.verb === (next.held ? 'hold' : 'release') || order.verb === 'back',
      )
    if (next.closes !== closes)
      explain('the close moves', at, ({ order }) => order.verb === 'back' && order.closesAt === next.closes)
    if (now.held && !next.held) released = at
    moments.push(next)
    now = next
  }
  return { moments, late }
}

/** The moments of a lot that an order can have met. */
export function momentsAt(moments: Moment[], { begun, ended }: { begun: number; ended: number }): Moment[] {
  return moments.filter(({ from }, index) => {
    const until = moments[index + 1]?.from ?? Infinity
    return from <= ended + 1_000 && until + commitMilliseconds >= begun
  })
}
