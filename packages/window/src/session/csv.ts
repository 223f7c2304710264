import type { House, Session } from '@auction-catalogue/client'
import { itemIdOf, itemOf, type Lot } from '../api/index.ts'
import { saveCsv, type Cell } from '../parts/csv.ts'
import { readOwners, type Owners } from './owners.ts'

/**
 * Saves lots in the browser's folder for downloads: the file of `lots list --csv` (docs/staff.md, "A list for a
 * spreadsheet"), unless the signal ends it. The columns of seller and consignment are empty if the key may not read them.
 * @throws CatalogueError
 */
export async function saveLots(
  lots: Lot[],
  session: Session,
  house: House,
  { mayReadSellers, signal }: { mayReadSellers: boolean; signal: AbortSignal },
): Promise<void> {
  const owners: Owners = mayReadSellers ? await readOwners(lots, signal) : new Map()
  signal.throwIfAborted()
  const cells = listCells(session, house, owners)
  const rows = lots.map((lot) => Object.values(cells).map((cell) => cell(lot)))
  saveCsv(session.external_reference ?? session.id, Object.keys(cells), rows)
}

function listCells(session: Session, { currency }: House, owners: Owners): Record<string, (lot: Lot) => Cell> {
  const ownerOf = (id: string | null | undefined) => id && owners.get(id)
  return {
    session: () => session.external_reference ?? session.id,
    number: (lot) => lot.lot_number,
    item: (lot) => itemOf(lot)?.external_reference ?? itemIdOf(lot),
    title: (lot) => lot.title,
    active: (lot) => lot.active,
    estimate_low: (lot) => itemOf(lot)?.estimate?.low,
    estimate_high: (lot) => itemOf(lot)?.estimate?.high,
    starting_bid: (lot) => lot.starting_bid,
    current_bid: (lot) => lot.current_bid,
    currency: () => currency,
    closes_at: (lot) => lot.closes_at,
    sold: (lot) => lot.sold,
    result: (lot) => lot.result?.state,
    price: (lot) => lot.result?.amount,
    id: (lot) => lot.id,
    seller: (lot) => ownerOf(itemOf(lot)?.seller),
    consignment: (lot) => ownerOf(itemOf(lot)?.consignment),
  }
}
