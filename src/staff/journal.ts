import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { selectJournal } from '../journal/queries.ts'
import { Problem } from '../problems.ts'
import { pagingOf, readPage, sendPage } from '../reads/answers.ts'
import { contextOf } from '../reads/context.ts'
import { collection, Nullable, Timestamp } from '../values/shapes.ts'
import { parseTimestamp } from '../values/timestamps.ts'
import { parseSubject, subjectPattern } from '../writes/journal.ts'
import { pageParameters, textFilter } from '../http/query.ts'

/** The value of a field before and after a change, as the interface shows it. A long text is its length. */
const change = Type.Object({
  record: Nullable(Type.String()),
  field: Type.String({ description: 'A dotted path.' }),
  old: Type.Optional(Type.Unknown()),
  new: Type.Optional(Type.Unknown({ description: 'A text of more than 200 characters is `{length}`.' })),
})

/** A row of the journal. */
export const JournalEntry = Type.Object(
  {
    id: Type.String({ pattern: '^jrn_[0-9a-f-]{36}$' }),
    at: Timestamp,
    actor: Type.Object({
      type: Type.Unsafe<'key' | 'command' | 'job'>({ type: 'string', enum: ['key', 'command', 'job'] }),
      id: Nullable(Type.String()),
      name: Nullable(Type.String()),
    }),
    operation: Type.String({ description: 'The operationId, the words of the command, or the task.' }),
    record: Nullable(Type.String()),
    changes: Type.Array(change),
    reason: Nullable(Type.String()),
    request_id: Nullable(Type.String()),
  },
  { $id: 'JournalEntry' },
)

const JournalQuery = Type.Object({
  ...pageParameters,
  record: Type.Optional(
    Type.String({
      pattern: subjectPattern,
      description: 'Only rows about this record, by its id. A UUID alone stands for records of any kind.',
    }),
  ),
  actor: textFilter('Only rows of this actor: the id of a key, or the name of a key, a user or a task.'),
  operation: textFilter('Only rows of this operation.'),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Only rows of this time or later.' })),
})

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
        permissions: request.credentials.permissions,
      }
      return sendPage(request, reply, await readPage(selectJournal(contextOf(request), filters), pagingOf(request)))
    },
  )
}
