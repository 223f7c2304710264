import { spawnCommand } from '../../test/support/process.ts'
import { killServer, supervise, untilReady } from '../lib/processes.ts'

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
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  const open = (name: string, own: Record<string, string>) => {
    const spawn = () => spawnCommand({ ...settings, ...own }, ['serve'])
    return supervise(spawn, /\/api\/v2|working off/, `${dataDir}-${name}.log`, fail)
  }
  const running = {
    server: open('server', { WORKER: 'off' }),
    worker: open('worker', { WORKER: 'only', LOG_LEVEL: 'info' }),
    routed: open('routed', { PORT: String(ports.routed), DATABASE_URL: url }),
  }
  const all = Object.values(running)
  const areReady = () => untilReady(Object.values(ports))

  return {
    ports: Object.values(ports),
    settings,
    /** Rejects when a process that had started ends by itself. */
    failed,
    untilReady: areReady,
    countStartsAgain: () => all.reduce((sum, { startsAgain }) => sum + startsAgain, 0),
    /** Kills a process and starts it again. Returns when the service is ready. */
    async kill(kind: keyof typeof running | 'database'): Promise<void> {
      await (kind === 'database' ? killServer(dataDir) : running[kind].kill())
      await areReady()
    },
    async start(): Promise<void> {
      for (const each of all) each.start()
      await areReady()
    },
    /** Stops the processes one after the other; the last one stops the database. Returns their exit codes. */
    async stop() {
      const codes: (number | null | undefined)[] = []
      for (const each of all.toReversed()) codes.push(await each.stop('SIGTERM'))
      return codes
    },
  }
}

export type Processes = ReturnType<typeof openProcesses>
