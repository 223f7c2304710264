import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Position } from './keyset.ts'
import type { Keyring } from '../settings/secret.ts'

/** The scope of a cursor (section 4). It is refused in any other scope. */
export type CursorScope = { house: string; generation: string; path: string; filters: Record<string, unknown> }

function sign(key: string, scope: CursorScope, payload: string): Buffer {
  const filters = Object.entries(scope.filters).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([scope.house, scope.generation, scope.path, filters, payload])
  return createHmac('sha256', key).update(text).digest().subarray(0, 16)
}

/** A signed cursor for the position of a page's last record. */
export function printCursor(keyring: Keyring, scope: CursorScope, position: Position): string {
  const { sort, id, tie } = position
  const payload = JSON.stringify(tie === undefined ? [sort, id] : [sort, id, tie])
  return Buffer.concat([sign(keyring[0], scope, payload), Buffer.from(payload)]).toString('base64url')
}

/** The position of a cursor; undefined if the cursor was not issued for this scope. */
export function parseCursor(keyring: Keyring, scope: CursorScope, cursor: string): Position | undefined {
  if (!/^[\w-]{24,4000}$/.test(cursor)) return undefined
  const bytes = Buffer.from(cursor, 'base64url')
  const payload = bytes.subarray(16).toString()
  if (!keyring.some((key) => timingSafeEqual(bytes.subarray(0, 16), sign(key, scope, payload)))) return undefined
  // Two texts may decode to the same bytes. Only the issued text is valid.
  if (bytes.toString('base64url') !== cursor) return undefined
  const [sort, id, tie] = JSON.parse(payload) as [string, string, string?]
  return { sort, id, ...(tie !== undefined && { tie }) }
}
