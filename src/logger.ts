import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { pino } from 'pino'
import type { Config } from './config.ts'
import { escapeControls } from './values/text.ts'

/** The log of this process, on an open file: JSON lines without control characters that a terminal would obey. */
export function createLogger(config: Config, output: number = process.stdout.fd) {
  let waiting = ''
  function flush() {
    let bytes = Buffer.from(waiting)
    waiting = ''
    try {
      while (bytes.length > 0) bytes = bytes.subarray(writeSync(output, bytes))
    } catch {
      // The reader is gone or the disk is full. The lines are lost, and the service goes on.
    }
  }
  process.on('exit', flush)
  // The lines of one turn of the event loop are one write. A call for each would be a tenth of the cost of a small read.
  const write = (line: string) => {
    if (waiting === '') setImmediate(flush)
    waiting += `${escapeControls(line.trimEnd())}\n`
  }
  return pino({ level: config.logLevel, base: { instance: randomUUID().slice(0, 8) } }, { write })
}
