import type { FastifyInstance } from 'fastify'
import { Refusal } from '../backoffice/refusal.ts'
import { requirePermissions } from '../http/access/authentication.ts'
import { contextOf } from '../reads/context.ts'
import { toProblem } from './refusals.ts'

/**
 * Refuses every request of a key without the permissions of staff, on known and unknown paths alike, so that the key
 * learns nothing of the interface. Answers refusals of commands as problems.
 */
export function admitStaff(app: FastifyInstance): void {
  app.setErrorHandler((error, request) => {
    throw error instanceof Refusal ? toProblem(error, contextOf(request).house) : error
  })
  app.addHook('onRequest', async ({ credentials, routeOptions }) => {
    const { orPermission } = routeOptions.config ?? {}
    if (orPermission === undefined || !credentials.permissions.includes(orPermission))
      requirePermissions(credentials, ['staff'])
  })
}
