import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { temporarilyUnavailable } from '../problems.ts'

// Beyond it a request would wait longer than its answer is worth to anybody.
const longestEventLoopDelay = 2_000

// Made once: what refuses thousands a second has to be cheap.
export const overloaded = temporarilyUnavailable('The service is overloaded.', 2)

/** Answers 503 with `Retry-After` while the event loop lags, instead of letting a queue grow. */
export async function refuseOverload(app: FastifyInstance): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: longestEventLoopDelay,
    // In a shorter interval a shorter lag leaves no sample, and none counts as endless.
    sampleInterval: longestEventLoopDelay,
    pressureHandler: async () => {
      throw overloaded
    },
  })
}
