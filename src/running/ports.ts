import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { ConfigError } from '../settings/config.ts'

/** Describes what is wrong with PORT or METRICS_PORT, or with its host, if the service cannot listen there. */
export function describeListenError(error: NodeJS.ErrnoException, name: string, host: string, port: number): Error {
  const hostName = name.replace('PORT', 'HOST')
  const reasons: Record<string, string> = {
    EADDRINUSE: `${name} ${port} is already in use on ${host}`,
    EACCES: `${name} ${port} needs a privilege that this user does not have`,
    EADDRNOTAVAIL: `${hostName} ${host} is no address of this machine`,
    ENOTFOUND: `${hostName} ${host} is not known`,
  }
  const reason = reasons[error.code ?? '']
  return reason === undefined ? error : new ConfigError(reason)
}

/**
 * Listens on addresses for a moment, on all at once, before anything is made that takes longer.
 * @throws ConfigError if a service cannot listen there
 */
export async function tryPorts(ports: [name: string, host: string, port: number][]): Promise<void> {
  const servers: Server[] = []
  try {
    for (const [name, host, port] of ports) {
      const server = createServer((socket) => socket.destroy())
      await once(server.listen({ host, port }), 'listening').catch((error: NodeJS.ErrnoException) => {
        throw describeListenError(error, name, host, port)
      })
      servers.push(server)
    }
  } finally {
    await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))))
  }
}
