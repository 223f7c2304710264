import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { findServerProcess, stopProcess } from '../../test/support/process.ts'

/** Waits until a condition holds, for so many seconds at most. `what` says what is wrong if it does not. */
export async function waitUntil(what: string, holds: () => Promise<boolean>, seconds = 300): Promise<void> {
  const end = Date.now() + seconds * 1_000
  while (!(await holds())) {
    assert.ok(Date.now() < end, `${what} after ${seconds} s`)
    await sleep(20)
  }
}

/** Whether a service says that it is ready. */
export async function isReady(port: number): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  return reply?.status === 200
}

/** Kills the PostgreSQL whose files are in a folder, and waits until another process has started it again. */
export async function killServer(folder: string): Promise<void> {
  const pid = await findServerProcess(folder)
  assert.ok(pid !== undefined, 'the service is ready without a database')
  process.kill(pid, 'SIGKILL')
  await waitUntil('no new database', async () => {
    const successor = await findServerProcess(folder)
    return successor !== undefined && successor !== pid
  })
}

/** A process that is killed and started again. See `supervise`. */
export type Supervised = ReturnType<typeof supervise>

/**
 * Keeps a process running as a supervisor would do: a start may fail because the database is killed meanwhile, and is
 * repeated. It has started once it prints `started`. `fail` hears of a process that had started and ended by itself. The
 * output goes into the file `log`.
 */
export function supervise(spawn: () => ChildProcess, started: RegExp, log: string, fail: (error: Error) => void) {
  const output = createWriteStream(log, { flags: 'a' })
  let child: ChildProcess | undefined
  let isStarted = false
  let startsAgain = 0

  function start(): void {
    const own = spawn()
    ;[child, isStarted] = [own, false]
    for (const stream of [own.stdout!, own.stderr!]) {
      stream.pipe(output, { end: false })
      stream.on('data', (text) => {
        if (child === own) isStarted ||= started.test(String(text))
      })
    }
    own.once('exit', (code) => {
      if (child !== own) return
      if (isStarted) return fail(new Error(`a process ended by itself with ${code}: see ${log}`))
      startsAgain++
      start()
    })
  }

  /** Ends the process. Returns its exit code; undefined if it had ended before. */
  async function stop(signal: NodeJS.Signals): Promise<number | null | undefined> {
    const own = child
    ;[child, isStarted] = [undefined, false]
    return own?.exitCode === null && own.signalCode === null ? stopProcess(own, signal) : undefined
  }

  return {
    start,
    stop,
    get child() {
      return child
    },
    get isStarted() {
      return isStarted
    },
    get startsAgain() {
      return startsAgain
    },
    async kill(): Promise<void> {
      await stop('SIGKILL')
      start()
    },
  }
}
