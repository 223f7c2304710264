import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf, pathId, sendPage, sendRecord } from '../http/pages.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { listSessions, readSession } from './queries.ts'
import { SessionListQuery, SessionQuery } from './schema.ts'

const tags = ['Sessions']
const expands = { auction: ['auctions.read'] } as const

/** The sessions of section 4.2. */
export const sessionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/sessions',
    {
      config: { permissions: ['auctions.read'], expands },
      schema: {
        operationId: 'listSessions',
        summary: 'List sessions',
        tags,
        querystring: SessionListQuery,
        response: { 200: collection('Session') },
      },
    },
    (request, reply) =>
      sendPage(request, reply, (context, page) =>
        listSessions(context, request.query, request.query['expand[]'], page),
      ),
  )
  app.get(
    '/sessions/:id',
    {
      config: { permissions: ['auctions.read'], expands },
      schema: {
        operationId: 'getSession',
        summary: 'Read a session',
        tags,
        params: IdParameters,
        querystring: SessionQuery,
        response: { 200: single('Session') },
      },
    },
    async (request, reply) =>
      sendRecord(
        reply,
        await readSession(contextOf(request), pathId('session', request.params.id), request.query['expand[]']),
      ),
  )
}
