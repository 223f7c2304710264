import { Command } from 'commander'
import type { SessionChange } from '../../../sales/sessions.ts'
import type { Context } from '../../../context.ts'
import { describeCommand, houseOption, printCount, printResult, utcOption, type CommonOptions } from '../../command.ts'
import { changeConfirmed, yesOption } from '../../confirm.ts'
import { changeRecords, withRecords } from '../named-records.ts'
import { sessionResults } from './session-results.ts'
import { printSession, type SessionDocument } from './session-line.ts'
import { delaySession, deleteSession, setSession } from './session-terms.ts'
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
      const { listSessions } = await import('../../list-queries.ts')
      const { published, externalReference: external_reference } = options
      const sessions = await listSessions(context, { auction, published, external_reference })
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
  .description('Sessions: a list, times and terms, publication, bidding, results and the end.')
  .addCommand(list)
  .addCommand(setSession)
  .addCommand(delaySession)
  .addCommand(deleteSession)
  .addCommand(sessionResults)

type MoveOptions = CommonOptions & { early?: boolean; yes?: boolean }

// What a command asks about before the move.
async function findWarning(context: Context, session: string, move: SessionMove): Promise<string | undefined> {
  if (move === 'enable-bidding') {
    const { findUnpriced } = await import('../../queries.ts')
    const numbers = await findUnpriced(context, session)
    if (numbers.length > 0)
      return `${printCount(numbers.length, 'active lot')} without a starting bid: ${numbers.join(', ')}`
  }
  if (move === 'finish') {
    const { countUndecided } = await import('../../queries.ts')
    const { lots, isFinished } = await countUndecided(context, session)
    if (lots > 0 && !isFinished) return `${printCount(lots, 'lot')} without a result`
  }
  return undefined
}

async function warnOfDraft(context: Context, session: string): Promise<void> {
  const { findDraftAuction } = await import('../../queries.ts')
  const auction = await findDraftAuction(context, session)
  if (auction !== undefined)
    process.stderr.write(
      `the auction ${auction} is a draft, so the public does not see the session: auctions publish ${auction}\n`,
    )
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
        const document = JSON.parse(json) as SessionDocument
        await printResult(document, options, (shown) => printSession(shown, names))
        if (move === 'publish') await warnOfDraft(context, session)
      }),
    )
  if (move === 'finish') command.option('--early', 'also while active lots of a timed session have not closed')
  if (move === 'finish' || move === 'enable-bidding') command.option(...yesOption)
  sessionsCommand.addCommand(command)
}
