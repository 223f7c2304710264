import { useSyncExternalStore } from 'react'
import { connection } from '../api/index.ts'
import { useFormats } from '../formats.ts'

// One timer for all clocks, which runs only while one is shown.
const clocks = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = { service: connection.clock.now() }

function tick() {
  now = { service: connection.clock.now() }
  for (const clock of clocks) clock()
}

function subscribe(clock: () => void) {
  if (clocks.size === 0) {
    timer = setInterval(tick, 1_000)
    queueMicrotask(tick)
  }
  clocks.add(clock)
  return () => {
    clocks.delete(clock)
    if (clocks.size === 0) clearInterval(timer)
  }
}
const never = () => () => undefined

/** The time of the service, in milliseconds, updated every second while `ticks`. */
export const useNow = (ticks = true) => useSyncExternalStore(ticks ? subscribe : never, () => now)

/** Whether an instant has passed; false for null. Its user is drawn again only when that changes. */
export const useIsPast = (at: string | null): boolean =>
  useSyncExternalStore(at === null ? never : subscribe, () => at !== null && Date.parse(at) <= now.service)

/** The time that is left until an instant. */
export function Countdown({ to }: { to: string }) {
  const { service } = useNow()
  const formats = useFormats()
  const left = Date.parse(to) - service
  return (
    <time dateTime={to} className="clock" data-soon={left < 5 * 60_000} title={formats.exact(to)}>
      {formats.countdown(left)}
    </time>
  )
}
