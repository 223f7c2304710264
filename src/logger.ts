import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { pino } from 'pino'
import type { Config } from './config.ts'
import { escapeControls } from './values/text.ts'

// Lines for a reader that is slower than they come. Beyond this they are lost.
const mostWaiting = 1024 * 1024
const retryMilliseconds = 20
const exitMilliseconds = 1_000

const nothing = Buffer.alloc(0)
const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** The log of this process, on an open file: JSON lines without control characters that a terminal would obey. */
export function createLogger(config: Config, output: number = process.stdout.fd) {
  let waiting = ''
  let unwritten: Buffer = nothing
  let isScheduled = false

  // The lines of one turn of the event loop are one write. A call for each would be a tenth of the cost of a small read.
  function flush(): void {
    isScheduled = false
    if (waiting !== '') unwritten = Buffer.concat([unwritten, Buffer.from(waiting)])
    waiting = ''
    try {
      while (unwritten.length > 0) unwritten = unwritten.subarray(writeSync(output, unwritten))
    } catch (error) {
      // Whatever else it is, the reader is gone or the disk is full. The lines are lost, and the service goes on.
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
