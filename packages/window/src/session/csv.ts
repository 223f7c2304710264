import { decimalsOf, type House, type Money, type Session } from '@auction-catalogue/client'
import { stringify } from 'csv-stringify/browser/esm/sync'
import { itemIdOf, itemOf, type Lot } from '../api/index.ts'
import { readOwners, type Owners } from './owners.ts'

type Cell = string | number | boolean | Money | null | undefined

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
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([printLots(lots, session, house, owners)], { type: 'text/csv' }))
  link.download = `${session.external_reference ?? session.id}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

function printLots(lots: Lot[], session: Session, { currency }: House, owners: Owners): string {
  const ownerOf = (id: string | null | undefined) => id && owners.get(id)
  const cells: Record<string, (lot: Lot) => Cell> = {
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
  const rows = lots.map((lot) => Object.values(cells).map((cell) => print(cell(lot))))
  const columns = Object.keys(cells)
  return stringify(rows, { columns, header: true, bom: true, escape_formulas: true, cast: { boolean: String } })
}

/** Money in units, with all decimals of its currency: `450.50`. */
function print(cell: Cell) {
  if (typeof cell !== 'object' || cell === null) return cell
  const digits = decimalsOf(cell.currency)
  const text = String(cell.amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
