import type { ManagedImage } from '@auction-catalogue/client'
import { itemIdOf, itemOf, type Lot, type Pictures } from '../api/index.ts'

export const isExtended = ({ timed, closes_at }: Lot): boolean =>
  Boolean(timed?.scheduled_closes_at && closes_at && Date.parse(closes_at) !== Date.parse(timed.scheduled_closes_at))

/** Whether a lot has no picture to show, so that its pictures must be read. */
export function needsLook(lot: Lot): boolean {
  const images = itemOf(lot)?.images
  return images !== undefined && (images.length === 0 || images.some((image) => image.url === null))
}

/** The filters of the wall, in their order. `pictures` has all pictures of the items read so far. */
export const filters = {
  open: (lot: Lot, { now }: Facts) => lot.active && lot.closes_at !== null && Date.parse(lot.closes_at) > now,
  active: (lot: Lot) => lot.active,
  inactive: (lot: Lot) => !lot.active,
  bare: (lot: Lot) => itemOf(lot)?.images.length === 0,
  extended: isExtended,
  processing: (lot: Lot, facts: Facts) => some(lot, facts, (image) => image.processing),
  failed: (lot: Lot, facts: Facts) => some(lot, facts, (image) => image.processing_failure !== null),
}
export type Filter = keyof typeof filters
export type Facts = { now: number; pictures: Pictures }

const some = (lot: Lot, { pictures }: Facts, is: (image: ManagedImage) => boolean) =>
  (pictures.get(itemIdOf(lot)) ?? []).some(is)

export const isFilter = (name: string | undefined): name is Filter => name !== undefined && Object.hasOwn(filters, name)

/** Whether a lot's number, title or reference has all words of a search. */
export function matches(lot: Lot, words: string[]): boolean {
  if (words.length === 0) return true
  const item = itemOf(lot)
  const text = `${lot.lot_number ?? ''} ${lot.title} ${item?.external_reference ?? ''}`.toLowerCase()
  return words.every((word) => text.includes(word))
}
