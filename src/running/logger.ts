import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { pino } from 'pino'
import type { Config } from '../settings/config.ts'
import { escapeControls } from '../values/text.ts'

// Bytes that wait for a slow reader of the log. Further lines are lost.
const mostWaiting = 1024 * 1024
const retryMilliseconds = 20
const exitMilliseconds = 1_000

const nothing = Buffer.alloc(0)
const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** The log of this process, on an open file: JSON lines in which control characters are escaped. */
export function createLogger(config: Config, output: number = process.stdout.fd) {
  let waiting = ''
  let unwritten: Buffer = nothing
  let isScheduled = false

  // One write for all lines of a turn of the event loop. A write for each would be a tenth of the cost of a small
  // read.
  function flush(): void {
    isScheduled = false
    if (waiting !== '') unwritten = Buffer.concat([unwritten, Buffer.from(waiting)])
    waiting = ''
    try {
      while (unwritten.length > 0) unwritten = unwritten.subarray(writeSync(output, unwritten))
    } catch (error) {
      // On any other error the reader is gone or the disk is full. The lines are lost, and the service continues.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') unwritten = nothing
      else schedule(() => setTimeout(flush, retryMilliseconds).unref())
    }
  }

  function schedule(later: () => unknown): void {
    if (isScheduled) return
    isScheduled = true
    later()
  }

  process.on('exit', () => {
    const end = performance.now() + exitMilliseconds
    for (flush(); unwritten.length > 0 && performance.now() < end; flush())
      Atomics.wait(sleeper, 0, 0, retryMilliseconds)
  })
  const write = (line: string) => {
    const text = `${escapeControls(line.trimEnd())}\n`
    if (waiting.length + unwritten.length + text.length > mostWaiting) return
    waiting += text
    schedule(() => setImmediate(flush))
  }
  return pino({ level: config.logLevel, base: { instance: randomUUID().slice(0, 8) } }, { write })
}
