import { progress } from '@clack/prompts'
import { escapeControls } from '../values/text.ts'

/** Long work on a file: its words, how to print a count, and how many counts lie between two lines of progress. */
export type Work = { doing: string; done: string; print: (count: number) => string; step: number }

/** Shows the progress of long work: a moving bar on a terminal, plain lines elsewhere. There the error message alone reports a failure. */
export function showProgress({ doing, done, print, step }: Work, file: string) {
  const name = escapeControls(file)
  if (process.stderr.isTTY) {
    const bar = progress({ style: 'light', output: process.stderr, indicator: 'timer' })
    bar.start(`${doing} ${name}`)
    return {
      report: (count: number) => bar.message(`${doing} ${name}: ${print(count)}`),
      end: (count: number) => bar.stop(`${done} ${name}: ${print(count)}`),
      fail: () => bar.stop(`gave up ${doing} ${name}`),
    }
  }
  let next = step
  return {
    report(count: number) {
      if (count < next) return
      next = count + step
      process.stderr.write(`${doing} ${name}: ${print(count)}\n`)
    },
    end: (count: number) => void process.stderr.write(`${done} ${name}: ${print(count)}\n`),
    fail: () => undefined,
  }
}

/** Bytes in whole MB. */
export const printMegabytes = (bytes: number) => `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`
