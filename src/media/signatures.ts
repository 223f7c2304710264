import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../settings/secret.ts'

/** How long a signed URL works, in seconds. */
export const signatureLifetime = 3600

const sign = (key: string, address: string) => createHmac('sha256', key).update(address).digest('base64url')

/** The signed path of a private file, valid for `signatureLifetime` from `now`. */
export function signedPath(keyring: Keyring, key: string, now: Date): string {
  const address = `/media/${key}?expires=${Math.floor(now.getTime() / 1000) + signatureLifetime}`
  return `${address}&signature=${sign(keyring[0], address)}`
}

/** Seconds until a signed URL expires (0 or less: expired), or null if the signature is invalid. */
export function secondsLeft(
  keyring: Keyring,
  key: string,
  query: { expires?: unknown; signature?: unknown },
  now: Date,
): number | null {
  const { expires, signature } = query
  if (typeof expires !== 'string' || typeof signature !== 'string') return null
  const given = Buffer.from(signature)
  const isOurs = keyring.some((each) => {
    const right = Buffer.from(sign(each, `/media/${key}?expires=${expires}`))
    return given.length === right.length && timingSafeEqual(given, right)
  })
  if (!isOurs) return null
  return Math.floor(Number(expires) - now.getTime() / 1000)
}
