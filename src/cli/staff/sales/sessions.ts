import { Command } from 'commander'
import type { SessionChange } from '../../../sales/sessions.ts'
import type { Context } from '../../../context.ts'
import type { LotDocument } from '../lots/lot-line.ts'
import { describeCommand, houseOption, printCount, say, utcOption, type CommonOptions } from '../../command.ts'
import { changeConfirmed, yesOption } from '../../confirm.ts'
import { changeRecords, withRecords } from '../named-records.ts'
import { sessionResults } from './session-results.ts'
import { printSession, type CountedSession, type SessionDocument } from './session-line.ts'
import { createSession, delaySession, deleteSession, setSession } from './session-terms.ts'
import { printList } from '../../table.ts'
import { printTime } from '../../times.ts'

// The commands that set one flag each.
const moves = {
  publish: ['Publish a session.', { published: true }],
  unpublish: ['Unpublish a session. From then on it takes no bids.', { published: false }],
  finish: ['Finish a session. From then on it takes no bids. This cannot be undone.', { finished: true }],
  'enable-bidding': [
    'Let customers bid in an unfinished session, once it is published and has opened.',
    { customer_bidding_enabled: true },
  ],
  'disable-bidding': ['Stop taking bids in a session.', { customer_bidding_enabled: false }],
} as const satisfies Record<string, [description: string, change: SessionChange]>
type SessionMove = keyof typeof moves

type State = Pick<SessionDocument, 'published' | 'finished' | 'customer_bidding_enabled' | 'opens_at'>

function describeState({ published, finished, customer_bidding_enabled, opens_at }: State): string {
  if (!published) return finished ? 'draft, finished' : 'draft'
  if (finished) return 'finished'
  if (!customer_bidding_enabled) return 'published'
  return opens_at !== null && new Date(opens_at) <= new Date() ? 'bidding' : 'not open yet'
}

const load = () => Promise.all([import('../../../reads/lists.ts'), import('../../../sessions/queries.ts')])

type Filters = { auction?: string; published?: boolean; externalReference?: string }

const list = describeCommand('list', 'List the sessions of a house, the latest first, with the number of lots.')
  .option(...houseOption)
  .option('--auction <id>', 'only the sessions of this auction, by its id or external reference')
  .option('--published', 'only published sessions')
  .option('--no-published', 'only sessions that are not published, or hidden')
  .option('--external-reference <text>', 'only the session with this external reference')
  .option(...utcOption)
  .action((options: CommonOptions & Filters) =>
    withRecords({ auction: options.auction }, options, async (context, { auction }) => {
      const [{ listRecords }, { selectSessions }] = await load()
      const { published, externalReference: external_reference } = options
      const filters = { auction, published, external_reference, 'expand[]': ['auction', 'counts'] as const }
      const found = await listRecords<CountedSession>(selectSessions(context, filters))
      const sessions = found.map(({ id, title, auction, kind, opens_at, counts, ...session }) => ({
        id,
        external_reference: session.external_reference,
        title,
        auction: auction.id,
        auction_reference: auction.external_reference,
        kind,
        opens_at,
        published: session.published,
        finished: session.finished,
        customer_bidding_enabled: session.customer_bidding_enabled,
        lots: counts.lots,
        active_lots: counts.active,
      }))
      await printList(sessions, 'session', options, [
        { heading: 'session', show: (session) => session.external_reference ?? session.id ?? '-' },
        { heading: 'title', kind: 'text', show: (session) => session.title ?? '-' },
        { heading: 'state', show: describeState },
        { heading: 'opens', show: (session) => printTime(session.opens_at, options) },
        { heading: 'lots', kind: 'number', show: (session) => String(session.lots) },
        { heading: 'active', kind: 'number', show: (session) => String(session.active_lots) },
        { heading: 'kind', show: (session) => session.kind },
        { heading: 'auction', show: (session) => session.auction_reference ?? session.auction ?? '-' },
        { heading: 'id', show: (session) => session.id ?? '-' },
      ])
    }),
  )

/** `catalogue sessions …` */
export const sessionsCommand = new Command('sessions')
  .description('Sessions: a list, new ones, times and terms, publication, bidding, results and the end.')
  .addCommand(list)
  .addCommand(createSession)
  .addCommand(setSession)
  .addCommand(delaySession)
  .addCommand(deleteSession)
  .addCommand(sessionResults)

type MoveOptions = CommonOptions & { early?: boolean; yes?: boolean }

// Also a session that cannot be shown with its auction: whether it may be changed is for the rules.
async function findSession(context: Context, session: string): Promise<CountedSession | undefined> {
  const [{ listRecords }, { selectSession }] = await load()
  const [found] = await listRecords<CountedSession>(selectSession(context, session, ['auction', 'counts']))
  return found
}

// What a command asks about before the move.
async function findWarning(context: Context, session: string, move: SessionMove): Promise<string | undefined> {
  if (move === 'enable-bidding') {
    const { listLotsOf } = await import('../../session-lots.ts')
    const numbers = (await listLotsOf<LotDocument>(context, session))
      .filter(({ active, starting_bid, current_bid }) => active && starting_bid === null && current_bid === null)
      .map(({ lot_number }) => lot_number)
    if (numbers.length > 0)
      return `${printCount(numbers.length, 'active lot')} without a starting bid: ${numbers.join(', ')}`
  }
  if (move === 'finish') {
    const found = await findSession(context, session)
    const lots = found?.finished ? 0 : (found?.counts.without_result ?? 0)
    if (lots > 0) return `${printCount(lots, 'lot')} without a result`
  }
  return undefined
}

async function warnOfDraft(context: Context, session: string): Promise<void> {
  const auction = (await findSession(context, session))?.auction
  if (auction?.published !== false) return
  const name = auction.external_reference ?? auction.id
  say(`the auction ${name} is a draft, so the public does not see the session: auctions publish ${name}`)
}

for (const move of Object.keys(moves) as SessionMove[]) {
  const [description, change] = moves[move]
  const command = describeCommand(move, description)
    .argument('<id>', 'the id or external reference of the session')
    .option(...houseOption)
    .action((session: string, options: MoveOptions) =>
      changeRecords({ session }, options, async (context, { session }, names) => {
        const { changeSession } = await import('../../../sales/sessions.ts')
        const accepted = { early: options.early, allowWithoutResult: true }
        const warning = await findWarning(context, session, move)
        const { json } = await changeConfirmed(context, warning, options, (context) =>
          changeSession(context, session, change, accepted),
        )
        await printSession(json, names, options)
        if (move === 'publish') await warnOfDraft(context, session)
      }),
    )
  if (move === 'finish') command.option('--early', 'also while active lots of a timed session have not closed')
  if (move === 'finish' || move === 'enable-bidding') command.option(...yesOption)
  sessionsCommand.addCommand(command)
}
