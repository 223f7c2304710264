import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { askFor } from './shared-fixtures.ts'
import { main } from '../../src/cli/command-line.ts'
import { settings } from '../../src/settings/settings.ts'

/** The folder of the version under test. */
export const checkout = path.join(import.meta.dirname, '../..')

/** A folder of its own for a service or for commands. */
export async function createDataDir(): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(process.env.TEST_FOLDER ?? tmpdir(), 'catalogue-process-'))
  return { dataDir: path.join(folder, 'data'), remove: () => rm(folder, { recursive: true, force: true }) }
}

/** A folder of its own with the data of a demo house whose photographs are drawn. */
export async function copyDemo(): ReturnType<typeof createDataDir> {
  const folder = await createDataDir()
  // Keeps the owners: PostgreSQL does not run as root.
  await promisify(execFile)('cp', ['-a', await askFor('demo'), folder.dataDir])
  return folder
}

// Below the ports that systems give to connections and to listeners without a wish.
const [firstPort, mostPorts] = [20_000, 10_000]

/** A free port. No other test takes it before this process ends: until then it holds the UDP port of this number. */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = firstPort + randomInt(mostPorts)
    const [holder, server] = [createSocket('udp4').unref(), createServer()]
    try {
      await once(holder.bind(port, '127.0.0.1'), 'listening')
      await once(server.listen(port, '127.0.0.1'), 'listening')
      return port
    } catch (error) {
      holder.close()
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

// An empty setting counts as unset, so a contributor's .env has no effect.
const unset = Object.fromEntries(Object.keys(settings).map((name) => [name, '']))

/** The environment of a process: its settings, and from the caller's environment only the paths of programs. */
export function environmentOf(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, ...unset, LOG_LEVEL: 'warn', ...settings }
}

/** Sends a signal to a process and waits for its end, unless it has ended. Returns the exit code. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = once(child, 'exit')
  child.kill(signal)
  return (await ended)[0] as number | null
}

/** The resident memory of a process in MiB; NaN after its end. */
export async function residentMemory({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024
}

/** A running service: its first output, and functions to end it. */
export type RunningService = {
  child: ChildProcess
  printed: string
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** The exit code of a command, and what it wrote. */
export type Outcome = { code: number; stdout: string; stderr: string }

/** Runs a command of the version under test to its end, in this process. Its standard input is empty. */
export async function runCommand(settings: NodeJS.ProcessEnv, ...words: string[]): Promise<Outcome> {
  const open = () => {
    const written: Buffer[] = []
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      written.push(chunk)
      done()
    }
    return { stream: new Writable({ write }), read: () => Buffer.concat(written).toString() }
  }
  const [stdout, stderr] = [open(), open()]
  const terminal = { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream }
  const code = await main(words, { ...terminal, env: environmentOf(settings) })
  return { code, stdout: stdout.read(), stderr: stderr.read() }
}

/** The program of a checkout: its commands and its service, in processes of their own. */
export function programOf(checkout: string) {
  const program = path.join(checkout, 'bin', 'catalogue')

  /** Runs a command to its end. */
  async function runProcess(settings: NodeJS.ProcessEnv, ...words: string[]): Promise<Outcome> {
    return new Promise((resolve) => {
      execFile(program, words, { env: environmentOf(settings) }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
      })
    })
  }

  /** Starts a command without waiting. */
  function spawnCommand(
    settings: NodeJS.ProcessEnv,
    words: string[],
    stdio: StdioOptions = ['ignore', 'pipe', 'pipe'],
  ) {
    return spawn(program, words, { env: environmentOf(settings), stdio })
  }

  /** Starts `catalogue serve` and waits until it prints its address. */
  async function startProcess(settings: Record<string, string>, ...words: string[]): Promise<RunningService> {
    const child = spawnCommand(settings, ['serve', ...words])
    let printed = ''
    let complaints = ''
    child.stderr!.on('data', (text) => (complaints += text))
    await new Promise<void>((resolve, reject) => {
      child.stdout!.on('data', (text) => {
        printed += text
        if (/\/api\/v2.*\n/.test(printed)) resolve()
      })
      child.once('close', (code) => reject(new Error(`the service ended with ${code}: ${complaints}`)))
    })
    return { child, printed, stop: (signal) => stopProcess(child, signal) }
  }

  return { runProcess, spawnCommand, startProcess }
}

export const { runProcess, spawnCommand, startProcess } = programOf(checkout)

/** The process id of the embedded server of a folder; undefined if none runs. */
export async function findServerProcess(dataDir: string): Promise<number | undefined> {
  const file = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => undefined)
  const pid = Number(file?.split('\n', 1)[0])
  try {
    return process.kill(pid, 0) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

/** Serves the demo house from a folder. `read` reads a path of the interface. */
export async function serveDemo(dataDir: string, settings: Record<string, string> = {}) {
  const PORT = String(await findPort())
  const service = await startProcess({ DATA_DIR: dataDir, PORT, ...settings }, '--demo', '--json')
  const { url, key, staff } = JSON.parse(service.printed) as { url: string; key: string; staff: { key: string } }
  const read = async (path: string) => {
    const reply = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    return { status: reply.status, body: (await reply.json()) as { data: { id: string }[] } }
  }
  return { ...service, url, key, staff, read, PORT }
}
