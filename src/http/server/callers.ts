import type { IncomingMessage } from 'node:http'
import { createTurns, type Begin } from './turns.ts'

// A storefront sends the requests of all its visitors with one key. Reads that begin in one turn share statements.
const mostOfKey = 16
// A page shows many pictures.
const mostOfMedia = 8
// The pause between requests without a key while requests with a key arrive.
const pauseMilliseconds = 2
const busyMilliseconds = 100

/**
 * What a request without a key wants: a probe, a file of the store, or anything else (`open`), such as the window,
 * the documentation and unknown paths. Undefined if the path needs a key.
 */
export function findOpenKind(url: string): 'probe' | 'media' | 'open' | undefined {
  const [path] = url.split('?', 1)
  if (path === '/healthz' || path === '/readyz') return 'probe'
  if (path!.startsWith('/media/')) return 'media'
  return /^\/(?:api\/v2|staff\/v1)(?:\/(?!openapi\.json$)|$)/.test(path!) ? undefined : 'open'
}

/** Lets a request begin when its turn comes. */
export type TakeTurn = (request: Pick<IncomingMessage, 'url' | 'headers'>, begin: Begin) => void

/**
 * Gives requests their turns, by key. Requests without a key, or with one that `nameKey` does not know, take turns by
 * kind. Any client can send these, so they begin one at a time (8 for media), and 2 milliseconds apart if a request with
 * a key came a moment ago.
 */
export function createTakeTurn(nameKey: (header: string) => string | undefined): TakeTurn {
  let lastWithKey = -Infinity
  const takeTurn = createTurns((endTurn) => void setImmediate(endTurn))
  const takeOpenTurn = createTurns((endTurn) => {
    if (performance.now() - lastWithKey < busyMilliseconds) setTimeout(endTurn, pauseMilliseconds)
    else setImmediate(endTurn)
  })
  return ({ url = '/', headers: { authorization } }, begin) => {
    const kind = findOpenKind(url)
    if (kind !== undefined) return takeOpenTurn(kind, kind === 'media' ? mostOfMedia : 1, begin)
    if (authorization === undefined) return takeOpenTurn('open', 1, begin)
    const key = nameKey(authorization)
    if (key === undefined) return takeOpenTurn('unknown key', 1, begin)
    lastWithKey = performance.now()
    return takeTurn(key, mostOfKey, begin)
  }
}
