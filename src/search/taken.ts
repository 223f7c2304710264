import { deflateRawSync, inflateRawSync } from 'node:zlib'

/**
 * How `q` was taken, for all pages of a walk: corrections, words left out, and the weight of each word that counts.
 * `parts`: see `listParts`.
 */
export type Taken = {
  corrected: Record<string, string[]>
  left: string[]
  weights: Record<string, number>
  parts: Record<string, string>
}

/** It rises when cursors keep `Taken` in another way: those of another version are then refused. */
export const takenFormat = 2

// A cursor is in the address of the next page and in `Link`: a common proxy takes 4 KB of headers.
const mostBytes = 1_400

const deflate = (taken: Taken) => deflateRawSync(JSON.stringify(taken))

/** Prints how `q` was taken, for a cursor. Parts that would make it too long are left out: they are found anew. */
export function printTaken(taken: Taken): string {
  const whole = deflate(taken)
  return (whole.length > mostBytes ? deflate({ ...taken, parts: {} }) : whole).toString('base64url')
}

/** Reads what `printTaken` printed. */
export const readTaken = (printed: string) =>
  JSON.parse(inflateRawSync(Buffer.from(printed, 'base64url')).toString()) as Taken
