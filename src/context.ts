import type { Database } from './db/pool.ts'
import type { Locale } from './values/locales.ts'

/** The permissions that a key can have (section 5). */
export const permissions = [
  'auctions.read',
  'auctions.write',
  'lots.read',
  'lots.write',
  'seller_profiles.read',
  'categories.read',
  'bidding_step_configurations.read',
] as const

/** One of the permissions that a key can have. */
export type Permission = (typeof permissions)[number]

/** The house that a request or a command works for. `id` is internal and never leaves the program. */
export type House = { id: string; slug: string; defaultLocale: Locale; currency: string; defaults: SessionDefaults }

const identities = new WeakMap<House, string>()

/** Text that is the same for one house while its settings stay, and for nothing else. */
export function identify(house: House): string {
  const known = identities.get(house)
  if (known !== undefined) return known
  const identity = JSON.stringify(house)
  identities.set(house, identity)
  return identity
}

/** What a house has set for its sessions; null where it has set nothing. Times in seconds. */
export type SessionDefaults = {
  buyer_premium_percentage: string | null
  extension_threshold_seconds: number | null
  extension_seconds: number | null
  group_size: number | null
  interval_seconds: number | null
}

/** What every verb and every query is given: where to read and write, for whom, at what instant. */
export type Context = {
  db: Database
  house: House
  /** When the request or command began. */
  now: Date
  /** The time at this moment, for what has to hold until the commit. */
  clock: () => Date
  /** What precedes the key of a public rendition in its address. */
  mediaBase: string
}
