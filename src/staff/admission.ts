import type { FastifyInstance } from 'fastify'
import { requirePermissions } from '../http/access/authentication.ts'

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
