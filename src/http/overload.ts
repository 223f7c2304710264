import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { temporarilyUnavailable } from '../problems.ts'

// Beyond these a request would wait longer than its answer is worth to anybody.
const longestEventLoopDelay = 2_000
const mostUnderWay = 200
const mostWaitingForDatabase = 200

// Made once: what refuses thousands a second has to be cheap.
export const overloaded = temporarilyUnavailable('The service is overloaded.', 2)

/**
 * Answers 503 with `Retry-After` while the event loop lags, or too many requests are under way or wait for a database
 * connection (`countWaiting`), instead of letting a queue grow.
 */
export async function refuseOverload(app: FastifyInstance, countWaiting: () => number): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: longestEventLoopDelay,
    sampleInterval: 250,
    pressureHandler: async () => {
      throw overloaded
    },
  })
  // Those under way are more than wait, while a key is looked up say; those whose client has left wait all the same.
  let underWay = 0
  app.addHook('onRequest', async (_request, reply) => {
    if (underWay >= mostUnderWay || countWaiting() > mostWaitingForDatabase) throw overloaded
    underWay += 1
    reply.raw.once('close', () => (underWay -= 1))
  })
}
