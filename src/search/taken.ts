import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** How `q` was taken, for all pages of a walk: corrections, words left out, and the weight of each word that counts. */
export type Taken = {
  corrected: Record<string, string[]>
  left: string[]
  weights: Record<string, number>
}

/** A creation, in microseconds, and the public UUID of the record. */
type Age = [created: number, id: string]

/**
 * What all pages of a walk have in common. `now`: when the first page was searched, in milliseconds, if that counts. `span`: the oldest and the newest of the
 * records that count, if more than those match. `isComplete`: whether the answers so far were.
 */
export type Walk = {
  taken: Taken | undefined
  now: number | undefined
  span: { oldest: Age; newest: Age } | undefined
  isComplete: boolean
}

/** It rises when cursors keep a walk in another way: those of another version are then refused. */
export const walkFormat = 4

// JSON has no infinity. A record without a creation is the oldest.
const print = (_: string, value: unknown) => (value === -Infinity ? 'oldest' : value)
const read = (_: string, value: unknown) => (value === 'oldest' ? -Infinity : value)

/** Prints a walk for a cursor, which is in addresses and in `Link`: a common proxy takes 4 KB of headers. */
export const printWalk = (walk: Walk): string => deflateRawSync(JSON.stringify(walk, print)).toString('base64url')

/** Reads what `printWalk` printed. */
export const readWalk = (printed: string) =>
  JSON.parse(inflateRawSync(Buffer.from(printed, 'base64url')).toString(), read) as Walk
