import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { House, SessionDefaults } from '../context.ts'
import { violatedConstraint } from '../db/errors.ts'
import type { Database } from '../db/pool.ts'
import { normalizeLocale } from '../values/locales.ts'
import { isCurrency } from '../values/money.ts'
import { parsePercentage } from '../values/percentages.ts'
import { byteLength, isBlank, isStorable } from '../values/text.ts'

/** A house with its name. */
export type NamedHouse = House & { name: string }

/** What a new house may set for its sessions; null or left out where it sets nothing. */
export type HouseDefaults = { [Name in keyof SessionDefaults]?: SessionDefaults[Name] | undefined }

/** A new house; what is left out of the last three is made up (`publicId`) or `now`. */
export type NewHouse = {
  slug: string
  name: string
  defaultLocale: string
  currency: string
  defaults?: HouseDefaults
  /** What its stored pictures may take, in bytes; 0 (or left out): any. */
  storageLimit?: number | undefined
  publicId?: string | null | undefined
  createdAt?: string | null | undefined
  updatedAt?: string | null | undefined
}

/** A house that cannot be created: which field (`slug`, `defaults.group_size`, …) and why. */
export class HouseError extends Error {
  readonly field: string
  readonly problem: string

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`)
    this.name = 'HouseError'
    this.field = field
    this.problem = problem
  }
}

const slugPattern = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/
const longestSlug = 1024
const dayInSeconds = 86_400
const largestInteger = 2_147_483_647

/** The columns of a house `h`. */
export const houseColumns = sql`h.id, h.slug, h.name, h.default_locale as "defaultLocale", h.currency, json_build_object(
  'buyer_premium_percentage', h.buyer_premium_percentage::text, 'extension_threshold_seconds', h.extension_threshold_seconds,
  'extension_seconds', h.extension_seconds, 'group_size', h.group_size, 'interval_seconds', h.interval_seconds) as defaults`

function checkDefaults(defaults: HouseDefaults) {
  const ranges = [
    ['extension_threshold_seconds', 0, dayInSeconds],
    ['extension_seconds', 0, dayInSeconds],
    ['group_size', 1, largestInteger],
    ['interval_seconds', 1, largestInteger],
  ] as const
  for (const [name, least, most] of ranges) {
    const value = defaults[name] ?? least
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new HouseError(`defaults.${name}`, `must be an integer from ${least} to ${most}`)
    }
  }
  const premium = defaults.buyer_premium_percentage ?? '0'
  if (parsePercentage(premium) === undefined) {
    throw new HouseError('defaults.buyer_premium_percentage', 'must be a decimal string from "0" to "100"')
  }
}

/**
 * Creates a house. The locale may be given as `nl-NL`; its language counts. Throws a HouseError for a slug that is
 * taken or does not fit into a URL, a blank name, an unsupported locale, an unknown currency and impossible defaults.
 */
export async function createHouse(db: Database, input: NewHouse, now: Date): Promise<NamedHouse> {
  const { slug, name, currency, defaults = {} } = input
  if (!slugPattern.test(slug)) {
    throw new HouseError('slug', 'must be letters, digits and - . _ ~, beginning with a letter or digit')
  }
  if (byteLength(slug) > longestSlug) throw new HouseError('slug', 'is too long')
  if (isBlank(name) || !isStorable(name)) throw new HouseError('name', 'must be a text that is not blank')
  const defaultLocale = normalizeLocale(input.defaultLocale)
  if (!defaultLocale) throw new HouseError('default_locale', `${JSON.stringify(input.defaultLocale)} is not supported`)
  if (!isCurrency(currency)) throw new HouseError('currency', `${JSON.stringify(currency)} is no ISO 4217 code`)
  checkDefaults(defaults)
  const publicId = input.publicId === undefined ? randomUUID() : input.publicId
  const createdAt = input.createdAt === undefined ? now.toISOString() : input.createdAt
  const updatedAt = input.updatedAt === undefined ? now.toISOString() : input.updatedAt
  try {
    const created = await sql<NamedHouse>`
      insert into catalogue.houses as h (public_id, slug, name, default_locale, currency, buyer_premium_percentage,
        extension_threshold_seconds, extension_seconds, group_size, interval_seconds, storage_limit, created_at, updated_at)
      values (${publicId}, ${slug}, ${name}, ${defaultLocale}, ${currency}, ${defaults.buyer_premium_percentage ?? null},
        ${defaults.extension_threshold_seconds ?? null}, ${defaults.extension_seconds ?? null},
        ${defaults.group_size ?? null}, ${defaults.interval_seconds ?? null}, ${input.storageLimit ?? 0}, ${createdAt}, ${updatedAt})
      returning ${houseColumns}`.execute(db)
    return created.rows[0]!
  } catch (error) {
    if (violatedConstraint(error) === 'houses_slug') throw new HouseError('slug', `${slug} is taken`)
    throw error
  }
}

/** Every house, by slug. */
export async function listHouses(db: Database): Promise<NamedHouse[]> {
  return (await sql<NamedHouse>`select ${houseColumns} from catalogue.houses h order by h.slug`.execute(db)).rows
}

/** The house with this slug, if there is one. */
export async function findHouse(db: Database, slug: string): Promise<NamedHouse | undefined> {
  return (await sql<NamedHouse>`select ${houseColumns} from catalogue.houses h where h.slug = ${slug}`.execute(db))
    .rows[0]
}

/** Sets what the stored pictures of a house may take, in bytes (0: any); false where there is no such house. */
export async function setStorageLimit(db: Database, slug: string, bytes: number, now: Date): Promise<boolean> {
  const { rows } = await sql`update catalogue.houses set storage_limit = ${bytes}, updated_at = ${now}
    where slug = ${slug} returning id`.execute(db)
  return rows.length > 0
}
