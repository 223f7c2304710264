import type { Importer } from '../run/importer.ts'
import type { Meter } from './meter.ts'
import { emit, say, type Output } from './output.ts'

/** The progress of a run. Rate and time left are undefined at its beginning. */
export type Progress = {
  done: number
  total: number
  rejected: number
  requests: number
  per_second: number | undefined
  seconds_left: number | undefined
  waiting_for: string | undefined
}

const interval = { terminal: 200, lines: 10_000, wait: 500 }

function printSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} minutes`
  return `${(seconds / 3600).toFixed(1)} hours`
}

function printProgress({ done, total, rejected, per_second, seconds_left, waiting_for }: Progress): string {
  return [
    `${done} of ${total}`,
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(per_second === undefined ? [] : [`${per_second.toFixed(1)} a second`]),
    ...(seconds_left === undefined ? [] : [`${printSeconds(seconds_left)} left`]),
    ...(waiting_for === undefined ? [] : [waiting_for]),
  ].join(', ')
}

const sum = (counts: (number | undefined)[]) => counts.reduce<number>((total, count) => total + (count ?? 0), 0)

/** The progress after so many seconds. A picture is done when it is processed. `wait` is what requests wait for. */
export function measureProgress(
  { counts, totals, processing }: Pick<Importer, 'counts' | 'totals' | 'processing'>,
  seconds: number,
  { requests, wait }: { requests: number; wait: string | undefined },
): Progress {
  const done = sum(Object.values(counts).flatMap((outcomes) => Object.values(outcomes))) - processing
  const total = sum(Object.entries(totals).map(([type, count]) => (type === 'house' ? 0 : count)))
  const rate = seconds > 3 && done > 0 ? done / seconds : undefined
  return {
    done,
    total,
    rejected: sum(Object.values(counts).map((outcomes) => outcomes.rejected)),
    requests,
    per_second: rate,
    seconds_left: rate && (total - done) / rate,
    waiting_for: wait ?? (processing > 0 ? `${processing} pictures in processing` : undefined),
  }
}

/**
 * Shows the progress: on a terminal one line that changes, elsewhere a line every ten seconds and at the beginning of a
 * wait, with `--json` objects. Returns the function that ends it.
 */
export function showProgress(
  importer: Importer,
  meter: Meter,
  isJson: boolean,
  stdout: Output,
  stderr: Output,
): () => void {
  const begun = performance.now()
  const isTerminal = stderr.isTTY === true && !isJson
  let [shownAt, isWaiting] = [begun, false]
  const show = () => {
    const now = performance.now()
    const wait = meter.describeWait()
    const isNews = wait !== undefined && !isWaiting
    isWaiting = wait !== undefined
    if (!isTerminal && !isNews && now - shownAt < interval.lines) return
    const { requests } = meter
    const progress = measureProgress(importer, (now - begun) / 1000, { requests, wait })
    if (progress.total === 0 && wait === undefined) return
    shownAt = now
    // Nothing is counted while the source waits for the first answer.
    const line = progress.total === 0 ? wait! : printProgress(progress)
    if (isJson) emit(stdout, { event: 'progress', ...progress })
    else if (isTerminal) stderr.write(`\r\u001b[K${line.slice(0, stderr.columns! - 1)}`)
    else say(stderr, [line])
  }
  const timer = setInterval(show, isTerminal ? interval.terminal : interval.wait)
  return () => {
    clearInterval(timer)
    if (isTerminal) stderr.write('\r\u001b[K')
  }
}
