import type { Discovery } from '@auction-catalogue/client'
import { useSyncExternalStore } from 'react'
import { ServiceClock } from './clock.ts'
import { dropLasting } from './lasting.ts'
import { emptyStore, store } from './store.ts'

// The tab's connection: its key, and the outcome of the last request.
type ConnectionState = {
  key: string | null
  /** Whether the service has taken the key. */
  isTaken: boolean
  /** The text that a link has as its key, while another key is signed in. */
  offered: string | null
  /**
   * Why no key is signed in: a link had no key, or the service does not know the key, or it refuses the key by now, or
   * the user has another one.
   */
  signedOut: 'no-key' | 'unknown' | 'ended' | 'other' | null
  /**
   * `offline`: the machine has no network. `away`: the service did not answer. `slow`: it has not answered yet.
   */
  trouble: 'offline' | 'away' | 'slow' | null
  /** Why the changes cannot be followed, so that the page may be out of date. */
  behind: unknown
}

const slowMilliseconds = 5_000

// A problem is JSON too.
const isJson = (headers: Headers) => headers.get('content-type')?.includes('json') ?? false
const isPage = (headers: Headers) => headers.get('content-type')?.startsWith('text/html') ?? false

/** Whether a text has the form of a key. */
export const isKey = (text: string): boolean => /^ack_[\w-]{1,200}$/.test(text)

/** Stores the tab's key, and learns the state of the connection from each answer. */
class Connection {
  readonly clock = new ServiceClock()
  readonly #listeners = new Set<() => void>()
  #state: ConnectionState

  constructor() {
    const key = sessionStorage.getItem('key')
    const trouble = navigator.onLine ? null : 'offline'
    this.#state = { key, isTaken: key !== null, offered: null, signedOut: null, trouble, behind: null }
    addEventListener('offline', () => this.change({ trouble: 'offline' }))
    addEventListener('online', () => this.change({ trouble: null }))
  }

  get key(): string | null {
    return this.#state.key
  }

  readonly read = (): ConnectionState => this.#state

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  change(change: Partial<ConnectionState>): void {
    const names = Object.keys(change) as (keyof ConnectionState)[]
    if (names.every((name) => this.#state[name] === change[name])) return
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  /** Tells apart whose text the tab keeps, as two houses may have one name: the end of the key, or of the key before its end. */
  get person(): string {
    return sessionStorage.getItem('person') ?? ''
  }

  /** Uses the key from now on. The tab stores it once the service has accepted it. */
  signIn(key: string): void {
    const isOther = this.#state.key !== null || this.#state.signedOut === 'other'
    if (isOther || this.person === '') sessionStorage.setItem('person', key.slice(-4))
    emptyStore()
    this.change({ key, isTaken: false, offered: null, signedOut: null, trouble: null, behind: null })
  }

  /** Ends the use of the key. With a reason, unsaved text stays, because the same user comes back. */
  signOut(signedOut: ConnectionState['signedOut'] = null): void {
    if (signedOut === null) {
      dropLasting(store.getQueryData<Discovery>(['discovery'])?.house.name)
      sessionStorage.clear()
    } else sessionStorage.removeItem('key')
    emptyStore()
    this.change({ key: null, isTaken: false, offered: null, signedOut })
  }

  /** A fetch that learns the state of the connection from each answer, and whether `key` is still valid. */
  observe(key: string, send: typeof fetch = this.#fetchAnew): typeof fetch {
    return async (url, init) => {
      const asked = Date.now()
      const reply = await send(url, init).catch((error: unknown) => {
        if (!init?.signal?.aborted) this.change({ trouble: navigator.onLine ? 'away' : 'offline' })
        throw error
      })
      const { status, headers } = reply
      // A page of a proxy or of a network says nothing about the key or the record.
      const isForeign = isPage(headers) && (reply.ok || [401, 403, 404].includes(status))
      this.clock.observe(headers.get('date'), asked)
      if (key === this.key && !isForeign) this.#observeKey(key, reply)
      // A proxy may answer instead of the service.
      if ([502, 503, 504].includes(status) || isForeign) this.change({ trouble: 'away' })
      else if (reply.ok || status === 304) this.change({ trouble: null })
      if (isForeign && (init?.method ?? 'GET') === 'GET') throw new TypeError('A page came in place of the answer')
      return reply
    }
  }

  readonly #fetchAnew: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers)
    // A request that waits for a change expects no answer soon. Whether the service is back must be known at once.
    if (this.#state.trouble === 'away') headers.delete('prefer')
    const isWaiting = headers.has('prefer')
    const tell = () => this.#state.trouble === null && this.change({ trouble: 'slow' })
    const timer = isWaiting ? undefined : setTimeout(tell, slowMilliseconds)
    try {
      return await fetch(url, { ...init, headers, cache: 'no-store' })
    } finally {
      clearTimeout(timer)
      if (this.#state.trouble === 'slow') this.change({ trouble: null })
    }
  }

  // The key is stored for this tab only.
  #observeKey(key: string, { status, ok, headers }: Response): void {
    const { isTaken } = this.#state
    if (status === 401) this.signOut(isTaken ? 'ended' : 'unknown')
    else if (!isTaken && (ok || status === 403) && isJson(headers)) {
      sessionStorage.setItem('key', key)
      this.change({ isTaken: true })
    }
  }
}

/** The connection of this tab. */
export const connection = new Connection()

export const useConnection = (): ConnectionState => useSyncExternalStore(connection.subscribe, connection.read)
