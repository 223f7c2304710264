import { useSyncExternalStore } from 'react'

/** What the tab knows of the service: the key it uses, and how the last request fared. */
export type Connection = {
  key: string | null
  /** Why the key was put away, where the service did that. */
  signedOut: 'refused' | null
  /**
   * `offline`: the machine has no network. `away`: the service did not answer. `slow`: it has not answered yet. `limited`:
   * too many requests.
   */
  trouble: 'offline' | 'away' | 'slow' | 'limited' | null
  /** When a limited key may ask again, in milliseconds of this machine's clock. */
  until: number
}

const listeners = new Set<() => void>()
let connection: Connection = {
  key: sessionStorage.getItem('key'),
  signedOut: null,
  trouble: navigator.onLine ? null : 'offline',
  until: 0,
}
let clockOffset = 0

export function readConnection(): Connection {
  return connection
}

export function changeConnection(change: Partial<Connection>): void {
  const names = Object.keys(change) as (keyof Connection)[]
  if (names.every((name) => connection[name] === change[name])) return
  connection = { ...connection, ...change }
  for (const listener of listeners) listener()
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, readConnection)
}

/** The service's clock, in milliseconds. It is as exact as the `Date` header: to a second. */
export function serviceNow(): number {
  return Date.now() + clockOffset
}

function observeClock(date: string | null, asked: number): void {
  const said = date === null ? NaN : Date.parse(date) + 500
  if (Number.isNaN(said)) return
  const offset = said - (asked + Date.now()) / 2
  // Less than the header can tell is no difference of the clocks.
  if (Math.abs(offset - clockOffset) > 1_500) clockOffset = Math.abs(offset) < 1_500 ? 0 : offset
}

const slowMilliseconds = 5_000

const fetchAnew: typeof fetch = async (url, init) => {
  // Who waits for a change expects no answer.
  const isWaiting = new Headers(init?.headers).has('prefer')
  const tell = () => connection.trouble === null && changeConnection({ trouble: 'slow' })
  const timer = isWaiting ? undefined : setTimeout(tell, slowMilliseconds)
  try {
    return await fetch(url, { ...init, cache: 'no-store' })
  } finally {
    clearTimeout(timer)
    if (connection.trouble === 'slow') changeConnection({ trouble: null })
  }
}

/** A fetch that learns from each answer how the connection fares, and whether `key` is still taken. */
export const observe =
  (key: string, send = fetchAnew): typeof fetch =>
  async (url, init) => {
    const asked = Date.now()
    const reply = await send(url, init).catch((error: unknown) => {
      if (!init?.signal?.aborted) changeConnection({ trouble: navigator.onLine ? 'away' : 'offline' })
      throw error
    })
    const { status, headers } = reply
    observeClock(headers.get('date'), asked)
    if (status === 401 && key === connection.key) signOut('refused')
    if (status === 429 || headers.get('ratelimit-remaining') === '0')
      waitUntil(Date.now() + 1000 * (Number(headers.get('retry-after') ?? headers.get('ratelimit-reset')) || 1))
    // A proxy may answer in the place of the service.
    else if ([502, 503, 504].includes(status) || (reply.ok && isPage(headers))) changeConnection({ trouble: 'away' })
    else if (reply.ok) changeConnection({ trouble: null })
    return reply
  }
const isPage = (headers: Headers) => headers.get('content-type')?.startsWith('text/html') ?? false

function waitUntil(until: number): void {
  changeConnection({ trouble: 'limited', until })
  const end = () =>
    connection.until <= Date.now() && connection.trouble === 'limited' && changeConnection({ trouble: null })
  setTimeout(end, until - Date.now())
}

/** Keeps the key for this tab only. */
export function signIn(key: string): void {
  sessionStorage.setItem('key', key)
  changeConnection({ key, signedOut: null, trouble: null })
}

export function signOut(signedOut: Connection['signedOut'] = null): void {
  sessionStorage.removeItem('key')
  changeConnection({ key: null, signedOut })
}

/** Takes a key out of the fragment of the address, and out of this entry of the tab's history. */
export function takeKeyFromAddress(): void {
  const key = /^#key=(\S+)$/.exec(location.hash)?.[1]
  if (key === undefined) return
  history.replaceState(null, '', '/#/now')
  signIn(decodeURIComponent(key))
}

addEventListener('offline', () => changeConnection({ trouble: 'offline' }))
addEventListener('online', () => changeConnection({ trouble: null }))
