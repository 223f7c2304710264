import { createHmac, timingSafeEqual } from 'node:crypto'

/** How long a signed URL works, in seconds. */
export const signatureLifetime = 3600

// What is signed is the address itself, which nothing else that the secret signs looks like.
const sign = (secret: string, address: string) => createHmac('sha256', secret).update(address).digest('base64url')

/** The path of a file that only holders of the URL may read, until `signatureLifetime` from `now`. */
export function signedPath(secret: string, key: string, now: Date): string {
  const address = `/media/${key}?expires=${Math.floor(now.getTime() / 1000) + signatureLifetime}`
  return `${address}&signature=${sign(secret, address)}`
}

/** Seconds that a signed address has left (0 or less: expired), or null where the signature is not ours. */
export function secondsLeft(
  secret: string,
  key: string,
  query: { expires?: unknown; signature?: unknown },
  now: Date,
): number | null {
  const { expires, signature } = query
  if (typeof expires !== 'string' || typeof signature !== 'string') return null
  const given = Buffer.from(signature)
  const right = Buffer.from(sign(secret, `/media/${key}?expires=${expires}`))
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return Math.floor(Number(expires) - now.getTime() / 1000)
}
