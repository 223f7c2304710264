import {
  CatalogueError,
  type Discovery,
  etag,
  type LotChange,
  type LotId,
  type LotResult,
  type SessionId,
} from '@auction-catalogue/client'
import { useSyncExternalStore } from 'react'
import { catalogue, connection, discoveryQuery, putLots, store, type Lot } from '../api/index.ts'

/** What a clerk decides about a lot. `amount` is in minor units. */
export type Decision =
  | { kind: 'sold'; amount: number; currency: string }
  | { kind: 'together'; with: LotId; withNumber: number }
  | { kind: 'passed' }
  | { kind: 'referred' }
  | { kind: 'withdrawn'; reason: string }
  | { kind: 'back'; of: 'result' | 'referral'; reason: string }

/** What a clerk decides of a result; null while there is none. */
export type Outcome = Pick<LotResult, 'state' | 'amount' | 'with'> | null

/**
 * A decision on its way. `seen` is the result that the clerk saw. `overtaken`: another clerk had decided the lot by then,
 * and `found` is what the lot has. `updated_at` is of the stored lot. `by`: who decided.
 */
export type Entry = {
  id: number
  session: SessionId
  lot: LotId
  number: number | null
  decision: Decision
  seen: Outcome
  by: string
  state: 'waiting' | 'stored' | 'refused' | 'overtaken'
  found?: LotResult | null
  updated_at?: string | null
  error?: unknown
}

/** Whether two results are one decision, whenever they were recorded. */
export const isSameResult = (one: Outcome, other: Outcome): boolean =>
  one?.state === other?.state && one?.amount?.amount === other?.amount?.amount && one?.with === other?.with

/** The result that a decision leaves; undefined if it changes none. */
export function outcomeOf(decision: Decision): Outcome | undefined {
  const { kind } = decision
  if (kind === 'referred') return undefined
  if (kind === 'back') return decision.of === 'result' ? null : undefined
  if (kind === 'together') return { state: 'sold', amount: null, with: decision.with }
  if (kind === 'passed') return { state: 'unsold', amount: null, with: null }
  if (kind === 'withdrawn') return { state: 'withdrawn', amount: null, with: null }
  const { amount, currency } = decision
  return { state: 'sold', amount: { amount, currency }, with: null }
}

function bodyOf(decision: Decision): LotChange {
  const { kind } = decision
  if (kind === 'sold') {
    const { amount, currency } = decision
    return { result: { state: 'sold', amount: { amount, currency } } }
  }
  if (kind === 'together') return { result: { state: 'sold', with: decision.with } }
  if (kind === 'referred') return { held: true }
  if (kind === 'back') return decision.of === 'result' ? { result: null, reason: decision.reason } : { held: false }
  if (kind === 'passed') return { result: { state: 'unsold' } }
  const { reason } = decision
  return { result: { state: kind, ...(reason && { reason }) } }
}

// The tab keeps what is not stored yet, and the last decisions, through reloads and the end of a key.
const kept = 'decisions'
const mostKept = 30
let entries = readKept()
let count = entries.reduce((last, { id }) => Math.max(last, id), 0)
let isSending = false
const listeners = new Set<() => void>()

const isWaiting = ({ state }: Entry) => state === 'waiting'

function readKept(): Entry[] {
  const read = JSON.parse(sessionStorage.getItem(kept) ?? '[]') as Entry[]
  // JSON has lost the class of an error, by which its words are found.
  const revive = ({ error, ...entry }: Entry) =>
    error instanceof Object && 'code' in error
      ? { ...entry, error: new CatalogueError(error as CatalogueError) }
      : entry
  return read.map(revive)
}

function change(next: Entry[]) {
  entries = next
  const some = entries.filter((entry, at) => isWaiting(entry) || at >= entries.length - mostKept)
  if (some.length > 0) sessionStorage.setItem(kept, JSON.stringify(some))
  else sessionStorage.removeItem(kept)
  for (const listener of listeners) listener()
}

addEventListener('beforeunload', (event) => {
  if (entries.some(isWaiting)) event.preventDefault()
})
// Another key may be that of another house or person. After the end of a key the same clerk comes back.
let sender = new AbortController()
let { key: last } = connection.read()
connection.subscribe(() => {
  const { key, isTaken, signedOut } = connection.read()
  const isOther = last !== null && key !== last && (key !== null || !['ended', 'unknown'].includes(signedOut ?? ''))
  last = key
  if (isOther && entries.length > 0) {
    sender.abort()
    sender = new AbortController()
    change([])
  } else if (isTaken) void sendWaiting()
})

function show(lot: Lot): Partial<Entry> {
  putLots([lot])
  return { state: 'stored', updated_at: lot.updated_at }
}

// Each decision is guarded by the version of the lot that has the result which the clerk saw.
async function send({ lot: id, decision, seen }: Entry): Promise<Partial<Entry>> {
  const outcome = outcomeOf(decision)
  const { signal } = sender
  for (;;) {
    const lot = await catalogue().staff.lots.get(id, { signal })
    // An earlier attempt of this tab was stored, or another clerk decided the same.
    if (outcome !== undefined && isSameResult(lot.result, outcome)) return show(lot)
    if (!isSameResult(lot.result, seen)) return { ...show(lot), state: 'overtaken', found: lot.result }
    try {
      return show(await catalogue().staff.lots.update(id, bodyOf(decision), { ifMatch: lot[etag]!, signal }))
    } catch (error) {
      if (!(error instanceof CatalogueError && error.code === 'precondition-failed')) throw error
    }
  }
}

// A key that was issued anew has the name of the clerk. One without a name is known by its end, as on the pages.
const personOf = ({ house, key: { name } }: Pick<Discovery, 'house' | 'key'>): string =>
  `${house.name}: ${name ?? connection.key!.slice(-4)}`

/** Sends what waits, in its order, and drops what another person decided. */
export async function sendWaiting(): Promise<void> {
  if (isSending || entries.length === 0) return
  isSending = true
  const { key } = connection
  const discovered = await store.fetchQuery(discoveryQuery).catch(() => undefined)
  if (discovered && key === connection.key) {
    const person = personOf(discovered)
    change(entries.filter(({ by }) => by === person))
    for (let next = entries.find(isWaiting); next; next = entries.find(isWaiting)) {
      const { id } = next
      const news = await send(next).catch((error: unknown) => ({ state: 'refused' as const, error }))
      // It is sent again once the clerk has signed in.
      if (
        key !== connection.key ||
        ('error' in news && news.error instanceof CatalogueError && news.error.status === 401)
      )
        break
      change(entries.map((entry) => (entry.id === id ? { ...entry, ...news } : entry)))
    }
  }
  isSending = false
  if (key !== connection.key && connection.read().isTaken) void sendWaiting()
}

/** Keeps a decision until it is stored, and sends it after those before it. */
export function decide(entry: Pick<Entry, 'session' | 'lot' | 'number' | 'decision' | 'seen'>): void {
  const by = personOf(store.getQueryData(discoveryQuery.queryKey)!)
  change([...entries, { ...entry, id: ++count, state: 'waiting', by }])
  void sendWaiting()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The decisions of this tab, the latest last. */
export const useEntries = (): Entry[] => useSyncExternalStore(subscribe, () => entries)
