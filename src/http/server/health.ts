import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/pool.ts'
import { isMigrated } from '../../db/schema/migrate.ts'
import { temporarilyUnavailable } from '../../problems.ts'

// Calls during a run, and in the second after it, share its result or its error.
function shareForASecond<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let ended = -Infinity
  let last: Promise<Result>
  return () => {
    if (performance.now() - ended < 1_000) return last
    ended = Infinity
    last = work().finally(() => (ended = performance.now()))
    return last
  }
}

/** Serves `/healthz` and `/readyz`: whether the process answers, and whether it reaches a migrated database (503). */
export function serveHealth(app: FastifyInstance, probe: Database): void {
  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'up' }))
  const checkReadiness = shareForASecond(() => isMigrated(probe))
  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (!(await checkReadiness())) throw temporarilyUnavailable('The schema is not up to date.', 5)
    return { status: 'ready' }
  })
}
