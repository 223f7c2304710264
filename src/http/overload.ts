import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../problems.ts'

// Beyond these a request would wait longer than its answer is worth to anybody.
const longestEventLoopDelay = 2_000
const mostWaitingForDatabase = 200

function overloaded(): never {
  throw new Problem('temporarily-unavailable', 'The service is overloaded.', { headers: { 'retry-after': '2' } })
}

/**
 * Answers 503 with `Retry-After` while the event loop lags or too many requests wait for a database connection
 * (`countWaiting`), instead of letting a queue grow.
 */
export async function refuseOverload(app: FastifyInstance, countWaiting: () => number): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: longestEventLoopDelay,
    sampleInterval: 250,
    pressureHandler: async () => overloaded(),
  })
  app.addHook('onRequest', async () => {
    if (countWaiting() > mostWaitingForDatabase) overloaded()
  })
}
