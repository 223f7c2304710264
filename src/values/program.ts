import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable, Writable } from 'node:stream'

/** The command that users type: in a checkout, or where the package is installed. */
export const programName = import.meta.dirname.includes('/node_modules/') ? 'npx catalogue' : 'bin/catalogue'

type Output = Writable & { isTTY?: boolean; columns?: number }

/** Where a command reads and writes, and its environment. A process is one. */
export type Terminal = {
  readonly stdin: Readable & { isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly env: NodeJS.ProcessEnv
}

/** A command that is being carried out, with what it keeps until its end. */
class Run {
  readonly terminal: Terminal
  /** The words of the command, without its options: `lots add`. */
  command = 'catalogue'
  /** What will be said before the result. */
  readonly announced: string[] = []
  /** The time zone of the house; undefined for that of the machine. */
  zone: string | undefined
  exitCode = 0

  constructor(terminal: Terminal) {
    this.terminal = terminal
  }
}

// Tests carry out several commands at once in a process.
const runs = new AsyncLocalStorage<Run>()
const ofProcess = new Run(process)

/**
 * Carries out a command in a terminal: what `work` calls finds it in `running`. The process itself needs no store, which
 * before Node 24 slows every promise of a service.
 */
export const runIn = <T>(terminal: Terminal, work: () => T): T =>
  terminal === process ? work() : runs.run(new Run(terminal), work)

/** The command that is being carried out; outside of any, that of the process. */
export const running = (): Run => runs.getStore() ?? ofProcess

/** The terminal of the command that is being carried out. */
export const terminal = (): Terminal => running().terminal
