import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { Connection } from '../../src/db/pool.ts'
import { findPort } from './process.ts'
import { addressOf, openRelay } from './tunnel.ts'

const unprivileged = 65534

/** Why a test that needs pgbouncer is skipped; false if it is installed. */
export const withoutPgbouncer =
  spawnSync('pgbouncer', ['--version']).error === undefined ? false : 'there is no pgbouncer on the PATH'

/** A pgbouncer in front of a database, with at most `size` connections to it. */
export async function startPgbouncer(connection: Connection, mode: 'session' | 'transaction', size: number) {
  const { user, password, database } = new Client(connection)
  const [serverPort, port] = [await findPort(), await findPort()]
  // pgbouncer does not run as root, and only root reaches the socket of the tests' server.
  const relay = await openRelay({ port: serverPort, host: '127.0.0.1' }, addressOf(connection), (near, far) =>
    near.pipe(far).pipe(near),
  )
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-pgbouncer-'))
  const settings = `
    [databases]
    ${database} = host=127.0.0.1 port=${serverPort} user=${user} ${password ? `password=${password}` : ''}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = any
    pool_mode = ${mode}
    default_pool_size = ${size}`
  await writeFile(path.join(folder, 'settings'), settings.replaceAll(/^ +/gm, ''))
  const identity = process.getuid?.() === 0 ? { uid: unprivileged, gid: unprivileged } : {}
  if (process.getuid?.() === 0) await chown(folder, unprivileged, unprivileged)
  const child = spawn('pgbouncer', ['settings'], { ...identity, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  let said = ''
  for await (const piece of child.stderr.iterator({ destroyOnReturn: false }))
    if ((said += String(piece)).includes('process up')) break
  child.stderr.resume()
  return {
    url: `postgres://${user}@127.0.0.1:${port}/${database}`,
    async stop() {
      child.kill('SIGKILL')
      await ended
      relay.close()
      await rm(folder, { recursive: true })
    },
  }
}
