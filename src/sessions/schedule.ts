import { latestTime } from '../values/timestamps.ts'

// The settings of a timed session's schedule. Seconds.
type ScheduleSettings = { first_closes_at: Date; group_size: number; interval_seconds: number }

// A lot to schedule.
type ScheduledLot = { id: string; lot_number: number | null }

/**
 * The closing times of a timed session's lots. In the order of their numbers, the lots form groups of `group_size`.
 * Group k (from 0) closes at `first_closes_at` + k × `interval_seconds`. Lots without a number come last.
 */
export function scheduleLots(
  settings: ScheduleSettings,
  lots: readonly ScheduledLot[],
): { id: string; closes_at: Date }[] {
  const { first_closes_at, group_size, interval_seconds } = settings
  const inOrder = lots.toSorted((a, b) => (a.lot_number ?? Infinity) - (b.lot_number ?? Infinity))
  return inOrder.map(({ id }, index) => ({
    id,
    closes_at: new Date(
      Math.min(
        first_closes_at.getTime() + Math.floor(index / group_size) * interval_seconds * 1000,
        latestTime.getTime(),
      ),
    ),
  }))
}
