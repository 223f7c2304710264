import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { lockAuction } from '../auctions/auctions.ts'
import type { Context, ResultsMode, Written } from '../context.ts'
import { readWritten, requireLocked, inTransaction } from '../writes/transaction.ts'
import { refuseTaken, requireFreeReference } from '../writes/external-references.ts'
import { fieldError, parseBody } from '../http/body/validation.ts'
import { Problem, validationFailed, type Reason } from '../problems.ts'
import { parseId, printId } from '../values/ids.ts'
import { parsePercentage } from '../values/percentages.ts'
import { selectSession, type SessionExpansion } from './queries.ts'
import { SessionUpdate, timingRanges, type SessionCreate, type SessionTerms } from './schema.ts'
import { findSiblings, lockSession, lockStrategy } from './statements.ts'
import { checkChangedTiming, checkTerms, findPast, instantOf } from './timing.ts'
import { insertSession, touchSession } from './touch.ts'

const fallback = {
  group_size: 1,
  interval_seconds: 60,
  extension_threshold_seconds: 120,
  extension_seconds: 120,
  buyer_premium_percentage: '0',
}

// Sessions from older systems may have values out of range. New sessions do not inherit those.
function fits(name: keyof typeof timingRanges, value: number | null | undefined): boolean {
  const { minimum, maximum } = timingRanges[name]
  return value != null && value >= minimum && value <= maximum
}

/**
 * Creates an empty draft session (section 4.2). An omitted field comes from the auction's latest session (for timing:
 * the latest of the same kind), else from the house, else it has a built-in default. `results`: who records
 * them, if not as the house chose.
 * @throws Problem validation-failed, duplicate-reference, integrity-unavailable
 */
export async function createSession(
  context: Context,
  input: Static<typeof SessionCreate>,
  expand?: readonly SessionExpansion[],
  results?: ResultsMode,
): Promise<Written> {
  const { house } = context
  const { timed, live, external_reference, title } = input
  const uuid = randomUUID()
  const kind = timed ? 'timed' : 'live'
  try {
    return await inTransaction(context, async (tx) => {
      // Each session inherits from the one before, so the lock lets only one create per auction run.
      const auction = await lockAuction(tx, parseId('auction', input.auction)!)
      const siblings = auction ? await findSiblings(tx, auction.id) : []
      const latest = siblings[0]
      const sameKind = siblings.find((sibling) => sibling.kind === kind)
      const strategyId = input.increment_strategy && parseId('increment_strategy', input.increment_strategy)
      const strategy =
        (strategyId === undefined ? latest?.increment_strategy_id : undefined) ?? (await lockStrategy(tx, strategyId))
      if (auction === undefined || strategy === undefined) {
        await requireFreeReference(tx, 'session', external_reference)
        const noDefault = strategyId === undefined ? 'is left out, and the house has none to use' : undefined
        const errors = [
          auction === undefined && fieldError('auction', 'unavailable'),
          strategy === undefined && fieldError('increment_strategy', 'unavailable', noDefault),
        ]
        throw validationFailed(errors.filter((error) => error !== false))
      }
      const inherit = (name: keyof typeof timingRanges) =>
        timed
          ? ([timed[name], sameKind?.[name], house.defaults[name]].find((value) => fits(name, value)) ?? fallback[name])
          : null
      const premiums = [input.settings, latest, house.defaults].map((each) => each?.buyer_premium_percentage)
      const premium =
        premiums.find((value) => value && parsePercentage(value) !== undefined) ?? fallback.buyer_premium_percentage
      const now = new Date(Math.max(context.clock().getTime(), (latest?.created_at?.getTime() ?? 0) + 1))
      const values = {
        external_reference,
        title,
        kind,
        opens_at: instantOf(input.opens_at)!,
        first_closes_at: instantOf(timed?.first_closes_at) ?? null,
        group_size: inherit('group_size'),
        interval_seconds: inherit('interval_seconds'),
        extension_threshold_seconds: inherit('extension_threshold_seconds'),
        extension_seconds: inherit('extension_seconds'),
        live_closes_at: instantOf(live?.closes_at) ?? null,
        buyer_premium_percentage: premium,
        ...(results && { results }),
      } as const
      const columns = {
        public_id: uuid,
        auction_id: auction.id,
        increment_strategy_id: strategy,
        results: results ?? house.defaults.results,
        created_at: now,
        updated_at: now,
      }
      const parents = {
        auction: printId('auction', parseId('auction', input.auction)!),
        ...(strategyId && { increment_strategy: printId('increment_strategy', strategyId) }),
      }
      await insertSession(tx, values, columns, parents)
      const written = await readWritten(tx, selectSession(tx, uuid, expand))
      return { id: printId('session', uuid), ...written, warnings: findPast(input, context.now) }
    })
  } catch (error) {
    return refuseTaken('session', external_reference)(error)
  }
}

/** A session that `lockSession` has locked. */
export type StoredSession = NonNullable<Awaited<ReturnType<typeof lockSession>>>

function findReason({ finished, published, hidden, has_lots }: StoredSession): Reason | undefined {
  if (finished) return 'finished'
  if (published) return hidden ? 'hidden' : 'published'
  return has_lots ? 'has_lots' : undefined
}

// The session as a body makes it. An omitted field stays.
function merge(stored: StoredSession, body: Static<typeof SessionTerms>): StoredSession {
  const { title = stored.title, settings, opens_at, timed, live } = body
  return {
    ...stored,
    ...settings,
    ...timed,
    title,
    opens_at: instantOf(opens_at) ?? stored.opens_at,
    first_closes_at: instantOf(timed?.first_closes_at) ?? stored.first_closes_at,
    live_closes_at: instantOf(live?.closes_at) ?? stored.live_closes_at,
  }
}

const editable = [
  'title',
  'opens_at',
  'first_closes_at',
  'live_closes_at',
  'group_size',
  'interval_seconds',
  'extension_threshold_seconds',
  'extension_seconds',
  'buyer_premium_percentage',
  'increment_strategy_id',
] as const

// The session's values in the shape of a body, with defaults for unset values.
function effective(session: StoredSession, { defaults }: Context['house']) {
  const premium =
    session.buyer_premium_percentage ?? defaults.buyer_premium_percentage ?? fallback.buyer_premium_percentage
  const valueOf = (name: 'extension_threshold_seconds' | 'extension_seconds') =>
    session[name] ?? defaults[name] ?? fallback[name]
  const secondOf = (instant: Date | null) => instant && Math.floor(instant.getTime() / 1000)
  return {
    ...session,
    opens_at: secondOf(session.opens_at),
    first_closes_at: secondOf(session.first_closes_at),
    live_closes_at: secondOf(session.live_closes_at),
    buyer_premium_percentage: parsePercentage(premium) ?? premium,
    extension_threshold_seconds: valueOf('extension_threshold_seconds'),
    extension_seconds: valueOf('extension_seconds'),
  }
}

/**
 * Corrects an empty draft session (section 4.2). An omitted or repeated value changes nothing.
 * @throws Problem not-found, precondition-failed, precondition-required, session-not-editable, validation-failed, in
 *   this order
 */
export async function changeDraftSession(
  context: Context,
  uuid: string,
  body: unknown,
  expand?: readonly SessionExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly SessionExpansion[]) => selectSession(tx, uuid, names)
    const stored = await requireLocked(tx, await lockSession(tx, uuid), select, 'session')
    const reason = findReason(stored)
    if (reason !== undefined)
      throw new Problem('session-not-editable', undefined, {
        causes: [{ reason, record: { kind: 'session', uuid } }],
      })
    const parsed = parseBody(SessionUpdate, body, 'PATCH', (fields) => checkChangedTiming(stored.kind, fields))
    await writeChange(tx, stored, merge(stored, parsed))
    return { ...(await readWritten(tx, select(expand))), warnings: findPast(parsed, context.now) }
  })
}

async function writeChange(tx: Context, stored: StoredSession, wanted: StoredSession): Promise<boolean> {
  const [before, after] = [effective(stored, tx.house), effective(wanted, tx.house)]
  // A stored time keeps its fraction of a second unless the body changes it.
  const changed = editable.filter((name) => after[name] !== before[name])
  const columns = Object.fromEntries(changed.map((name) => [name, wanted[name]]))
  const { increment_strategy } = wanted
  return touchSession(tx, stored, { ...columns, ...('increment_strategy_id' in columns && { increment_strategy }) })
}

/**
 * Changes the terms of a session that `lockSession` has locked, whether or not it has lots. An omitted or repeated value
 * changes nothing. Returns the session as it is then, and whether it changed. The caller computes the closing times.
 * @throws Problem validation-failed
 */
export async function writeTerms(
  tx: Context,
  stored: StoredSession,
  terms: Static<typeof SessionTerms>,
): Promise<{ session: StoredSession; hasChanged: boolean }> {
  const session = merge(stored, terms)
  const errors = checkTerms(session, terms)
  if (terms.increment_strategy !== undefined) {
    session.increment_strategy = parseId('increment_strategy', terms.increment_strategy)!
    const id = await lockStrategy(tx, session.increment_strategy)
    if (id === undefined) errors.push(fieldError('increment_strategy', 'unavailable'))
    else session.increment_strategy_id = id
  }
  if (errors.length > 0) throw validationFailed(errors)
  return { session, hasChanged: await writeChange(tx, stored, session) }
}
