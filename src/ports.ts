import { once } from 'node:events'
import { createServer } from 'node:net'
import { ConfigError } from './config.ts'

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
 * Listens on an address for a moment, before anything is made that takes longer.
 * @throws ConfigError if a service cannot listen there
 */
export async function tryPort(name: string, host: string, port: number): Promise<void> {
  const server = createServer((socket) => socket.destroy())
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    throw describeListenError(error as NodeJS.ErrnoException, name, host, port)
  }
  await new Promise((closed) => server.close(closed))
}
