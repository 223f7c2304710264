import { randomUUID } from 'node:crypto'
import type { SessionDefaults } from '../context.ts'
import { violatedConstraint } from '../db/errors.ts'
import type { Database } from '../db/pool.ts'
import { locales, normalizeLocale, type Locale } from '../values/locales.ts'
import { isCurrency } from '../values/money.ts'
import { parsePercentage } from '../values/percentages.ts'
import { byteLength, isBlank, isStorable } from '../values/text.ts'
import { normalizeTimeZone } from '../values/timestamps.ts'
import { inTransaction } from '../writes/transaction.ts'
import type { NamedHouse } from './locks.ts'
import type { HouseSettings } from './statements.ts'
import { addHouse, touchHouse } from './touch.ts'
import { int32 } from '../values/bounds.ts'

// Defaults that a new house sets for its sessions. Null and undefined set nothing.
type HouseDefaults = { [Name in keyof SessionDefaults]?: SessionDefaults[Name] | null | undefined }

/** A new house. A missing `publicId` is generated, and missing times are `now`. Null means none. */
export type NewHouse = {
  slug: string
  name: string
  defaultLocale: string
  currency: string
  /** The IANA name of its time zone. */
  timeZone?: string | null | undefined
  defaults?: HouseDefaults
  /** The most bytes that its stored pictures may take; 0 or undefined is no limit. */
  storageLimit?: number | undefined
  publicId?: string | null | undefined
  createdAt?: string | null | undefined
  updatedAt?: string | null | undefined
}

/** A house that cannot be created: the field (`slug`, `defaults.group_size`, …) and the reason. */
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

function checkDefaults(defaults: HouseDefaults) {
  const ranges = [
    ['extension_threshold_seconds', 0, dayInSeconds],
    ['extension_seconds', 0, dayInSeconds],
    ['group_size', 1, int32.maximum],
    ['interval_seconds', 1, int32.maximum],
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
 * Checks a house as far as possible without the database, and returns its locale.
 * @throws HouseError for a slug that does not fit into a URL, a blank name, an unsupported locale, an unknown currency
 *   or time zone, or impossible defaults
 */
export function checkHouse(input: NewHouse): Locale {
  const { slug, name, currency, timeZone, defaults = {} } = input
  if (!slugPattern.test(slug)) {
    throw new HouseError('slug', 'must be letters, digits and - . _ ~, and begin with a letter or digit')
  }
  if (byteLength(slug) > longestSlug) throw new HouseError('slug', `is too long (more than ${longestSlug} bytes)`)
  if (isBlank(name) || !isStorable(name))
    throw new HouseError('name', 'must not be blank, nor have a character that cannot be stored')
  const defaultLocale = normalizeLocale(input.defaultLocale)
  if (!defaultLocale)
    throw new HouseError(
      'default_locale',
      `${JSON.stringify(input.defaultLocale)} is not supported; choose from ${locales.join(', ')}`,
    )
  if (!isCurrency(currency))
    throw new HouseError('currency', `${JSON.stringify(currency)} is no ISO 4217 code, such as EUR`)
  if (timeZone != null && normalizeTimeZone(timeZone) === undefined)
    throw new HouseError(
      'time_zone',
      `${JSON.stringify(timeZone)} is no time zone known here, such as Europe/Amsterdam`,
    )
  checkDefaults(defaults)
  return defaultLocale
}

/**
 * Creates a house. Of a locale such as `nl-NL` only the language counts.
 * @throws HouseError as `checkHouse` does, and for a slug that is taken
 */
export async function createHouse(db: Database, input: NewHouse, now: Date): Promise<NamedHouse> {
  const { slug, name, currency, timeZone, defaults = {} } = input
  const defaultLocale = checkHouse(input)
  try {
    return await addHouse(db, {
      public_id: input.publicId === undefined ? randomUUID() : input.publicId,
      slug,
      name,
      default_locale: defaultLocale,
      currency,
      time_zone: timeZone == null ? null : normalizeTimeZone(timeZone)!,
      buyer_premium_percentage: defaults.buyer_premium_percentage ?? null,
      extension_threshold_seconds: defaults.extension_threshold_seconds ?? null,
      extension_seconds: defaults.extension_seconds ?? null,
      group_size: defaults.group_size ?? null,
      interval_seconds: defaults.interval_seconds ?? null,
      results: defaults.results ?? 'by-staff',
      storage_limit: (input.storageLimit ?? 0).toString(),
      created_at: input.createdAt === undefined ? now.toISOString() : input.createdAt,
      updated_at: input.updatedAt === undefined ? now.toISOString() : input.updatedAt,
    })
  } catch (error) {
    if (violatedConstraint(error) === 'houses_slug') throw new HouseError('slug', `${slug} is taken`)
    throw error
  }
}

/** Changes these settings of a house, which must exist; undefined ones stay. */
export async function changeHouse(db: Database, slug: string, settings: HouseSettings, now: Date): Promise<void> {
  await inTransaction({ db }, ({ db: tx }) => touchHouse(tx, slug, settings, now))
}
