import { setTimeout as sleep } from 'node:timers/promises'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/pool.ts'
import { shareRuns } from '../../db/shared.ts'
import { Problem, temporarilyUnavailable } from '../../problems.ts'
import type { Credentials } from './authentication.ts'
import { countInWindows } from './statements.ts'

const windowMilliseconds = 60_000

/** Where windows are counted: in Redis or PostgreSQL for several instances, or in this process. */
export type WindowStore = { in: 'memory' } | { in: 'redis'; redis: Redis } | { in: 'postgres'; db: Database }

type Counted = (error: Error | null, result?: { current: number; ttl: number }) => void

// The library's own store returns the object that it keeps counting in, so simultaneous requests would all see the
// last count. The windows are in the order of their ends.
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

// The maximal age of a known count. The count lacks what other instances counted since.
const freshMilliseconds = 100
// How long the count of an answered request waits, so that one statement counts several requests.
const delayMilliseconds = 50
const mostKnown = 10_000

type Window = { used: number; endsAt: number }

/** The requests of a key for one counting statement. */
type Batch = { key: string; requests: number }

// One statement counts the batches of all keys, so a flood takes one connection. If a fresh count leaves half of the
// limit and at most a tenth is uncounted, a request is answered first and counted later. Otherwise it waits for its
// count.
function databaseStore(db: Database) {
  const uncounted = new Map<string, Batch>()
  const known = new LRUCache<string, Window>({ max: mostKnown, ttl: freshMilliseconds })

  const count = shareRuns(async (batches: Batch[]): Promise<Window[]> => {
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

  function join(key: string): Batch {
    const batch = uncounted.get(key) ?? { key, requests: 0 }
    uncounted.set(key, batch)
    batch.requests += 1
    return batch
  }

  // Counts the batch, unless a waiting request has done so. After a failure the next request waits and gets the
  // error.
  async function countLater(batch: Batch): Promise<void> {
    await sleep(delayMilliseconds)
    if (uncounted.get(batch.key) === batch) await count(batch.key, batch).catch(() => known.delete(batch.key))
  }

  return class {
    incr(key: string, done: Counted, _: number, max: number) {
      const batch = join(key)
      const place = batch.requests
      const answer = ({ used, endsAt }: Window) =>
        done(null, { current: used + place, ttl: endsAt - performance.now() })
      const window = known.get(key)
      const isAhead = window && window.endsAt > performance.now() && window.used + place <= max / 2 && place <= max / 10
      if (isAhead) answer(window)
      else count(key, batch).then(({ used, endsAt }) => answer({ used: used - batch.requests, endsAt }), done)
      if (isAhead && place === 1) void countLater(batch)
    }
    child() {
      return this
    }
  }
}

/**
 * The whole seconds until a window ends, from 1 to 60, for `RateLimit-Reset` and `Retry-After` (section 8). `ttl`:
 * milliseconds; rounding errors may put it slightly above a minute.
 */
export function secondsLeft(ttl: number): number {
  return Math.min(windowMilliseconds / 1000, Math.max(1, Math.ceil(ttl / 1000)))
}

/** The requests a minute of a key; `perMinute` if it has no limit of its own. 0: no limit. */
export const limitOfKey = ({ rateLimit }: Pick<Credentials, 'rateLimit'>, perMinute: number) => rateLimit ?? perMinute

/**
 * Counts the requests of each key in fixed windows of a minute (section 8). A window begins with its first request.
 * Returns the function that counts one request and sets the three headers; it throws rate-limit-exceeded. `perMinute`
 * is the limit of a key that has none of its own. 0: no limit.
 */
export async function createRateLimiter(app: FastifyInstance, perMinute: number, store: WindowStore) {
  const limitOf = ({ credentials }: FastifyRequest) => limitOfKey(credentials, perMinute)
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
