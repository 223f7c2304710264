import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { serveList, serveRecord } from '../reads/operations.ts'
import { parsedByRule, serveWrite } from '../writes/operations.ts'
import { parseBody } from '../http/body/validation.ts'
import { selectSession, selectSessions } from './queries.ts'
import {
  permissionsOf,
  SessionCreate,
  SessionCreateForm,
  SessionListQuery,
  SessionQuery,
  SessionUpdate,
  SessionWritten,
  SessionWriteQuery,
} from './schema.ts'
import { createSession, changeDraftSession } from './sessions.ts'
import { checkNewTiming } from './timing.ts'

const tags = ['Sessions']
const expands = { auction: ['auctions.read'] } as const
const reading = { tags, expands: { ...expands, counts: ['lots.read'] }, weakens: ['counts'] } as const
const writing = {
  tags,
  permissions: ['auctions.write', 'auctions.read'],
  expands,
  query: SessionWriteQuery,
  answer: SessionWritten,
} as const

/** The sessions of section 4.2. */
export const sessionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'session', { ...reading, query: SessionListQuery, select: selectSessions })
  serveRecord(app, 'session', {
    ...reading,
    one: 'a session',
    query: SessionQuery,
    select: (context, uuid, query) => selectSession(context, uuid, query['expand[]']),
  })
  serveWrite(app, 'POST', '/sessions', {
    ...writing,
    operationId: 'createSession',
    summary: 'Create an empty draft session',
    description: 'An explicit increment_strategy also needs bidding_step_configurations.read.',
    status: 201,
    problems: ['duplicate-reference'],
    body: SessionCreateForm,
    parse: (body: unknown) => parseBody(SessionCreate, body, 'POST', checkNewTiming),
    needs: permissionsOf,
    write: (context, { body, query }) => createSession(context, body, query['expand[]']),
  })
  serveWrite(app, 'PATCH', '/sessions/:id', {
    ...writing,
    operationId: 'updateSession',
    summary: 'Correct an empty draft session',
    problems: ['session-not-editable'],
    body: SessionUpdate,
    parse: parsedByRule,
    write: (context, { id, body, query }) => changeDraftSession(context, id, body, query['expand[]']),
  })
}
