import type { LotId, Seller, SellerId } from '@auction-catalogue/client'
import { catalogue, connection, itemIdOf, itemOf } from '../../api/index.ts'
import { isPrepared } from '../../sales/state.ts'
import { readOwners, readRecords } from '../../session/owners.ts'
import { readResults, type AfterSearch, type LotOfSession } from './results-of.ts'

/** A lot on the sheet of its seller. `price` is null, too, if lots of several sellers have one price. */
export type SheetLot = LotOfSession & {
  consignment: string | number | null
  price: { amount: number; currency: string } | null
  /** The numbers of the lots that were sold together with it. */
  soldWith: number[]
  isShared: boolean
}

/** The lots of a seller; `id` is null for lots without one. */
export type Sheet = { id: SellerId | null; seller: Seller | undefined; lots: SheetLot[] }

const sellerOf = ({ lot }: LotOfSession) => itemOf(lot)?.seller ?? null
const numberOf = ({ lot }: LotOfSession) => lot.lot_number ?? Infinity

/**
 * The results of the sales that have begun, by seller, in the order of the sellers' numbers.
 * @throws CatalogueError
 */
export async function readSheets(search: AfterSearch, signal: AbortSignal): Promise<Sheet[]> {
  const now = connection.clock.now()
  const lots = (await readResults(search, signal)).filter(({ session }) => !isPrepared(session, now))
  const groups = await readGroups(lots, signal)
  const owners = await readOwners(
    lots.map(({ lot }) => lot),
    signal,
  )
  const ids = new Set(lots.flatMap((each) => sellerOf(each) ?? []))
  const sellers = await readRecords(ids, catalogue().sellers, signal)
  const complete = (each: LotOfSession): SheetLot => {
    const group = groups.get(each.lot.id) ?? [each]
    const isShared = new Set(group.map(sellerOf)).size > 1
    const consignment = itemOf(each.lot)?.consignment
    return {
      ...each,
      consignment: consignment ? (owners.get(consignment) ?? null) : null,
      price: isShared ? null : (each.lot.result?.amount ?? null),
      soldWith: group.flatMap(({ lot }) => (lot.id === each.lot.id ? [] : (lot.lot_number ?? []))),
      isShared,
    }
  }
  const sheets = [...Map.groupBy(lots, sellerOf)].map(([id, own]) => ({
    id,
    seller: id === null ? undefined : sellers.get(id),
    lots: own.toSorted(bySale).map(complete),
  }))
  return sheets.toSorted((one, other) => orderOf(one) - orderOf(other))
}

const orderOf = ({ id, seller }: Sheet) => seller?.seller_number ?? (id === null ? Number.MAX_VALUE : 1e12)

const opening = ({ session }: LotOfSession) => Date.parse(session.opens_at ?? '') || 0
const nameOf = ({ session }: LotOfSession) => session.external_reference ?? session.id
const bySale = (one: LotOfSession, other: LotOfSession) =>
  opening(one) - opening(other) ||
  nameOf(one).localeCompare(nameOf(other)) ||
  (numberOf(one) === numberOf(other) ? 0 : numberOf(one) - numberOf(other))

/** The lots that have one price, by each of them. Others of a group may be lots of another seller. */
async function readGroups(lots: LotOfSession[], signal: AbortSignal): Promise<Map<LotId, LotOfSession[]>> {
  const groups = new Map<LotId, LotOfSession[]>()
  const sessions = new Set(lots.filter(({ lot }) => lot.result?.state === 'sold').map(({ session }) => session.id))
  for (const session of sessions) {
    const sold = await readResults({ session, result: 'sold' }, signal)
    for (const group of Map.groupBy(sold, ({ lot }) => lot.result?.with ?? lot.id).values())
      for (const { lot } of group) groups.set(lot.id, group)
  }
  return groups
}

/** The columns of the sheet as CSV. */
export const sheetColumns = [
  'seller_number',
  'seller',
  'consignment',
  'session',
  'number',
  'item',
  'title',
  'estimate_low',
  'estimate_high',
  'result',
  'after_sale',
  'price',
  'currency',
  'sold_with',
]

/** The rows of the sheets as CSV. */
export const printSheets = (sheets: Sheet[], currency: string) =>
  sheets.flatMap(({ id, seller, lots }) =>
    lots.map(({ lot, session, consignment, price, soldWith }) => {
      const item = itemOf(lot)
      return [
        seller?.seller_number ?? id,
        seller?.name,
        consignment,
        nameOf({ lot, session }),
        lot.lot_number,
        item?.external_reference ?? itemIdOf(lot),
        lot.title,
        item?.estimate?.low,
        item?.estimate?.high,
        lot.result?.state,
        lot.result?.after_sale,
        price,
        currency,
        soldWith.join(' '),
      ]
    }),
  )
