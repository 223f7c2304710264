import {
  CatalogueError,
  etag,
  type LotChange,
  type LotId,
  type LotResult,
  type SessionId,
} from '@auction-catalogue/client'
import { useSyncExternalStore } from 'react'
import { catalogue, connection, showLots, store } from '../api/index.ts'

/** What a clerk decides about a lot. `amount` is in minor units. */
export type Decision =
  | { kind: 'sold'; amount: number; currency: string }
  | { kind: 'together'; with: LotId; withNumber: number }
  | { kind: 'passed' | 'withdrawn' | 'referred' }
  | { kind: 'back'; of: 'result' | 'referral'; reason: string }

/**
 * A decision on its way. `seen` is the result that the clerk saw, as `printResult` prints it. `overtaken`: another
 * clerk had decided the lot by then, and `found` is what the lot has.
 */
export type Entry = {
  id: number
  session: SessionId
  lot: LotId
  number: number | null
  decision: Decision
  seen: string
  state: 'waiting' | 'stored' | 'refused' | 'overtaken'
  found?: LotResult | null
  error?: unknown
}

/** A result as a text that tells two results apart. */
export const printResult = (result: LotResult | null): string =>
  result === null ? '' : `${result.state} ${result.amount?.amount ?? ''} ${result.with ?? ''}`

/** The result that a decision leaves, as `printResult` prints it; undefined if it changes none. */
export function printOutcome(decision: Decision): string | undefined {
  const { kind } = decision
  if (kind === 'sold') return `sold ${decision.amount} `
  if (kind === 'together') return `sold  ${decision.with}`
  if (kind === 'back') return decision.of === 'result' ? '' : undefined
  return { passed: 'unsold  ', withdrawn: 'withdrawn  ', referred: undefined }[kind]
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
  return { result: { state: kind === 'passed' ? 'unsold' : kind } }
}

// The tab keeps what is not stored yet, through reloads and the end of a key.
const kept = 'decisions'
let entries = JSON.parse(sessionStorage.getItem(kept) ?? '[]') as Entry[]
let count = entries.reduce((last, { id }) => Math.max(last, id), 0)
let isSending = false
const listeners = new Set<() => void>()

const isWaiting = ({ state }: Entry) => state === 'waiting'

function change(next: Entry[]) {
  entries = next
  const waiting = entries.filter(isWaiting)
  if (waiting.length > 0) sessionStorage.setItem(kept, JSON.stringify(waiting))
  else sessionStorage.removeItem(kept)
  for (const listener of listeners) listener()
}

addEventListener('beforeunload', (event) => {
  if (entries.some(isWaiting)) event.preventDefault()
})
// Another key may be that of another house. After the end of a key the same clerk comes back.
connection.subscribe(() => {
  const { key, signedOut } = connection.read()
  if (key === null && signedOut !== 'ended' && entries.length > 0) change([])
})

// Each decision is guarded by the version of the lot that has the result which the clerk saw.
async function send({ lot: id, decision, seen }: Entry): Promise<Partial<Entry>> {
  const outcome = printOutcome(decision)
  for (;;) {
    const lot = await catalogue().lots.get(id)
    const now = printResult(lot.result)
    // An earlier attempt of this tab was stored, or another clerk decided the same.
    if (now === outcome) return { state: 'stored' }
    if (now !== seen) return { state: 'overtaken', found: lot.result }
    try {
      const stored = await catalogue().staff.lots.update(id, bodyOf(decision), { ifMatch: lot[etag]! })
      showLots(store, [stored])
      return { state: 'stored' }
    } catch (error) {
      if (!(error instanceof CatalogueError && error.code === 'precondition-failed')) throw error
    }
  }
}

/** Sends what waits, in its order. */
export async function sendWaiting(): Promise<void> {
  if (isSending) return
  isSending = true
  for (let next = entries.find(isWaiting); next; next = entries.find(isWaiting)) {
    const { id } = next
    const news = await send(next).catch((error: unknown) => ({ state: 'refused' as const, error }))
    // It is sent again once the clerk has signed in.
    if ('error' in news && news.error instanceof CatalogueError && news.error.status === 401) break
    change(entries.map((entry) => (entry.id === id ? { ...entry, ...news } : entry)))
  }
  isSending = false
}

/** Keeps a decision until it is stored, and sends it after those before it. */
export function decide(entry: Pick<Entry, 'session' | 'lot' | 'number' | 'decision' | 'seen'>): void {
  change([...entries, { ...entry, id: ++count, state: 'waiting' }])
  void sendWaiting()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The decisions of this tab, the latest last. */
export const useEntries = (): Entry[] => useSyncExternalStore(subscribe, () => entries)
