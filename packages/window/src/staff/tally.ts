import type { Session } from '@auction-catalogue/client'
import type { Lot } from '../api/index.ts'
import { closeOf, isOpen } from '../session/filters.ts'

const sum = (lots: Lot[], amountOf: (lot: Lot) => number | undefined) =>
  lots.reduce((total, lot) => total + (amountOf(lot) ?? 0), 0)

const decidedAt = ({ result }: Lot) => (result?.at ? Date.parse(result.at) : 0)

/** The lots of a session by what staff do with them at a moment (milliseconds); amounts in minor units. */
export function tally(session: Session, lots: Lot[], now: number) {
  const undecided = lots.filter((lot) => lot.result === null && lot.lot_number !== null)
  const isTimed = session.kind === 'timed'
  const open = undecided
    .filter((lot) => isOpen(lot, session, now))
    .toSorted((one, other) => closeOf(one) - closeOf(other))
  const isAfterwards = (lot: Lot) => lot.result?.after_sale === true
  const sold = lots.filter((lot) => lot.result?.state === 'sold' && !isAfterwards(lot))
  const unsold = lots.filter((lot) => lot.result?.state === 'unsold' || isAfterwards(lot))
  const afterwards = lots.filter(isAfterwards)
  return {
    open,
    undecided,
    /** Those that wait for a result: closed, also by the end of the session, or of a saleroom. */
    due: isTimed ? undecided.filter((lot) => lot.active && (session.finished || closeOf(lot) <= now)) : undecided,
    /** Those with a result, the latest first. */
    decided: lots.filter((lot) => lot.result !== null).toSorted((one, other) => decidedAt(other) - decidedAt(one)),
    held: undecided.filter((lot) => lot.staff?.held),
    bidless: (isTimed ? open : undecided).filter((lot) => lot.current_bid === null),
    /** Of those sold and unsold in the sale; withdrawn lots do not count, and lots sold after it were unsold in it. */
    share: sold.length + unsold.length === 0 ? null : sold.length / (sold.length + unsold.length),
    total: sum(sold, (lot) => lot.result?.amount?.amount),
    afterwards: { count: afterwards.length, total: sum(afterwards, (lot) => lot.result?.amount?.amount) },
    bids: sum(undecided, (lot) => lot.current_bid?.amount),
  }
}
