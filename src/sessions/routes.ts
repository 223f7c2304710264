import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requirePermissions } from '../http/access/authentication.ts'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { serveList, serveRecord } from '../reads/operations.ts'
import { sendWritten } from '../writes/writes.ts'
import { parseBody } from '../http/body/validation.ts'
import { IdParameters } from '../values/shapes.ts'
import { selectSession, selectSessions } from './queries.ts'
import {
  SessionCreate,
  SessionCreateForm,
  SessionListQuery,
  SessionQuery,
  SessionUpdate,
  SessionWritten,
  SessionWriteQuery,
} from './schema.ts'
import { createSession, updateSession } from './sessions.ts'
import { checkNewTiming } from './timing.ts'

const tags = ['Sessions']
const expands = { auction: ['auctions.read'] } as const
const reading = { tags, expands: { ...expands, counts: ['lots.read'] }, weakens: ['counts'] } as const
const writing = { permissions: ['auctions.write', 'auctions.read'], expands, accepts: 'application/json' } as const

/** The sessions of section 4.2. */
export const sessionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'session', { ...reading, query: SessionListQuery, select: selectSessions })
  serveRecord(app, 'session', {
    ...reading,
    one: 'a session',
    query: SessionQuery,
    select: (context, uuid, query) => selectSession(context, uuid, query['expand[]']),
  })
  app.post(
    '/sessions',
    {
      config: { status: 201, ...writing, problems: ['duplicate-reference', 'validation-failed'] },
      schema: {
        operationId: 'createSession',
        summary: 'Create an empty draft session',
        description: 'An explicit increment_strategy also needs bidding_step_configurations.read.',
        tags,
        querystring: SessionWriteQuery,
        body: SessionCreateForm,
        response: { 201: SessionWritten },
      },
    },
    async (request, reply) => {
      const body = parseBody(SessionCreate, request.body, 'POST', checkNewTiming)
      if (body.increment_strategy !== undefined)
        requirePermissions(request.credentials, ['bidding_step_configurations.read'])
      return sendWritten(request, reply, await createSession(contextOf(request), body, request.query['expand[]']))
    },
  )
  app.patch(
    '/sessions/:id',
    {
      config: { ...writing, problems: ['session-not-editable', 'validation-failed'] },
      schema: {
        operationId: 'updateSession',
        summary: 'Correct an empty draft session',
        tags,
        params: IdParameters,
        querystring: SessionWriteQuery,
        body: SessionUpdate,
        response: { 200: SessionWritten },
      },
    },
    async (request, reply) => {
      const uuid = pathId('session', request.params.id)
      const written = await updateSession(contextOf(request), uuid, request.body, request.query['expand[]'])
      return sendWritten(request, reply, written)
    },
  )
}
