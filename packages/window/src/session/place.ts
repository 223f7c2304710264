import type { LotId } from '@auction-catalogue/client'

let last: LotId | undefined

/** Remembers the lot whose page was shown last. */
export function markLot(id: LotId): void {
  last = id
}

/** The lot whose page was shown last: a wall to which the user comes back begins there. */
export const readMarkedLot = (): LotId | undefined => last

/** The same, once. */
export function takeMarkedLot(): LotId | undefined {
  const lot = last
  last = undefined
  return lot
}
