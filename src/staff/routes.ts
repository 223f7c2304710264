import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../backoffice/refusal.ts'
import { requirePermissions } from '../http/access/authentication.ts'
import { contextOf } from '../reads/context.ts'
import { auctionRoutes } from './auctions.ts'
import { bidRoutes } from './bids.ts'
import { itemRoutes } from './items.ts'
import { journalRoutes } from './journal.ts'
import { lotRoutes } from './lots.ts'
import { referenceRoutes } from './references.ts'
import { toProblem } from './refusals.ts'
import { resultRoutes } from './results.ts'
import { sessionRoutes } from './sessions.ts'
import { strategyRoutes } from './strategies.ts'

/**
 * Refuses every request of a key without the permissions of staff, on known and unknown paths alike, so that the key
 * learns nothing of the interface.
 */
export function admitStaff(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ credentials, routeOptions }) => {
    const { orPermission } = routeOptions.config ?? {}
    if (orPermission === undefined || !credentials.permissions.includes(orPermission))
      requirePermissions(credentials, ['staff'])
  })
}

/** The operations of the staff interface. */
export const staffRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.setErrorHandler((error, request) => {
    throw error instanceof Refusal ? toProblem(error, contextOf(request).house) : error
  })
  await app.register(auctionRoutes)
  await app.register(sessionRoutes)
  await app.register(resultRoutes)
  await app.register(lotRoutes)
  await app.register(bidRoutes)
  await app.register(itemRoutes)
  await app.register(strategyRoutes)
  await app.register(referenceRoutes)
  await app.register(journalRoutes)
}
