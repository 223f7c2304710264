import { useSyncExternalStore } from 'react'
import { emptyStore } from './store.ts'

/** What the tab knows of the service: the key it uses, and how the last request fared. */
export type Connection = {
  key: string | null
  /** Whether the service has taken the key. */
  isTaken: boolean
  /** What a link has for a key, while another one is signed in. */
  offered: string | null
  /** Why nobody is signed in: a link had no key, the service does not know the key, or does not take it any more. */
  signedOut: 'no-key' | 'unknown' | 'ended' | null
  /**
   * `offline`: the machine has no network. `away`: the service did not answer. `slow`: it has not answered yet. `limited`:
   * too many requests.
   */
  trouble: 'offline' | 'away' | 'slow' | 'limited' | null
  /** Why the changes cannot be followed, so that what is on show may be out of date. */
  behind: unknown
  /** When a limited key may ask again, in milliseconds of this machine's clock. */
  until: number
}

const listeners = new Set<() => void>()
const kept = sessionStorage.getItem('key')
let connection: Connection = {
  key: kept,
  isTaken: kept !== null,
  offered: null,
  signedOut: null,
  trouble: navigator.onLine ? null : 'offline',
  behind: null,
  until: 0,
}
let clockOffset = 0
let spareFrom = 0

/** Whether the key has more than half of its requests of this minute left, as far as is known. */
export const hasSpare = (): boolean => Date.now() >= spareFrom

function observeSpare(headers: Headers): void {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))
  if (limit && 2 * Number(remaining) < Number(limit)) spareFrom = Date.now() + 1000 * Number(reset)
}

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
  const headers = new Headers(init?.headers)
  // Who waits for a change expects no answer. Whether the service is back must be known at once.
  if (connection.trouble === 'away') headers.delete('prefer')
  const isWaiting = headers.has('prefer')
  const tell = () => connection.trouble === null && changeConnection({ trouble: 'slow' })
  const timer = isWaiting ? undefined : setTimeout(tell, slowMilliseconds)
  try {
    return await fetch(url, { ...init, headers, cache: 'no-store' })
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
    // The page of a proxy or of a network says nothing of the key or the record.
    const isForeign = isPage(headers) && (reply.ok || [401, 403, 404].includes(status))
    observeClock(headers.get('date'), asked)
    if (key === connection.key) {
      observeSpare(headers)
      if (status === 401 && !isForeign) signOut(connection.isTaken ? 'ended' : 'unknown')
      else if (!connection.isTaken && (reply.ok || status === 403) && isJson(headers)) keepKey(key)
    }
    if (status === 429 || headers.get('ratelimit-remaining') === '0')
      waitUntil(Date.now() + 1000 * (Number(headers.get('retry-after') ?? headers.get('ratelimit-reset')) || 1))
    // A proxy may answer in the place of the service.
    else if ([502, 503, 504].includes(status) || isForeign) changeConnection({ trouble: 'away' })
    else if (reply.ok || status === 304) changeConnection({ trouble: null })
    if (isForeign && (init?.method ?? 'GET') === 'GET') throw new TypeError('A page came in place of the answer')
    return reply
  }
// A problem is JSON too.
const isJson = (headers: Headers) => headers.get('content-type')?.includes('json') ?? false
const isPage = (headers: Headers) => headers.get('content-type')?.startsWith('text/html') ?? false

function waitUntil(until: number): void {
  changeConnection({ trouble: 'limited', until })
  const end = () =>
    connection.until <= Date.now() && connection.trouble === 'limited' && changeConnection({ trouble: null })
  setTimeout(end, until - Date.now())
}

/** Whether a text has the form of a key. */
export const isKey = (text: string): boolean => /^ack_[\w-]{1,200}$/.test(text)

/** Keeps the key for this tab only. */
function keepKey(key: string): void {
  sessionStorage.setItem('key', key)
  changeConnection({ isTaken: true })
}

/** Uses the key from now on. The tab keeps it once the service has taken it. */
export function signIn(key: string): void {
  emptyStore()
  changeConnection({ key, isTaken: false, offered: null, signedOut: null, trouble: null, behind: null })
}

/** Ends the use of the key. Only a reason why the service ended it keeps what was typed: the same person comes back. */
export function signOut(signedOut: Connection['signedOut'] = null): void {
  if (signedOut === null) sessionStorage.clear()
  else sessionStorage.removeItem('key')
  emptyStore()
  changeConnection({ key: null, isTaken: false, offered: null, signedOut })
}

type Place = { href: string; state?: object }
const now: Place = { href: '/now' }
const show = ({ href, state }: Place) => history.replaceState(state ?? null, '', `/#${href}`)

/** Shows the house of a key from a link. */
export function openHouse(key: string): void {
  show(now)
  if (key !== connection.key) signIn(key)
}

/**
 * Takes a key out of the fragment of the address, and out of this entry of the tab's history. Where another key is signed
 * in, the key is only offered, and the tab stays at the place where it was.
 */
export function takeKeyFromAddress(place = now): void {
  const key = /^#key=(.*)/.exec(location.hash)?.[1]
  if (key === undefined) return
  show(place)
  if (connection.key !== null && connection.key !== key) changeConnection({ offered: key })
  else if (isKey(key)) openHouse(key)
  else signOut('no-key')
}

addEventListener('offline', () => changeConnection({ trouble: 'offline' }))
addEventListener('online', () => changeConnection({ trouble: null }))
