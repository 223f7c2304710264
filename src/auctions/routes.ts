import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { conditionOf } from '../reads/conditional.ts'
import { pagingOf, readPage, sendPage } from '../reads/page.ts'
import { readRecord, sendAnswer } from '../reads/record.ts'
import { sendWritten } from '../writes/written.ts'
import { parseBody } from '../http/body/validation.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { createAuction, updateAuction } from './auctions.ts'
import { selectAuction, selectAuctions } from './queries.ts'
import { AuctionCreate, AuctionListQuery, AuctionQuery, AuctionUpdate } from './schema.ts'

const tags = ['Auctions']
const expands = { sessions: ['auctions.read'] } as const
const writing = { permissions: ['auctions.write', 'auctions.read'], expands, accepts: 'application/json' } as const

/** The auctions of section 4.2. */
export const auctionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/auctions',
    {
      config: { permissions: ['auctions.read'], expands },
      schema: {
        operationId: 'listAuctions',
        summary: 'List auctions',
        tags,
        querystring: AuctionListQuery,
        response: { 200: collection('Auction') },
      },
    },
    async (request, reply) => {
      const page = await readPage(selectAuctions(contextOf(request), request.query), pagingOf(request))
      return sendPage(request, reply, page)
    },
  )
  app.post(
    '/auctions',
    {
      config: { status: 201, ...writing, problems: ['duplicate-reference', 'validation-failed'] },
      schema: {
        operationId: 'createAuction',
        summary: 'Create a draft auction',
        tags,
        querystring: AuctionQuery,
        body: AuctionCreate,
        response: { 201: single('Auction') },
      },
    },
    async (request, reply) => {
      const body = parseBody(AuctionCreate, request.body, 'POST')
      return sendWritten(request, reply, await createAuction(contextOf(request), body, request.query['expand[]']))
    },
  )
  app.get(
    '/auctions/:id',
    {
      config: { permissions: ['auctions.read'], expands },
      schema: {
        operationId: 'getAuction',
        summary: 'Read an auction',
        tags,
        params: IdParameters,
        querystring: AuctionQuery,
        response: { 200: single('Auction') },
      },
    },
    async (request, reply) => {
      const record = await readRecord(
        selectAuction(contextOf(request), pathId('auction', request.params.id), request.query['expand[]']),
        conditionOf(request),
      )
      return sendAnswer(request, reply, record)
    },
  )
  app.patch(
    '/auctions/:id',
    {
      config: { ...writing, problems: ['auction-published', 'validation-failed'] },
      schema: {
        operationId: 'updateAuction',
        summary: 'Change the text of a draft auction',
        tags,
        params: IdParameters,
        querystring: AuctionQuery,
        body: AuctionUpdate,
        response: { 200: single('Auction') },
      },
    },
    async (request, reply) => {
      const uuid = pathId('auction', request.params.id)
      const written = await updateAuction(contextOf(request), uuid, request.body, request.query['expand[]'])
      return sendWritten(request, reply, written)
    },
  )
}
