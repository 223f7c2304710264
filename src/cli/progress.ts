import measure from 'fast-string-truncated-width'
import { terminal, type Terminal } from '../values/program.ts'
import { escapeControls } from '../values/text.ts'

/** Long work on a file: its words, how to print a count, and the interval of counts between two lines of progress. */
export type Work = { doing: string; done: string; print: (count: number) => string; step: number }

/** Replaces the last shown text, on a terminal. */
function showLine({ stderr }: Terminal, text: string): void {
  const { index } = measure(text, { limit: (stderr.columns || 80) - 1, ellipsis: '' })
  stderr.write(`\r\x1b[K${text.slice(0, index)}`)
}

/**
 * Shows the progress of long work: one changing line on a terminal, plain lines elsewhere. After a failure only the
 * error message remains.
 */
export function showProgress({ doing, done, print, step }: Work, file: string) {
  const name = escapeControls(file)
  const shown = terminal()
  const { stderr } = shown
  if (stderr.isTTY) {
    const report = (count: number) => showLine(shown, `${doing} ${name}: ${print(count)}`)
    showLine(shown, `${doing} ${name}`)
    return {
      report,
      end: (count: number) => void stderr.write(`\r\x1b[K${done} ${name}: ${print(count)}\n`),
      fail: () => void stderr.write(`\r\x1b[Kgave up ${doing} ${name}\n`),
    }
  }
  let next = step
  return {
    report(count: number) {
      if (count < next) return
      next = count + step
      stderr.write(`${doing} ${name}: ${print(count)}\n`)
    },
    end: (count: number) => void stderr.write(`${done} ${name}: ${print(count)}\n`),
    fail: () => undefined,
  }
}

/**
 * Shows the step of a start: one changing line on a terminal, plain lines elsewhere. `end` clears the terminal's line.
 */
export function showStages() {
  const shown = terminal()
  const { stderr } = shown
  return {
    report: (stage: string) => (stderr.isTTY ? showLine(shown, stage) : void stderr.write(`${stage}\n`)),
    end: () => void (stderr.isTTY && stderr.write('\r\x1b[K')),
  }
}

/** Bytes in whole MB. */
export const printMegabytes = (bytes: number) => `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`
