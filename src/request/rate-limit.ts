import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import type { Database } from '../db/pool.ts'
import { Problem, temporarilyUnavailable } from '../problems.ts'
import { countInWindow } from './statements.ts'

const windowMilliseconds = 60_000

/** Where the windows are counted: in Redis or PostgreSQL for several instances, or in this process. */
export type WindowStore = { in: 'memory' } | { in: 'redis'; redis: Redis } | { in: 'postgres'; db: Database }

async function countInDatabase(db: Database, key: string, requests: number) {
  const now = new Date()
  const { used, ends_at } = await countInWindow(db, key, requests, now, new Date(now.getTime() + windowMilliseconds))
  return { used, ttl: ends_at.getTime() - now.getTime() }
}

type Counted = (error: Error | null, result?: { current: number; ttl: number }) => void

// The library's own store returns the object in which it counts on, so requests of one moment would all see the count of
// the last one. The windows are in the order of their ends.
function memoryStore() {
  const windows = new Map<string, { used: number; endsAt: number }>()
  return class {
    incr(key: string, done: Counted) {
      const now = Date.now()
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

// One statement at a time for each key. The next one counts the requests that have come meanwhile. So a flood takes one
// connection.
function databaseStore(db: Database) {
  const waiting = new Map<string, Counted[]>()
  async function countWaiting(key: string) {
    for (let batch = waiting.get(key)!; batch.length > 0; batch = waiting.get(key)!) {
      waiting.set(key, [])
      try {
        const { used, ttl } = await countInDatabase(db, key, batch.length)
        for (const [index, done] of batch.entries()) done(null, { current: used - batch.length + 1 + index, ttl })
      } catch (error) {
        for (const done of batch) done(error as Error)
      }
    }
    waiting.delete(key)
  }
  return class {
    incr(key: string, done: Counted) {
      const others = waiting.get(key)
      if (others) {
        others.push(done)
        return
      }
      waiting.set(key, [done])
      void countWaiting(key)
    }
    child() {
      return this
    }
  }
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
    const seconds = String(Math.max(1, Math.ceil(window.ttl / 1000)))
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
