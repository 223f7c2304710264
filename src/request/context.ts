import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import './types.ts'

/** What rules and queries receive: the house of the request's key, the database, and the time of this call. */
export function contextOf(request: FastifyRequest): Context {
  const { db, media } = request.server.site
  return { db, house: request.credentials.house, now: new Date(), clock: () => new Date(), mediaBase: media.publicBase }
}
