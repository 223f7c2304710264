import { Command } from 'commander'
import type { Static } from 'typebox'
import { moveSession, type SessionMove } from '../backoffice/sessions.ts'
import type { Session } from '../sessions/schema.ts'
import { describeCommand, printResult, type CommonOptions } from './command.ts'
import { withRecord } from './named-records.ts'

type SessionDocument = Static<typeof Session>

const descriptions: Record<SessionMove, string> = {
  publish: 'Publish a session.',
  unpublish: 'Unpublish a session. From then on it takes no bids.',
  finish: 'Finish a session. From then on it takes no bids. This cannot be undone.',
  'enable-bidding': 'Let customers bid in an unfinished session, once it is published and has opened.',
  'disable-bidding': 'Stop taking bids in a session.',
}

function printSession(session: SessionDocument): string {
  const { id, title, published, finished, customer_bidding_enabled } = session
  const states = [
    published ? 'published' : 'not published',
    finished ? 'finished' : 'unfinished',
    `bidding ${customer_bidding_enabled ? 'enabled' : 'disabled'}`,
  ]
  return `session ${id} "${title ?? ''}": ${states.join(', ')}`
}

/** `catalogue sessions …` */
export const sessionsCommand = new Command('sessions').description('Publication, bidding and the end of sessions.')
for (const [move, description] of Object.entries(descriptions) as [SessionMove, string][]) {
  sessionsCommand.addCommand(
    describeCommand(move, description)
      .argument('<id>', 'the id of the session')
      .action((id: string, options: CommonOptions) =>
        withRecord('session', id, async (context, uuid) => {
          const session = JSON.parse(await moveSession(context, uuid, move)) as SessionDocument
          await printResult(session, options, printSession)
        }),
      ),
  )
}
