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

/** Waits until the services at these ports say that they are ready. */
export function untilReady(ports: number[]): Promise<void> {
  const isReady = async (port: number) =>
    (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200
  return waitUntil('the service is not ready', async () => (await Promise.all(ports.map(isReady))).every(Boolean))
}

/** Kills the PostgreSQL whose files are in a folder, and waits until another process has started it again. */
export async function killServer(folder: string): Promise<void> {
  const pid = await findServerProcess(folder)
  assert.ok(pid !== undefined, 'there is no database to kill')
  process.kill(pid, 'SIGKILL')
  await waitUntil('no new database', async () => {
    const successor = await findServerProcess(folder)
    return successor !== undefined && successor !== pid
  })
}

/**
 * Keeps a process running as a supervisor would do: a start may fail because the database is killed meanwhile, and is
 * repeated. It has started once it prints `started`. `fail` hears of a process that had started and ended by itself. The
 * output goes into the file `log`.
 */
export function supervise(spawn: () => ChildProcess, started: RegExp, log: string, fail: (error: Error) => void) {
  const output = createWriteStream(log, { flags: 'a' })
  const running = {
    child: undefined as ChildProcess | undefined,
    isStarted: false,
    startsAgain: 0,
    start(): void {
      const own = spawn()
      Object.assign(running, { child: own, isStarted: false })
      for (const stream of [own.stdout!, own.stderr!]) {
        stream.pipe(output, { end: false })
        stream.on('data', (text) => {
          if (running.child === own) running.isStarted ||= started.test(String(text))
        })
      }
      own.once('exit', (code) => {
        if (running.child !== own) return
        if (running.isStarted) return fail(new Error(`a process ended by itself with ${code}: see ${log}`))
        running.startsAgain++
        running.start()
      })
    },
    /** Ends the process. Returns its exit code; undefined if it had ended before. */
    async stop(signal: NodeJS.Signals): Promise<number | null | undefined> {
      const own = running.child
      Object.assign(running, { child: undefined, isStarted: false })
      return own?.exitCode === null && own.signalCode === null ? stopProcess(own, signal) : undefined
    },
    async kill(): Promise<void> {
      await running.stop('SIGKILL')
      running.start()
    },
  }
  return running
}
