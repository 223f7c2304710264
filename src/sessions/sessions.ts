import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../context.ts'
import { violatedConstraint } from '../db/errors.ts'
import type { Database } from '../db/pool.ts'
import { readOne } from '../db/reads.ts'
import { touch } from '../db/touch.ts'
import { inTransaction } from '../db/transaction.ts'
import { fieldError, parseBody } from '../request/validation.ts'
import { Problem, validationFailed } from '../problems.ts'
import { parseId } from '../values/ids.ts'
import { parsePercentage } from '../values/percentages.ts'
import { selectSession, type SessionExpansion } from './queries.ts'
import { SessionUpdate, timingRanges, type SessionCreate } from './schema.ts'
import { checkChangedTiming, instantOf, type Timing } from './timing.ts'

type Sibling = Omit<Timing, 'opens_at' | 'first_closes_at' | 'live_closes_at'> & {
  kind: string
  created_at: Date | null
  buyer_premium_percentage: string | null
  increment_strategy_id: string | null
}

const fallback = {
  group_size: 1,
  interval_seconds: 60,
  extension_threshold_seconds: 120,
  extension_seconds: 120,
  buyer_premium_percentage: '0',
}

// The lock has the sessions of one auction created one after the other: each inherits from the one before.
async function lockAuction(tx: Database, house: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from catalogue.auctions
    where house_id = ${house} and public_id = ${parseId('auction', id)!} and not archived for no key update`.execute(tx)
  return rows[0]?.id
}

// The auction's sessions, most recently created first. Each is created after the one before it by `created_at` too,
// whatever the clocks of the instances say; a loaded one was created when its line says, and first where it says nothing.
async function findSiblings(tx: Database, house: string, auction: string): Promise<Sibling[]> {
  const { rows } = await sql<Sibling>`
    select kind, created_at, group_size, interval_seconds, extension_threshold_seconds, extension_seconds, buyer_premium_percentage::text,
      increment_strategy_id
    from catalogue.sessions where house_id = ${house} and auction_id = ${auction}
    order by created_at desc nulls last, id desc`.execute(tx)
  return rows
}

// The strategy with this UUID, else the house's first.
async function findStrategy(tx: Database, house: string, id: string | undefined): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from catalogue.increment_strategies
    where house_id = ${house} and (${id ?? null}::uuid is null or public_id = ${id ?? null}::uuid)
    order by created_at nulls last, id limit 1 for key share`.execute(tx)
  return rows[0]?.id
}

const taken = 'A session of the house has this external_reference already.'

async function refuseTaken(tx: Database, house: string, reference: string): Promise<void> {
  const { rows } = await sql`
    select id from catalogue.sessions where house_id = ${house} and external_reference = ${reference}`.execute(tx)
  if (rows.length > 0) throw new Problem('duplicate-reference', taken)
}

// What an older system has stored may be outside of what a session may have: it is not passed on.
function fits(name: keyof typeof timingRanges, value: number | null | undefined): boolean {
  const { minimum, maximum } = timingRanges[name]
  return value != null && value >= minimum && value <= maximum
}

/**
 * Creates an empty draft session (section 4.2). What the body leaves out comes, field by field, from the auction's
 * latest session (of the same kind, for the timing), else from the house, else is built in.
 * @throws Problem validation-failed, duplicate-reference, integrity-unavailable
 */
export async function createSession(
  context: Context,
  input: Static<typeof SessionCreate>,
  expand?: readonly SessionExpansion[],
) {
  const { house } = context
  const { timed, live } = input
  const uuid = randomUUID()
  const kind = timed ? 'timed' : 'live'
  try {
    return await inTransaction(context, async ({ db: tx }) => {
      const auction = await lockAuction(tx, house.id, input.auction)
      const siblings = auction === undefined ? [] : await findSiblings(tx, house.id, auction)
      const latest = siblings[0]
      const sameKind = siblings.find((sibling) => sibling.kind === kind)
      const strategyId = input.increment_strategy && parseId('increment_strategy', input.increment_strategy)
      const strategy =
        (strategyId === undefined ? latest?.increment_strategy_id : undefined) ??
        (await findStrategy(tx, house.id, strategyId))
      if (auction === undefined || strategy === undefined) {
        await refuseTaken(tx, house.id, input.external_reference)
        const found = { auction, increment_strategy: strategy }
        const missing = Object.entries(found).filter(([, id]) => id === undefined)
        throw validationFailed(missing.map(([field]) => fieldError(field, 'unavailable')))
      }
      const inherit = (name: keyof typeof timingRanges) =>
        timed
          ? ([timed[name], sameKind?.[name], house.defaults[name]].find((value) => fits(name, value)) ?? fallback[name])
          : null
      const premiums = [input.settings, latest, house.defaults].map((each) => each?.buyer_premium_percentage)
      const premium =
        premiums.find((value) => value && parsePercentage(value) !== undefined) ?? fallback.buyer_premium_percentage
      const now = new Date(Math.max(context.clock().getTime(), (latest?.created_at?.getTime() ?? 0) + 1))
      await sql`
        insert into catalogue.sessions (house_id, public_id, auction_id, external_reference, titles, kind, opens_at, first_closes_at,
          group_size, interval_seconds, extension_threshold_seconds, extension_seconds, live_closes_at,
          buyer_premium_percentage, increment_strategy_id, created_at, updated_at)
        values (${house.id}, ${uuid}, ${auction}, ${input.external_reference}, ${JSON.stringify({ [house.defaultLocale]: input.title })},
          ${kind}, ${instantOf(input.opens_at)}, ${instantOf(timed?.first_closes_at) ?? null}, ${inherit('group_size')},
          ${inherit('interval_seconds')}, ${inherit('extension_threshold_seconds')}, ${inherit('extension_seconds')},
          ${instantOf(live?.closes_at) ?? null}, ${premium}, ${strategy}, ${now}, ${now})`.execute(tx)
      return { uuid, document: await readOne(tx, selectSession(context, uuid, expand)) }
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'sessions_external_reference') throw error
    throw new Problem('duplicate-reference', taken)
  }
}

type StoredSession = Timing & {
  id: string
  kind: 'timed' | 'live'
  title: string | null
  buyer_premium_percentage: string | null
  published: boolean
  finished: boolean
  has_lots: boolean
}

// The state is read in a statement of its own, after the lock, which keeps lots from being added until the commit.
async function lockSession(tx: Database, house: Context['house'], uuid: string): Promise<StoredSession> {
  const locked = await sql<{ id: string }>`
    select id from catalogue.sessions where house_id = ${house.id} and public_id = ${uuid} for update`.execute(tx)
  if (!locked.rows[0]) throw new Problem('not-found', 'There is no such session.')
  const { rows } = await sql<StoredSession>`
    select id, kind, titles ->> ${house.defaultLocale} as title, opens_at, first_closes_at, group_size, interval_seconds,
      extension_threshold_seconds, extension_seconds, live_closes_at, buyer_premium_percentage::text, published, finished,
      exists (select from catalogue.lots l where l.house_id = s.house_id and l.session_id = s.id) as has_lots
    from catalogue.sessions s where house_id = ${house.id} and id = ${locked.rows[0].id}`.execute(tx)
  return rows[0]!
}

function findObstacle(session: StoredSession): string | undefined {
  if (session.published) return 'The session is published.'
  if (session.finished) return 'The session is finished.'
  return session.has_lots ? 'The session holds lots.' : undefined
}

function change(session: StoredSession, body: Static<typeof SessionUpdate>): StoredSession {
  const { title = session.title, settings = {}, timed, live } = body
  const changed = { ...session, ...settings, title }
  if (timed) Object.assign(changed, timed, { first_closes_at: instantOf(timed.first_closes_at) })
  if (live) changed.live_closes_at = instantOf(live.closes_at)!
  if (timed ?? live) changed.opens_at = instantOf(body.opens_at)!
  return changed
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
] as const

// What counts as the session's values: defaults where it has stored nothing, percentages and times as bodies give them.
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
 * Corrects an empty draft session (section 4.2); what is repeated or left out changes nothing.
 * @throws Problem not-found, session-not-editable, validation-failed, in this order
 */
export async function updateSession(
  context: Context,
  uuid: string,
  body: unknown,
  expand?: readonly SessionExpansion[],
): Promise<string> {
  const { house } = context
  return inTransaction(context, async ({ db: tx }) => {
    const inside = { ...context, db: tx }
    const stored = await lockSession(tx, house, uuid)
    const obstacle = findObstacle(stored)
    if (obstacle !== undefined) throw new Problem('session-not-editable', obstacle)
    const wanted = change(
      stored,
      parseBody(SessionUpdate, body, 'PATCH', (parsed) => checkChangedTiming(stored.kind, parsed)),
    )
    const [before, after] = [effective(stored, house), effective(wanted, house)]
    // What is stored to the microsecond stays so, unless the body changes it.
    const changed = editable
      .filter((name) => after[name] !== before[name])
      .map((name): [string, unknown] =>
        name === 'title'
          ? ['titles', sql`titles || jsonb_build_object(${house.defaultLocale}::text, ${wanted.title}::text)`]
          : [name, wanted[name]],
      )
    if (changed.length > 0) await touch(inside, 'sessions', stored.id, Object.fromEntries(changed))
    return readOne(inside.db, selectSession(inside, uuid, expand))
  })
}
