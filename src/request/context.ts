import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context, ServedHouse } from '../context.ts'
import type { Keyring } from '../secret.ts'
import './types.ts'

/** The context of a request. */
export type ServedContext = Context & { house: ServedHouse; cursors: Keyring } & Pick<
    FastifyInstance['site'],
    'answers'
  >

/** What rules and queries receive: the house of the request's key, the database, and the time of this call. */
export function contextOf(request: FastifyRequest): ServedContext {
  const { db, media, answers, keyrings } = request.server.site
  const { credentials, write } = request
  return {
    db,
    house: credentials.house,
    now: new Date(),
    clock: () => new Date(),
    mediaBase: media.publicBase,
    write,
    answers,
    cursors: keyrings.cursors,
  }
}
