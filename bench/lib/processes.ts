import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = path.join(import.meta.dirname, '../..')

/** A server in a process of its own. */
export type ServerProcess = {
  url: string
  /** Resident memory in MiB. */
  memory(): Promise<number>
  stop(): Promise<void>
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

function describe(url: string, child: ChildProcess): ServerProcess {
  return {
    url,
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
      return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Starts `catalogue serve` as in production, its log thrown away, without the rate limit and the worker. */
export async function startCatalogue(dataDir: string, settings: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const port = await findFreePort()
  const child = spawn(path.join(root, 'bin/catalogue'), ['serve'], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '0',
      WORKER: 'off',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    if (ready?.ok) return describe(url, child)
    if (child.exitCode !== null) throw new Error('the service did not start')
    await sleep(10)
  }
}

/** Starts a floor: a program that takes its settings as JSON and prints the port it listens on. */
export async function startFloor(program: string, settings: unknown): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '../floors', program), JSON.stringify(settings)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [port] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the floor did not start'))),
  ])) as [Buffer]
  return describe(`http://127.0.0.1:${String(port).trim()}`, child)
}
