import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { pino } from 'pino'
import type { Config } from './config.ts'
import { escapeControls } from './values/text.ts'

/** The log of this process, on an open file: JSON lines without control characters that a terminal would obey. */
export function createLogger(config: Config, output: number = process.stdout.fd) {
  const write = (line: string) => {
    try {
      writeSync(output, `${escapeControls(line.trimEnd())}\n`)
    } catch {
      // The reader is gone or the disk is full. The line is lost, and the service goes on.
    }
  }
  return pino({ level: config.logLevel, base: { instance: randomUUID().slice(0, 8) } }, { write })
}
