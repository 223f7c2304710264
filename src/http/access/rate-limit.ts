import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/pool.ts'
import { shareRuns } from '../../db/shared.ts'
import { Problem, temporarilyUnavailable } from '../../problems.ts'
import { countInWindows } from './statements.ts'

const windowMilliseconds = 60_000

/** Where the windows are counted: in Redis or PostgreSQL for several instances, or in this process. */
export type WindowStore = { in: 'memory' } | { in: 'redis'; redis: Redis } | { in: 'postgres'; db: Database }

type Counted = (error: Error | null, result?: { current: number; ttl: number }) => void

// The library's own store returns the object in which it counts on, so requests of one moment would all see the count of
// the last one. The windows are in the order of their ends.
function memoryStore() {
  const windows = new Map<string, { used: number; endsAt: number }>()
  return class {
    incr(key: string, done: Counted) {
      const now = performance.now()
      for (const [each, { endsAt }] of windows) {
        if (endsAt > now) break
        windows.delete(each)
      }
      const window = windows.get(key) ?? { used: 0, endsAt: now + windowMilliseconds }
      window.used += 1
      windows.set(key, window)
      done(null, { current: window.used, ttl: window.endsAt - now })
    }
    child() {
      return this
    }
  }
}

// A key that has more than half of its window left does not wait for its count: it is answered from the last one known, and
// counted within so many milliseconds. At most a tenth of a window is counted in this way at a time.
const delayMilliseconds = 10
// What other instances have counted since then is not known.
const freshMilliseconds = 100
const mostKnown = 10_000

type Window = { used: number; endsAt: number }

// All requests that have come since the last statement are counted by one. So a flood takes one connection.
function databaseStore(db: Database) {
  /** The requests of each key that no statement counts yet. */
  const uncounted = new Map<string, { key: string; requests: number }>()
  const known = new LRUCache<string, Window>({ max: mostKnown, ttl: freshMilliseconds })

  const count = shareRuns(async (batches: { key: string; requests: number }[]): Promise<Window[]> => {
    for (const { key, requests } of batches) {
      uncounted.delete(key)
      const window = known.get(key)
      if (window) known.set(key, { ...window, used: window.used + requests }, { noUpdateTTL: true })
    }
    const windows = await countInWindows(db, batches)
    const now = performance.now()
    return batches.map(({ key }) => {
      const { used, ttl } = windows.get(key)!
      const window = { used, endsAt: now + ttl }
      known.set(key, window)
      return window
    })
  }, mostKnown)

  function add(key: string) {
    const batch = uncounted.get(key) ?? { key, requests: 0 }
    uncounted.set(key, batch)
    batch.requests += 1
    return { batch, place: batch.requests }
  }

  // A failure is told to the next request, which waits for its count.
  function countSoon(batch: { key: string; requests: number }) {
    setTimeout(() => {
      if (uncounted.get(batch.key) === batch) count(batch.key, batch).catch(() => known.delete(batch.key))
    }, delayMilliseconds)
  }

  async function countNow(batch: { key: string; requests: number }, place: number, done: Counted) {
    try {
      const { used, endsAt } = await count(batch.key, batch)
      done(null, { current: used - batch.requests + place, ttl: endsAt - performance.now() })
    } catch (error) {
      done(error as Error)
    }
  }

  return class {
    incr(key: string, done: Counted, _: number, max: number) {
      const window = known.get(key)
      const { batch, place } = add(key)
      const current = (window?.used ?? 0) + place
      const ttl = (window?.endsAt ?? 0) - performance.now()
      if (ttl > 0 && current <= max / 2 && place <= max / 10) {
        if (place === 1) countSoon(batch)
        done(null, { current, ttl })
        return
      }
      void countNow(batch, place, done)
    }
    child() {
      return this
    }
  }
}

/**
 * The whole seconds until a window ends, from 1 to 60, for `RateLimit-Reset` and `Retry-After` (section 8). `ttl`: milliseconds,
 * which may be a trifle more than a minute, as a sum of fractions is.
 */
export function secondsLeft(ttl: number): number {
  return Math.min(windowMilliseconds / 1000, Math.max(1, Math.ceil(ttl / 1000)))
}

/**
 * Counts the requests of each key in fixed windows of a minute, from its first request on (section 8). Returns the
 * function that counts one request, sets the three headers and throws rate-limit-exceeded. `perMinute` is the limit of keys
 * without one of their own; 0 is no limit.
 */
export async function createRateLimiter(app: FastifyInstance, perMinute: number, store: WindowStore) {
  const limitOf = ({ credentials }: FastifyRequest) => credentials.rateLimit ?? perMinute
  await app.register(rateLimit, {
    global: false,
    max: limitOf,
    timeWindow: windowMilliseconds,
    keyGenerator: (request) => request.credentials.key,
    ...(store.in === 'memory' ? { store: memoryStore() } : {}),
    ...(store.in === 'redis' ? { redis: store.redis, nameSpace: 'catalogue-window-' } : {}),
    ...(store.in === 'postgres' ? { store: databaseStore(store.db) } : {}),
  })
  const count = app.createRateLimit()
  return async function countRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const max = limitOf(request)
    if (max === 0) return
    const window = await count(request).catch((error: unknown) => {
      throw store.in === 'redis' ? temporarilyUnavailable('The rate-limit windows cannot be reached.', 5, error) : error
    })
    if (window.isAllowed) return
    const seconds = String(secondsLeft(window.ttl))
    reply.headers({
      'ratelimit-limit': String(max),
      'ratelimit-remaining': String(window.remaining),
      'ratelimit-reset': seconds,
    })
    if (window.isExceeded) {
      throw new Problem('rate-limit-exceeded', `The key may make ${max} requests a minute.`, {
        headers: { 'retry-after': seconds },
      })
    }
  }
}
