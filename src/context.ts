import { hash } from 'node:crypto'
import type { Database } from './db/pool.ts'
import type { Locale } from './values/locales.ts'

/** The permissions of the catalogue interface (section 5). */
export const permissions = [
  'auctions.read',
  'auctions.write',
  'lots.read',
  'lots.write',
  'seller_profiles.read',
  'categories.read',
  'bidding_step_configurations.read',
] as const

/** The permissions of the staff interface, which no other permission includes. */
export const staffPermissions = ['staff', 'bids'] as const

/** All permissions that a key can have, those of the specification first. */
export const allPermissions = [...permissions, ...staffPermissions] as const

/** A permission of a key. */
export type Permission = (typeof allPermissions)[number]

/** The house of a request or a command. `id` is internal and never leaves the program. */
export type House = { id: string; slug: string; defaultLocale: Locale; currency: string; defaults: SessionDefaults }

const identities = new WeakMap<House, string>()

/**
 * A house as a request sees it, with the generation of the database that it was read from. `timeZone`: an IANA name;
 * null if it has none.
 */
export type ServedHouse = House & { name: string; timeZone: string | null; generation: string }

/** A text that identifies a house, its settings and the generation. Cached data of a house belongs to this text. */
export function identify(house: House): string {
  const known = identities.get(house)
  if (known !== undefined) return known
  const identity = hash('sha1', JSON.stringify(house), 'base64url')
  identities.set(house, identity)
  return identity
}

/** Who records the results of a session's lots: a job after each close, or staff. */
export const resultsModes = ['automatic', 'by-staff'] as const

/** One of the results modes. */
export type ResultsMode = (typeof resultsModes)[number]

/** The defaults of a house for its sessions; null if not set. Times in seconds. */
export type SessionDefaults = {
  results: ResultsMode
  buyer_premium_percentage: string | null
  extension_threshold_seconds: number | null
  extension_seconds: number | null
  group_size: number | null
  interval_seconds: number | null
}

/**
 * The result of a write: the JSON of the record, its tag, and the id of a new record. A change of several records has
 * no tag. `warnings`: what a rehearsal adds to its answer.
 */
export type Written = { json: string; tag?: string; id?: string; warnings?: Warning[] }

/** What is allowed and probably wrong: a time of the body, as a dotted path, has passed. */
export type Warning = { code: 'past'; field: string }

/** The answer to a write as it is stored under its key, with the hash of the request. */
export type Remembered = {
  key: string
  request: Buffer
  status: number
  body: string | null
  location: string | null
  created_at: Date
}

/** What a request adds to a write: idempotency, precondition, dry run. Commands and jobs have none. */
export type Write = {
  /** The `Idempotency-Key`. */
  key: string | undefined
  /** What to store under the key. */
  remembered?: ((written: Written) => Promise<Remembered>) | undefined
  /** Whether the write needs the answer before COMMIT: to store it, or to roll back after a dry run. */
  needsAnswer: boolean
  /** Whether everything is rolled back at the end. */
  isRehearsal: boolean
  /**
   * Runs first in the transaction. Throws the stored answer if the request was carried out before.
   * @throws Problem idempotency-key-in-use, idempotency-key-reused
   */
  begin(db: Database): Promise<void>
  /**
   * Compares the locked record with `If-Match`. `tagsOf` finds its tags with each of these expansions.
   * @throws Problem precondition-failed, precondition-required
   */
  guard(tagsOf: (expansions: string[][]) => Promise<string[]>): Promise<void>
  /**
   * Gets the result of the write, before COMMIT if `needsAnswer`. May throw an answer that replaces the commit. An error
   * is a refusal that the caller throws after the commit; a rehearsal throws it here.
   * @throws Problem rate-limit-exceeded, idempotency-key-in-use
   */
  end(db: Database, written: Written | Error | undefined): Promise<void>
}

/** What every rule and query receives: the database, the house and the time. */
export type Context = {
  db: Database
  house: House
  /** When the request or command began. */
  now: Date
  /** The present time of this process, for conditions that must hold until the commit. A task has it too. */
  clock: () => Date
  /** Stands in for the database's clock in tests (`contextAt`). Rules read it with `readDatabaseClock`. */
  databaseClock?: (() => Date) | undefined
  /** The URL prefix of a public rendition, before its key. */
  mediaBase: string
  write?: Write | undefined
  /** Whether documents have the field `staff`, which only staff see. */
  seesStaff?: boolean | undefined
  /** Default: the command that this process carries out. */
  origin?: Origin | undefined
}

/** The context of what begins now. `mediaBase`: where an answer has no addresses of pictures, none. */
export function contextNow<Of extends House>(db: Database, house: Of, mediaBase = ''): Context & { house: Of } {
  return { db, house, now: new Date(), clock: () => new Date(), mediaBase }
}

/** Who makes a change and how: the actor and the operation of its row in the journal. */
export type Origin = {
  /** `id`: of a key. `name`: of a key, of the system's user, or of a task. */
  actor: { type: 'key' | 'command' | 'job'; id: string | null; name: string | null }
  /** The `operationId`, the words of the command, or the task. */
  operation: string
  /** The `Request-Id` of a request. */
  requestId: string | null
}

/** The minimum for a statement: a database and a house. */
export type Scope = { db: Database; house: Pick<House, 'id'> }
