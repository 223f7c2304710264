import { extended, ladder, startingBid } from './bidding.ts'
import { seeded } from './drawings/paint.ts'
import type { Piece } from './pieces/piece.ts'
import type { Sitting } from './sales.ts'

/** How a lot stands: whole euros, instants in milliseconds. */
export interface Offer {
  readonly starting: number
  readonly scheduled: number | null
  readonly closes: number | null
  readonly current: number | null
  readonly sold: boolean
  readonly bids: readonly { readonly amount: number; readonly at: number }[]
}

/**
 * What has become of a piece in a sitting by `now`. `place` counts the active lots before it (the timed schedule of
 * section 2.2 runs over those); below zero the lot is inactive.
 */
export function offer(sitting: Sitting, piece: Piece, place: number, now: Date): Offer {
  const starting = startingBid(sitting.strategy, piece.estimate[0])
  const { timed, live } = sitting
  const ends = timed
    ? timed.firstCloses.getTime() + Math.floor(place / timed.groupSize) * timed.interval * 1000
    : (live?.closes.getTime() ?? 0)
  if (place < 0 || sitting.state === 'draft') {
    const scheduled = timed && place >= 0 ? ends : null
    return { starting, scheduled, closes: scheduled, current: null, sold: false, bids: [] }
  }
  const random = seeded(`${sitting.reference} ${piece.ref}`)
  const late = (sitting.late[piece.ref] ?? []).map((before) => ends - before * 1000)
  const early = sitting.passed.includes(piece.ref)
    ? 0
    : sitting.unreached.includes(piece.ref)
      ? 2
      : count(sitting, random())
  const quiet = ends - ((timed?.threshold ?? 0) + 60) * 1000
  const times = [...spread(early, sitting.opens.getTime(), Math.min(quiet, now.getTime() - 120_000), random), ...late]
  const amounts = ladder(sitting.strategy, starting, times.length)
  const closes = extended(ends, times, timed?.threshold ?? 0, timed?.extension ?? 0)
  const over = sitting.state === 'finished' || closes <= now.getTime()
  const sold = over && times.length > 0 && !sitting.unreached.includes(piece.ref)
  // Of some lots in the saleroom only the hammer price was kept.
  const recorded = timed !== undefined || random() < 0.6
  return {
    starting,
    scheduled: timed ? ends : null,
    closes: timed ? closes : null,
    current: amounts.at(-1) ?? null,
    sold,
    bids: recorded ? times.map((at, index) => ({ amount: amounts[index] ?? starting, at })) : [],
  }
}

const count = ({ state }: Sitting, chance: number) =>
  state === 'finished' ? 4 + Math.floor(chance * 11) : 1 + Math.floor(chance * 9)

/** Ascending instants, most of them towards the end, on whole seconds and at least 17 seconds apart. */
function spread(count: number, from: number, until: number, random: () => number): number[] {
  const last = until - count * 17_000
  const drawn = Array.from({ length: count }, () => from + (last - from) * (1 - random() ** 2))
  return drawn.toSorted((a, b) => a - b).map((at, index) => Math.floor(at / 1000) * 1000 + index * 17_000)
}
