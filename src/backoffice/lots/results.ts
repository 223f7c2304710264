import type { Context, Written } from '../../context.ts'
import { noteResult, sessionOf } from '../../lots/journal.ts'
import { lockDecided, writeResults, type ResultChange, type StoredLot } from '../../lots/result-statements.ts'
import {
  findReopeningObstacle,
  findResultObstacle,
  hasClosed,
  isSameResult,
  placeOf,
  resultOf,
  resultOfBids,
  type Decision,
  type Justification,
  type ResultObstacle,
} from '../../lots/results.ts'
import { lockFlags } from '../../sessions/statements.ts'
import { printId } from '../../values/ids.ts'
import { printMoney } from '../../values/typed-money.ts'
import { readTime } from '../../writes/time.ts'
import { inTransaction } from '../../writes/transaction.ts'
import { readLots } from './lots.ts'
import { describeMissing, requireRecord } from '../named-records.ts'
import { Refusal } from '../refusal.ts'

/** What staff decided about a lot, and why. `lot`, and `with`, the lot that it was sold together with: their UUIDs. */
export type LotDecision = Decision & Justification & { lot: string; with?: string | undefined }

/** Why a result cannot be recorded: the index of the decision, and the obstacle. */
export type ResultProblem = ResultObstacle & { index: number }

/** A refusal to record any of the results. The message is the first problem. */
export class ResultsRefusal extends Refusal {
  readonly problems: ResultProblem[]

  constructor(problems: ResultProblem[]) {
    const { reason, field, code, minimum, problem } = problems[0]!
    super(problem, { reason, field, code, minimum })
    this.problems = problems
  }
}

/** The documents of the lots, and how many of them have a new result. */
export type RecordedResults = { documents: string[]; changed: number }

const describeObstacle = ({ minimum, problem }: ResultObstacle, { house }: Context): string =>
  minimum === undefined ? problem : `${problem} ${printMoney({ amount: minimum, currency: house.currency })}`

/**
 * Records results, all or none. A repeated result changes nothing. Returns the documents in the order of the decisions.
 * @throws ResultsRefusal if a lot is missing or named twice, or cannot get its result now; LotsRefusal if a lot could
 *   not be shown
 */
export async function recordResults(context: Context, decisions: readonly LotDecision[]): Promise<RecordedResults> {
  return inTransaction(context, (tx) => recordNamed(tx, decisions, true))
}

/** Records the result of one lot, as `recordResults` does, and returns its document. */
export async function recordResult(context: Context, decision: LotDecision): Promise<string> {
  return inTransaction(context, (tx) => recordLocked(tx, decision))
}

/** As `recordResult`, in a transaction. */
export async function recordLocked(tx: Context, decision: LotDecision): Promise<string> {
  return (await recordNamed(tx, [decision], false)).documents[0]!
}

async function recordNamed(tx: Context, decisions: readonly LotDecision[], isOfSession: boolean) {
  const uuids = decisions.flatMap((each) => (each.with === undefined ? [each.lot] : [each.lot, each.with]))
  const locked = await lockDecided(tx, { uuids: [...new Set(uuids)] })
  const changed = await decide({ ...tx, now: await readTime(tx) }, locked, decisions, isOfSession)
  const documents = await readLots(
    tx,
    decisions.map(({ lot }) => lot),
  )
  return { documents, changed }
}

// Decides locked lots, a carrier before what it carries and after what it carried, and writes all results at once.
async function decide(
  tx: Context,
  locked: StoredLot[],
  decisions: readonly LotDecision[],
  isOfSession: boolean,
): Promise<number> {
  const lots = new Map(locked.map((lot) => [lot.public_id, lot]))
  const problems: ResultProblem[] = []
  const changes = new Map<string, ResultChange>()
  const seen = new Set<string>()
  const found = decisions.flatMap((decision, index) => {
    const { lot: uuid, with: other } = decision
    const lot = lots.get(uuid)
    const carrier = other === undefined ? undefined : lots.get(other)
    const refuse = (obstacle: ResultObstacle) => (problems.push({ ...obstacle, index }), [])
    if (!lot) return refuse({ problem: describeMissing('lot', uuid, tx.house), field: 'lot', code: 'unavailable' })
    if (seen.has(uuid))
      return refuse({ problem: `the lot ${printId('lot', uuid)} is named twice`, field: 'lot', code: 'duplicate' })
    seen.add(uuid)
    if (other !== undefined && !carrier)
      return refuse({ problem: describeMissing('lot', other, tx.house), field: 'with', code: 'unavailable' })
    const wanted = resultOf(lot, decision, carrier)
    return [{ index, decision, lot, carrier, wanted, place: placeOf(lot, wanted) }]
  })
  const byId = new Map(locked.map((lot) => [lot.id, lot]))
  for (const { index, decision, lot, carrier, wanted } of found.toSorted((a, b) => a.place - b.place)) {
    const obstacle = findResultObstacle(lot, wanted, tx.now, decision, carrier)
    if (obstacle) problems.push({ ...obstacle, problem: describeObstacle(obstacle, tx), index })
    else if (!isSameResult(lot.result, wanted)) {
      const terms = {
        ...(decision.reason && { reason: decision.reason }),
        ...(isOfSession && { about: sessionOf(lot) }),
      }
      noteResult(tx, lot, { result: wanted, held: false, carrier: carrier?.public_id }, terms)
      // Later decisions see it.
      const freed = byId.get(lot.result?.with ?? '')
      if (freed) freed.carried -= 1
      if (carrier) carrier.carried += 1
      lot.result = wanted
      changes.set(lot.id, { id: lot.id, result: wanted, held: false })
    }
  }
  if (problems.length > 0) throw new ResultsRefusal(problems.toSorted((a, b) => a.index - b.index))
  if (changes.size > 0) await writeResults(tx, [...changes.values()])
  return changes.size
}

/** Which closed lots of a session get a result: by their UUIDs, those that stay without one, and those that are unsold. */
export type Choice = { except?: readonly string[]; unsold?: readonly string[] }

/**
 * Records for the closed lots of a timed session without a result what the job would have. Held lots stay without one,
 * unless they are among `unsold`. Returns the documents of the decided lots, and how many held ones are left.
 * @throws Refusal if the session is live; ResultsRefusal if a lot of `unsold` cannot be
 */
export async function recordClosedLots(
  context: Context,
  uuid: string,
  choice: Choice,
): Promise<RecordedResults & { held: number }> {
  return inTransaction(context, (tx) => recordClosed(tx, uuid, choice))
}

async function recordClosed(tx: Context, uuid: string, { except = [], unsold = [] }: Choice) {
  const session = requireRecord('session', uuid, (await lockFlags(tx, [uuid]))[0])
  if (session.kind === 'live')
    throw new Refusal('the results of a live session come from the room: record them with a file, or lot by lot', {
      field: 'results',
    })
  const both = unsold.find((lot) => except.includes(lot))
  if (both !== undefined)
    throw new Refusal(`the lot ${printId('lot', both)} is left out, and unsold too`, { field: 'unsold' })
  const lots = await lockDecided(tx, { session: session.id })
  const known = new Set(lots.map((lot) => lot.public_id))
  for (const [name, chosen] of Object.entries({ except, unsold }))
    for (const [index, lot] of chosen.entries())
      if (!known.has(lot))
        throw new Refusal(describeMissing('lot', lot, tx.house), { field: `${name}.${index}`, code: 'unavailable' })
  const now = await readTime(tx)
  const leftOut = new Set([...except, ...unsold])
  const open = lots.filter((lot) => lot.active && lot.result === null && hasClosed(lot, now))
  const free = open.filter((lot) => lot.public_id !== null && !leftOut.has(lot.public_id))
  const decisions: LotDecision[] = [
    ...free.filter((lot) => !lot.held).map((lot) => ({ lot: lot.public_id!, state: resultOfBids(lot).state })),
    ...Array.from(new Set(unsold), (lot) => ({ lot, state: 'unsold' as const })),
  ]
  const changed = await decide({ ...tx, now }, lots, decisions, true)
  const documents = await readLots(
    tx,
    decisions.map(({ lot }) => lot),
  )
  return { documents, changed, held: free.filter((lot) => lot.held).length }
}

/**
 * Takes the result of a lot back, and holds the lot. With `closesAt` a timed lot takes bids again until then; its
 * schedule stays. Repeating it without `closesAt` changes nothing. Returns the lot's document.
 * @throws Refusal if there is no such lot, or its result cannot be taken back now
 */
export async function takeBackResult(
  context: Context,
  uuid: string,
  reopening: Justification & { closesAt?: Date | undefined },
): Promise<string> {
  return inTransaction(context, async (tx) => {
    await takeBackLocked(tx, uuid, reopening)
    return (await readLots(tx, [uuid]))[0]!
  })
}

/** As `takeBackResult`, in a transaction. */
export async function takeBackLocked(
  tx: Context,
  uuid: string,
  { closesAt, ...why }: Justification & { closesAt?: Date | undefined },
): Promise<void> {
  const lot = requireRecord('lot', uuid, (await lockDecided(tx, { uuids: [uuid] }))[0])
  const now = await readTime(tx)
  const obstacle = findReopeningObstacle(lot, now, why, closesAt)
  if (obstacle) throw new Refusal(obstacle.problem, obstacle)
  if (lot.result !== null || closesAt !== undefined) {
    const open = { id: lot.id, result: null, held: true, closes_at: closesAt }
    noteResult(tx, lot, open, { ...(why.reason && { reason: why.reason }) })
    await writeResults({ ...tx, now }, [open])
  }
}

/** What is recorded for lots of a session: what the job would have, or what staff decided. */
export type SessionResults = Choice & { results?: readonly LotDecision[] | undefined }

/**
 * Records results of a session's lots, as `recordClosedLots` or `recordResults` does, and returns the lots as a list.
 * @throws Refusal if there is no such session, and as they do
 */
export async function recordSessionResults(context: Context, uuid: string, given: SessionResults): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const session = requireRecord('session', uuid, (await lockFlags(tx, [uuid]))[0])
    const { results } = given
    const { documents } = results ? await recordInSession(tx, session.id, results) : await recordClosed(tx, uuid, given)
    return { json: `[${documents.join(',')}]` }
  })
}

async function recordInSession(tx: Context, session: string, decisions: readonly LotDecision[]) {
  const lots = await lockDecided(tx, { session })
  const changed = await decide({ ...tx, now: await readTime(tx) }, lots, decisions, true)
  const uuids = decisions.map(({ lot }) => lot)
  return { documents: await readLots(tx, uuids), changed }
}
