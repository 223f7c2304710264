import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { Connection } from '../../src/db/pool.ts'
import { urlOf } from './database.ts'

/**
 * A way to a database over a socket of its own. `join` is given the two ends of each connection, and passes on between
 * them what it wants to.
 */
export async function openTunnel(connection: Connection, join: (client: Socket, server: Socket) => void) {
  const target = new Client(connection)
  const address = new URL(urlOf(connection))
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-tunnel-'))
  const sockets = new Set<Socket>()
  const tunnel = createServer((client) => {
    const server = target.host.startsWith('/')
      ? connect(path.join(target.host, `.s.PGSQL.${target.port}`))
      : connect(target.port, target.host)
    for (const socket of [client, server])
      sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)))
    server.on('close', () => client.destroy())
    join(client, server)
  }).listen(path.join(folder, '.s.PGSQL.5432'))
  await once(tunnel, 'listening')
  address.port = ''
  address.searchParams.set('host', folder)
  return {
    connection: { connectionString: address.href },
    async close() {
      tunnel.close()
      for (const socket of sockets) socket.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
