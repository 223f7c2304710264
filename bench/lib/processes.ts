import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPort, findServerProcess, residentMemory, spawnCommand, stopProcess } from '../../test/support/process.ts'

/** A server in a process of its own. */
export type ServerProcess = {
  url: string
  pid: number
  /** Resident memory in MiB. */
  memory(): Promise<number>
  stop(): Promise<unknown>
}

function describe(url: string, child: ChildProcess): ServerProcess {
  return { url, pid: child.pid!, memory: () => residentMemory(child), stop: () => stopProcess(child) }
}

/**
 * Starts `catalogue serve` as in production, with the settings of the caller, but without a log, a rate limit or a
 * worker.
 */
export async function startCatalogue(dataDir: string, settings: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const PORT = String(await findPort())
  const own = { LOG_LEVEL: 'info', ...process.env, DATA_DIR: dataDir, PORT, RATE_LIMIT_PER_MINUTE: '0', WORKER: 'off' }
  const child = spawnCommand({ ...own, ...settings }, ['serve'], ['ignore', 'ignore', 'inherit'])
  const url = `http://127.0.0.1:${PORT}`
  for (;;) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    if (ready?.ok) return describe(url, child)
    if (child.exitCode !== null) throw new Error('the service did not start')
    await sleep(10)
  }
}

/** Starts a floor: a program that takes its settings as JSON and prints the port it listens on. */
export async function startFloor(program: string, settings: unknown): Promise<ServerProcess> {
  const words = [path.join(import.meta.dirname, '../floors', program), JSON.stringify(settings)]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the floor did not start'))),
  ])) as [Buffer]
  return describe(`http://127.0.0.1:${String(port).trim()}`, child)
}

// Seconds of processor time of a process, and of its children that have ended.
async function readProcessor(pid: number | string): Promise<{ own: number; ended: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const ticks = (from: number) => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) / 100
  return { own: ticks(11), ended: ticks(13) }
}

/** Seconds of processor time of a server process, and of the PostgreSQL below a folder. */
export async function measureProcessor({ pid }: ServerProcess, dataDir: string) {
  const postmaster = (await findServerProcess(dataDir))!
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')).trim().split(' ')
  const all = await Promise.all([postmaster, ...children].map(readProcessor))
  const postgres = all.reduce((sum, { own }) => sum + own, all[0]!.ended)
  return { node: (await readProcessor(pid)).own, postgres }
}
