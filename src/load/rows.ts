import { parsePercentage } from '../values/percentages.ts'
import { parseTimestamp } from '../values/timestamps.ts'
import type { House } from '../context.ts'
import { changeAlts } from '../images/alts.ts'
import { textNames, type TextName } from '../items/texts.ts'
import type { Kind } from '../kinds.ts'
import type { Line } from './batch.ts'
import type { Records } from './schema.ts'

/** The values that all rows of a load share: the house, and the time for missing timestamps. */
export type Origin = { house: House; now: string }

/** A row by column name; every row of a table has the same columns. */
export type Row = Record<string, unknown>

type Texts = { [Name in TextName]?: string | null | undefined }
type Translation = Texts & { locale: string }

function timestamp(value: string | null | undefined): string | null {
  return value == null ? null : parseTimestamp(value)!
}

function percentage(value: string | null | undefined): string | null {
  return value == null ? null : parsePercentage(value)!
}

function identity({ house, now }: Origin, { id, publicId, record }: Line): Row {
  return {
    house_id: house.id,
    id,
    public_id: publicId,
    created_at: record.created_at === undefined ? now : timestamp(record.created_at),
    updated_at: record.updated_at === undefined ? now : timestamp(record.updated_at),
  }
}

/** An item's translations as they are stored. A locale that the line gives twice is there twice. */
export function translationsOf({ translations }: Records['item']): Translation[] {
  if (Array.isArray(translations)) return translations
  const byLocale: Record<string, Texts> = translations ?? {}
  return Object.entries(byLocale).map(([locale, texts]) => ({ locale, ...texts }))
}

// The flat texts are a cache of the default locale's translation: a missing one is taken from there.
function flatTexts(record: Records['item'], locale: string): Row {
  const own = translationsOf(record).filter((translation) => translation.locale === locale)
  const row: Row = {}
  for (const field of textNames) {
    const given = own.map((translation) => translation[field]).filter((text) => text != null)
    row[field] = record[field] === undefined && given.length === 1 ? given[0] : (record[field] ?? null)
  }
  return row
}

// A lot that is only `sold` was sold at its current bid, if it has one.
function resultColumns({ record, targets }: Line<'lot'>): Row {
  const { result, sold, current_bid } = record
  const known = result ?? (sold ? { state: 'sold', amount: current_bid } : null)
  return {
    sold: known?.state === 'sold',
    result_state: known?.state ?? null,
    result_amount: known?.amount?.amount ?? null,
    result_at: timestamp(result?.at),
    result_after_sale: result?.after_sale ?? false,
    result_with: targets['result.with'] ?? null,
  }
}

// A flat text is that of the default locale.
function byLocale({ house }: Origin, text: string | null | undefined, translations: Row | null | undefined): Row {
  return { ...translations, ...(text != null && { [house.defaultLocale]: text }) }
}

function altsOf({ alt, alt_translations }: Records['image'], { house }: Origin): Row {
  return changeAlts({}, { ...(alt != null && { alt }), alt_translations: alt_translations ?? {} }, house.defaultLocale)
}

/** The row of a record in its type's table. Auctions also need a `slug`, lots an `auction_id`, images an `original` with its bytes. */
export const rows: { [Type in Kind]: (origin: Origin, line: Line<Type>) => Row } = {
  seller: (origin, line) => ({
    ...identity(origin, line),
    seller_number: line.record.seller_number ?? null,
    profile_name: line.record.profile_name ?? null,
    account_name: line.record.account_name ?? null,
    archived: line.record.archived ?? false,
  }),
  category: (origin, line) => ({
    ...identity(origin, line),
    slug: line.record.slug ?? null,
    names: line.record.names ?? {},
    parent_id: line.targets['parent'] ?? null,
  }),
  maker: (origin, line) => ({
    ...identity(origin, line),
    name: line.record.name ?? null,
    active: line.record.active ?? true,
  }),
  delivery_class: (origin, line) => ({
    ...identity(origin, line),
    name: line.record.name ?? null,
    instructions: line.record.instructions ?? null,
  }),
  increment_strategy: (origin, line) => ({ ...identity(origin, line), name: line.record.name ?? null }),
  consignment: (origin, line) => ({
    ...identity(origin, line),
    number: line.record.number ?? null,
    seller_id: line.targets['seller'] ?? null,
    locked: line.record.locked ?? false,
    archived: line.record.archived ?? false,
    commission_percentage: percentage(line.record.commission_percentage),
    private_notes: line.record.private_notes ?? null,
  }),
  auction: (origin, line) => ({
    ...identity(origin, line),
    external_reference: line.record.external_reference ?? null,
    title: line.record.title ?? null,
    description: line.record.description ?? null,
    published: line.record.published ?? false,
    archived: line.record.archived ?? false,
  }),
  session: (origin, line) => ({
    ...identity(origin, line),
    auction_id: line.targets['auction'],
    external_reference: line.record.external_reference ?? null,
    titles: line.record.titles ?? {},
    kind: line.record.kind,
    opens_at: timestamp(line.record.opens_at),
    first_closes_at: timestamp(line.record.timed?.first_closes_at),
    group_size: line.record.timed?.group_size ?? null,
    interval_seconds: line.record.timed?.interval_seconds ?? null,
    extension_threshold_seconds: line.record.timed?.extension_threshold_seconds ?? null,
    extension_seconds: line.record.timed?.extension_seconds ?? null,
    live_closes_at: timestamp(line.record.live?.closes_at),
    buyer_premium_percentage: percentage(line.record.settings?.buyer_premium_percentage),
    increment_strategy_id: line.targets['increment_strategy'] ?? null,
    published: line.record.published ?? false,
    hidden: line.record.hidden ?? false,
    finished: line.record.finished ?? false,
    customer_bidding_enabled: line.record.customer_bidding_enabled ?? false,
    results: line.record.results ?? origin.house.defaults.results,
    numbers_fixed: line.record.numbers_fixed ?? false,
  }),
  item: (origin, line) => ({
    ...identity(origin, line),
    external_reference: line.record.external_reference ?? null,
    ...flatTexts(line.record, origin.house.defaultLocale),
    estimate_low: line.record.estimate?.low?.amount ?? null,
    estimate_high: line.record.estimate?.high?.amount ?? null,
    seller_id: line.targets['seller'] ?? null,
    delivery_class_id: line.targets['delivery_class'] ?? null,
    consignment_id: line.targets['consignment'] ?? null,
    archived: line.record.archived ?? false,
  }),
  image: (origin, line) => ({
    ...identity(origin, line),
    item_id: line.targets['item'],
    external_reference: line.record.external_reference ?? null,
    public: line.record.public ?? false,
    featured: line.record.featured ?? false,
    position: line.record.position ?? null,
    alts: altsOf(line.record, origin),
    processing: line.record.file != null || (line.record.processing ?? false),
    processing_failed_at: timestamp(line.record.processing_failure?.at),
  }),
  lot: (origin, line) => ({
    ...identity(origin, line),
    session_id: line.targets['session'],
    item_id: line.targets['item'],
    lot_number: line.record.lot_number ?? null,
    active: line.record.active === undefined ? false : line.record.active,
    starting_bid: line.record.starting_bid?.amount ?? null,
    current_bid: line.record.current_bid?.amount ?? null,
    ...resultColumns(line),
    held: line.record.held ?? false,
    notices: byLocale(origin, line.record.notice, line.record.notice_translations),
    closes_at: timestamp(line.record.closes_at),
    scheduled_closes_at: timestamp(line.record.scheduled_closes_at),
    archived: line.record.archived ?? false,
  }),
  bid: (origin, line) => ({
    ...identity(origin, line),
    lot_id: line.targets['lot'],
    amount: line.record.amount.amount,
    placed_at: timestamp(line.record.placed_at),
    cancelled_at: timestamp(line.record.cancelled_at),
    cancel_reason: line.record.cancel_reason ?? null,
  }),
}

/** The rows of an item's translations. */
export function translationRows({ house }: Origin, { id, record }: Line<'item'>): Row[] {
  return translationsOf(record).map((translation) => ({
    house_id: house.id,
    item_id: id,
    locale: translation.locale,
    ...Object.fromEntries(textNames.map((name) => [name, translation[name] ?? null])),
  }))
}

/** The rows of an item's categories. */
export function categoryRows({ house }: Origin, { id, record, targets }: Line<'item'>): Row[] {
  return (record.categories ?? []).map((_, index) => ({
    house_id: house.id,
    item_id: id,
    category_id: targets[`categories.${index}`],
  }))
}

/** The rows of an item's makers, in their order. */
export function makerRows({ house }: Origin, { id, record, targets }: Line<'item'>): Row[] {
  return (record.makers ?? []).map((_, index) => ({
    house_id: house.id,
    item_id: id,
    maker_id: targets[`makers.${index}`],
    position: index,
  }))
}

/** The rows of a strategy's steps. */
export function stepRows({ house }: Origin, { id, record }: Line<'increment_strategy'>): Row[] {
  return (record.steps ?? []).map((step) => ({
    house_id: house.id,
    increment_strategy_id: id,
    from_amount: step.from.amount,
    increment_amount: step.increment.amount,
  }))
}
