import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../problems.ts'
import { findOpenKind } from './callers.ts'

// With a longer lag, clients would give up before they get an answer.
const defaultLag = 2_000

/**
 * Refuses a request in overload (503). All refusals share one object: a new one takes 3 to 8 microseconds for a stack
 * that no log shows.
 */
export const overloaded = new Problem('temporarily-unavailable', 'The service is overloaded.', {
  headers: { 'retry-after': '2' },
  isOverload: true,
})

/**
 * Answers 503 with `Retry-After` while the event loop lags longer than `longestLag` (milliseconds), instead of letting a
 * queue grow. Probes are answered.
 */
export async function refuseOverload(app: FastifyInstance, longestLag = defaultLag): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: longestLag,
    // An interval without a sample counts as an endless lag, so the interval must not be shorter than the limit.
    sampleInterval: longestLag,
    pressureHandler: async ({ url }) => {
      if (findOpenKind(url) !== 'probe') throw overloaded
    },
  })
}
