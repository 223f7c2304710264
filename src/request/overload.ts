import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { temporarilyUnavailable } from '../problems.ts'

// With a longer lag a request waits longer than anybody waits for its answer.
const longestEventLoopDelay = 2_000

// Made once, because refusing thousands of requests a second must be cheap.
export const overloaded = temporarilyUnavailable('The service is overloaded.', 2)

/** Answers 503 with `Retry-After` while the event loop lags, instead of letting a queue grow. */
export async function refuseOverload(app: FastifyInstance): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: longestEventLoopDelay,
    // An interval without a sample counts as an endless lag, so the interval must not be shorter than the limit.
    sampleInterval: longestEventLoopDelay,
    pressureHandler: async () => {
      throw overloaded
    },
  })
}
