import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type ListenOptions, type NetConnectOpts, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { Connection } from '../../src/db/pool.ts'
import { urlOf } from './address.ts'

type Join = (client: Socket, server: Socket) => void

/**
 * Listens, and connects to the server once for each connection. `join` gets both ends, and passes data between them.
 */
export async function openRelay(listen: ListenOptions, server: NetConnectOpts, join: Join) {
  const sockets = new Set<Socket>()
  const relay = createServer((near) => {
    const far = connect(server)
    for (const socket of [near, far])
      sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)))
    far.on('close', () => near.destroy())
    join(near, far)
  }).listen(listen)
  await once(relay, 'listening')
  return {
    close() {
      relay.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The address of a database's server. */
export function addressOf(connection: Connection): NetConnectOpts {
  const { host, port } = new Client(connection)
  return host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port }
}

/** A route to a database through its own socket: see `openRelay`. */
export async function openTunnel(connection: Connection, join: Join) {
  const address = new URL(urlOf(connection))
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-tunnel-'))
  const relay = await openRelay({ path: path.join(folder, '.s.PGSQL.5432') }, addressOf(connection), join)
  address.port = ''
  address.searchParams.set('host', folder)
  return {
    connection: { connectionString: address.href },
    async close() {
      relay.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
