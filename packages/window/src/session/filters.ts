import type { ItemId, Session, SessionCounts } from '@auction-catalogue/client'
import { itemIdOf, itemOf, type Lot } from '../api/index.ts'

export const isExtended = ({ timed, closes_at }: Lot): boolean =>
  Boolean(timed?.scheduled_closes_at && closes_at && Date.parse(closes_at) !== Date.parse(timed.scheduled_closes_at))

const closes = new WeakMap<Lot, number>()
/** When a lot closes, in milliseconds since 1970; Infinity if that is not known. */
export function closeOf(lot: Lot): number {
  const known = closes.get(lot)
  if (known !== undefined) return known
  const close = lot.closes_at === null ? Infinity : Date.parse(lot.closes_at)
  closes.set(lot, close)
  return close
}

/** The pictures of a lot without a description in the language of the house. */
export const listUndescribed = (lot: Lot) => itemOf(lot)?.images.filter(({ alt }) => alt === null) ?? []

/** Whether a lot takes bids, or comes under the hammer, at a moment (milliseconds): it is on, and neither decided nor closed. */
export const isOpen = (lot: Lot, { finished }: Pick<Session, 'finished'>, now: number): boolean =>
  lot.active && lot.result === null && !finished && lot.closes_at !== null && closeOf(lot) > now

/** The filters of the wall, in their order. */
export const filters = {
  open: (lot: Lot, { session, now }: Facts) => isOpen(lot, session, now),
  active: (lot: Lot) => lot.active,
  inactive: (lot: Lot) => !lot.active,
  bare: (lot: Lot) => itemOf(lot)?.images.length === 0,
  undescribed: (lot: Lot) => listUndescribed(lot).length > 0,
  extended: isExtended,
  sold: (lot: Lot) => lot.result?.state === 'sold',
  unsold: (lot: Lot) => lot.result?.state === 'unsold',
  withdrawn: (lot: Lot) => lot.result?.state === 'withdrawn',
  processing: (lot: Lot, { processing }: Facts) => processing.has(itemIdOf(lot)),
  failed: (lot: Lot, { failed }: Facts) => failed.has(itemIdOf(lot)),
}
export type Filter = keyof typeof filters

/** Those for the work on a sale. */
export const ofStaff: readonly Filter[] = ['active', 'inactive', 'bare', 'undescribed', 'processing', 'failed']

/** The session, the time, and the items with pictures that are being processed or have failed. */
export type Facts = { session: Session; now: number; processing: ReadonlySet<ItemId>; failed: ReadonlySet<ItemId> }

/** The lots of a filter as the service counts them; undefined if it counts no such lots. */
export const countOf: { [Name in Filter]?: (counts: SessionCounts) => number } = {
  active: (counts) => counts.active,
  inactive: (counts) => counts.lots - counts.active,
  bare: (counts) => counts.without_images,
  extended: (counts) => counts.extended,
  sold: (counts) => counts.sold,
  unsold: (counts) => counts.unsold,
  withdrawn: (counts) => counts.withdrawn,
}

export const isFilter = (name: string | undefined): name is Filter => name !== undefined && Object.hasOwn(filters, name)

/** Whether a lot's number, title or reference has all words of a search. */
export function matches(lot: Lot, words: readonly string[]): boolean {
  const text = `${lot.lot_number ?? ''} ${lot.title} ${itemOf(lot)?.external_reference ?? ''}`.toLowerCase()
  return words.every((word) => text.includes(word))
}
