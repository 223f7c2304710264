import type { FastifyRequest } from 'fastify'
import { contextNow, type Context, type Origin, type ServedHouse } from '../context.ts'
import type { Database } from '../db/pool.ts'
import type { MediaStore } from '../media/store.ts'
import type { Keyring, Keyrings } from '../settings/secret.ts'
import type { createAnswerCache } from './cache.ts'
import '../http/types.ts'

type AnswerCache = ReturnType<typeof createAnswerCache>

declare module 'fastify' {
  interface FastifyInstance {
    /** What all requests share: database, store, keys, cached answers. */
    site: { db: Database; keyrings: Keyrings; publicUrl: string; media: MediaStore; answers: AnswerCache }
  }
}

/** The context of a request. */
export type ServedContext = Context & { house: ServedHouse; cursors: Keyring; answers: AnswerCache }

function originOf({ credentials, routeOptions, id }: FastifyRequest): Origin {
  const { operationId } = routeOptions.schema as { operationId: string }
  return { actor: { type: 'key', id: credentials.key, name: credentials.name }, operation: operationId, requestId: id }
}

/**
 * Whether the answer to a request has what only staff see: its operation needs the permission `staff`, and the key has
 * all that the operation needs. A key that places a bid with `bids` alone gets the public lot.
 */
export function seesStaff({ credentials, routeOptions }: FastifyRequest): boolean {
  const { permissions = [] } = routeOptions.config
  return permissions.includes('staff') && permissions.every((each) => credentials.permissions.includes(each))
}

/** The context of rules and queries: the house of the request's key, the database, and the present time. */
export function contextOf(request: FastifyRequest): ServedContext {
  const { db, media, answers, keyrings } = request.server.site
  const { credentials, write } = request
  return {
    ...contextNow(db, credentials.house, media.publicBase),
    write,
    seesStaff: seesStaff(request),
    ...(write && { origin: originOf(request) }),
    answers,
    cursors: keyrings.cursors,
  }
}
