import { Command } from 'commander'
import type { Static } from 'typebox'
import type { Names } from '../../backoffice/named-records.ts'
import type { SessionMove } from '../../backoffice/sessions.ts'
import type { Session } from '../../sessions/schema.ts'
import { describeCommand, houseOption, printResult, utcOption, type CommonOptions } from '../command.ts'
import { changeRecords, withRecords } from './named-records.ts'
import { printList } from '../table.ts'
import { printTime } from '../times.ts'

type SessionDocument = Static<typeof Session>

const descriptions: Record<SessionMove, string> = {
  publish: 'Publish a session.',
  unpublish: 'Unpublish a session. From then on it takes no bids.',
  finish: 'Finish a session. From then on it takes no bids. This cannot be undone.',
  'enable-bidding': 'Let customers bid in an unfinished session, once it is published and has opened.',
  'disable-bidding': 'Stop taking bids in a session.',
}

function printSession(session: SessionDocument, names: Names): string {
  const { id, title, published, finished, customer_bidding_enabled } = session
  // A finished session takes no bids, although its switch for bids stays on.
  const bidding = finished ? 'finished' : `bidding ${customer_bidding_enabled ? 'enabled' : 'disabled'}`
  return `session ${names.get(id) ?? id} "${title ?? ''}": ${published ? 'published' : 'not published'}, ${bidding}`
}

type Flags = Pick<SessionDocument, 'published' | 'finished' | 'customer_bidding_enabled'>

function describeState({ published, finished, customer_bidding_enabled }: Flags): string {
  if (!published) return finished ? 'draft, finished' : 'draft'
  if (finished) return 'finished'
  return customer_bidding_enabled ? 'bidding' : 'published'
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
      const { listSessions } = await import('../../backoffice/queries.ts')
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
  .description('Sessions: a list, publication, bidding and the end.')
  .addCommand(list)
for (const [move, description] of Object.entries(descriptions) as [SessionMove, string][]) {
  sessionsCommand.addCommand(
    describeCommand(move, description)
      .argument('<id>', 'the id or external reference of the session')
      .option(...houseOption)
      .action((session: string, options: CommonOptions) =>
        changeRecords({ session }, options, async (context, { session }, names) => {
          const { moveSession } = await import('../../backoffice/sessions.ts')
          const document = JSON.parse((await moveSession(context, session, move)).json) as SessionDocument
          await printResult(document, options, (shown) => printSession(shown, names))
        }),
      ),
  )
}
