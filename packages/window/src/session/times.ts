import type { TimedSession } from '@auction-catalogue/client'
import type { Lot } from '../api/index.ts'

/** A lot in the plot: its scheduled and its actual close, in milliseconds. */
export type Close = { lot: Lot; scheduled: number; actual: number; group: number }

/** The closing times that lots have. */
export function readCloses(lots: Lot[], groupSize: number): Close[] {
  return lots
    .filter((lot) => lot.active && lot.closes_at !== null)
    .map((lot, index) => {
      const actual = Date.parse(lot.closes_at!)
      const scheduled = lot.timed?.scheduled_closes_at ? Date.parse(lot.timed.scheduled_closes_at) : actual
      return { lot, scheduled, actual, group: Math.floor(index / groupSize) }
    })
}

/**
 * The closing times that a timed session would give these lots: in groups, in the order of their numbers, group k at
 * the first close plus k intervals. A lot without a number cannot be switched on.
 */
export function foretellCloses({ timed }: TimedSession, lots: Lot[]): Close[] {
  const { first_closes_at, group_size, interval_seconds } = timed
  if (!first_closes_at || !group_size || !interval_seconds) return []
  const first = Date.parse(first_closes_at)
  return lots
    .filter((lot) => lot.lot_number !== null)
    .map((lot, index) => {
      const group = Math.floor(index / group_size)
      const at = first + group * interval_seconds * 1000
      return { lot, scheduled: at, actual: at, group }
    })
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10080].map((minutes) => minutes * 60_000)

/** At most `most` round instants between two, on the clock of a time zone. */
export function ticksBetween(from: number, to: number, most: number, timeZone: string): number[] {
  const step = steps.find((each) => (to - from) / each <= most) ?? (to - from) / most
  const shown = new Date(new Date(from).toLocaleString('sv', { timeZone }).replace(' ', 'T') + 'Z').getTime()
  const offset = Math.round((shown - from) / 900_000) * 900_000
  const first = Math.ceil((from + offset) / step) * step - offset
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step)
}
