import { spawnCommand } from '../../test/support/process.ts'
import { isReady, killServer, supervise, waitUntil } from '../lib/processes.ts'

const services = ['server', 'worker', 'routed'] as const

// The processes that can be killed.
type Victim = (typeof services)[number] | 'database'

/**
 * A server and a worker on one folder, with the database that they start and share, or the one at the URL `shared`. A second
 * server, with a worker in it, reaches this database through `url`. The output of each goes into a file beside the folder.
 */
export function openProcesses(
  dataDir: string,
  ports: { server: number; routed: number },
  url: string,
  shared?: string,
) {
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(ports.server),
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    ...(shared !== undefined && { DATABASE_URL: shared }),
  }
  const own = {
    server: { WORKER: 'off' },
    worker: { WORKER: 'only', LOG_LEVEL: 'info' },
    routed: { PORT: String(ports.routed), DATABASE_URL: url },
  }
  let fail: (error: Error) => void
  /** Rejects when a process that had started ends by itself. */
  const failed = new Promise<never>((_, reject) => (fail = reject))
  const open = (kind: (typeof services)[number]) => {
    const spawn = () => spawnCommand({ ...settings, ...own[kind] }, ['serve'])
    return supervise(spawn, /\/api\/v2|working off/, `${dataDir}-${kind}.log`, (error) => fail(error))
  }
  const running = { server: open('server'), worker: open('worker'), routed: open('routed') }
  const all = Object.values(running)
  const areReady = async () => (await Promise.all(Object.values(ports).map(isReady))).every(Boolean)
  const untilReady = () => waitUntil('the service is not ready', areReady, 60)

  return {
    settings,
    failed,
    untilReady,
    countStartsAgain: () => all.reduce((sum, { startsAgain }) => sum + startsAgain, 0),
    /** Kills a process and starts it again. Returns the milliseconds until the service is ready. */
    async kill(kind: Victim): Promise<number> {
      const begun = performance.now()
      await (kind === 'database' ? killServer(dataDir) : running[kind].kill())
      await untilReady()
      return performance.now() - begun
    },
    async start() {
      for (const each of all) each.start()
      await untilReady()
    },
    /** Stops the processes one after the other; the last one stops the database. Returns their exit codes. */
    async stop() {
      const codes: (number | null | undefined)[] = []
      for (const each of all.toReversed()) codes.push(await each.stop('SIGTERM'))
      return codes
    },
  }
}
