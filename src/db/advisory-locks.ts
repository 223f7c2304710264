// Every advisory lock of the program. Instances of other versions wait for the same numbers, so they never change.
// PostgreSQL has two spaces that never meet: locks with one number, and locks with two. The migrations of Kysely have
// a lock of their own.

/** Locks with one number. */
export const locks = {
  /** Shared by the processes that use an embedded server: the last one stops it. In another database than the others. */
  presence: 4_872_001,
  /** A start that loads the demo house. */
  demo: 4_872_002,
  /** The migrations of the job queue. */
  queue: 4_217_308_851,
} as const

/** Locks with two numbers. */
export const pairs = {
  /** Shared by backups: jobs delete no files. It is also looked for in `pg_locks`. */
  backup: [4_872, 1],
} as const

/** The first of two numbers. The second is `hashtext` of a name. */
export const spaces = {
  /** Auctions of a house whose slugs may collide: its id, and the stem of the slug. */
  slugs: 4_872_002,
} as const

/** Names of locks whose one number is `hashtextextended(name, 0)`. */
export const names = {
  /** Work that one transaction at a time does for a house (`writes/locks.ts`). */
  work: (work: string, house: string) => `${work} ${house}`,
  /** A request with this `Idempotency-Key`. */
  key: (house: string, key: string) => `idempotency ${house} ${key}`,
} as const
