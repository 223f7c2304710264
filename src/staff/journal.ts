import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Permission } from '../context.ts'
import { selectJournal } from '../journal/queries.ts'
import { allKinds, kinds } from '../kinds.ts'
import { Problem } from '../problems.ts'
import { pagingOf, readPage, sendPage } from '../reads/answers.ts'
import { contextOf } from '../reads/context.ts'
import { collection } from '../values/shapes.ts'
import { parseTimestamp } from '../values/timestamps.ts'
import { parseSubject } from '../writes/journal.ts'
import { JournalQuery } from './schema.ts'

// Images and bids are read with lots. Keys and the house itself need nothing more: the journal has no secret of them.
function kindsOf(permissions: readonly Permission[]): string[] {
  const readable = allKinds.filter((kind) => {
    const row = kinds[kind]
    const permission = 'permission' in row ? row.permission : 'lots.read'
    return permissions.includes(permission)
  })
  return [...readable, 'key', 'house']
}

function parseSince(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const since = parseTimestamp(text)
  if (since === undefined) throw new Problem('invalid-parameter', 'since must be an RFC 3339 timestamp with an offset.')
  return new Date(since)
}

/** Who changed what, and when. */
export const journalRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/journal',
    {
      config: { permissions: ['staff'] },
      schema: {
        operationId: 'listJournal',
        summary: 'Read who changed what, the latest first',
        description: 'A key sees the rows about the kinds of record that it may read.',
        tags: ['Journal'],
        querystring: JournalQuery,
        response: { 200: collection('JournalEntry') },
      },
    },
    async (request, reply) => {
      const { record, actor, operation, since } = request.query
      const filters = {
        record: record === undefined ? undefined : parseSubject(record),
        actor,
        operation,
        since: parseSince(since),
        kinds: kindsOf(request.credentials.permissions),
      }
      return sendPage(request, reply, await readPage(selectJournal(contextOf(request), filters), pagingOf(request)))
    },
  )
}
