import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'
import { Client } from 'pg'

import { openDatabase } from '../pool.ts'
import { findBinaries, reachableByOthers } from './binaries.ts'
import { removeLock } from './postmaster.ts'
import { acquireEmbeddedServer, type EmbeddedServer, EmbeddedServerError } from './server.ts'

const isRoot = process.getuid?.() === 0
const fast = { durable: false }
let home: string

// For root, only root may enter this folder, which is above every DATA_DIR here.
before(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'embedded-test-')))
})
after(async () => {
  await rm(home, { recursive: true, force: true })
})

test('the first use creates the database, the next finds its rows, and neither leaves a process behind', async () => {
  const dataDir = join(home, 'not', 'yet', 'there')
  const first = await acquireEmbeddedServer(dataDir)
  await query(first, "create table lots (title text); insert into lots values ('Vase')")
  assert.deepEqual(await query(first, "select datcollate, datlocale from pg_database where datname = 'catalogue'"), [
    { datcollate: 'C', datlocale: 'C.UTF-8' },
  ])
  assert.notDeepEqual(await processesOf(dataDir), [])
  await first.release()
  assert.deepEqual(await processesOf(dataDir), [])

  const second = await acquireEmbeddedServer(dataDir)
  assert.deepEqual(await query(second, 'select title from lots'), [{ title: 'Vase' }])
  await second.release()
  await second.release()
  assert.deepEqual(await processesOf(dataDir), [])
  assert.deepEqual((await readdir(dataDir)).toSorted(), ['postgres', 'postgres.log'])
})

test('a start that is aborted at any moment leaves no process, and the next start works', async () => {
  for (const delay of [0, 50, 200, 600, 1_000, 1_500]) {
    const dataDir = join(home, `given up ${delay}`)
    const stopping = new AbortController()
    const start = acquireEmbeddedServer(dataDir, { ...fast, signal: stopping.signal })
    const outcome = start.then(
      () => 'started' as const,
      (error: Error) => error.name,
    )
    await sleep(delay)
    stopping.abort()
    // The server may have been up before the abort.
    if ((await outcome) === 'started') await (await start).release()
    else assert.equal(await outcome, 'AbortError')
    const left = await readdir(dataDir)
    assert.deepEqual(
      left.filter((name) => name.startsWith('postgres.init-')),
      [],
    )
    if (left.includes('postgres')) assert.deepEqual(await processesOf(dataDir), [])
    const next = await acquireEmbeddedServer(dataDir, fast)
    assert.deepEqual(await query(next, 'select 1 as one'), [{ one: 1 }])
    await next.release()
  }
})

test('only the owner and root reach the database, and no network port is open', async () => {
  const server = await acquireEmbeddedServer(join(home, 'private'), fast)
  const { mode, uid } = await stat(server.connection.host)
  assert.equal(mode & 0o777, 0o700)
  if (isRoot) assert.notEqual(uid, 0)
  else assert.equal(uid, process.getuid?.())
  assert.deepEqual(await query(server, 'show listen_addresses'), [{ listen_addresses: '' }])
  const sockets = await Promise.all((await processesOf(join(home, 'private'))).map(socketsOf))
  const listening = (
    await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  )
    .flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
    .filter((columns) => columns[3] === '0A')
    .map((columns) => columns[9])
  assert.deepEqual(
    sockets.flat().filter((inode) => listening.includes(inode)),
    [],
  )
  await server.release()
})

test('a server whose user was killed is adopted with its rows, and stopped by the next user that leaves', async () => {
  const dataDir = join(home, 'killed user')
  const user = await startUser(dataDir)
  const [before] = await serverOf(dataDir)
  user.process.kill('SIGKILL')
  await once(user.process, 'exit')
  assert.deepEqual(await serverOf(dataDir), [before])

  const next = await acquireEmbeddedServer(dataDir, fast)
  assert.deepEqual(await serverOf(dataDir), [before])
  assert.deepEqual(await query(next, 'select count(*)::int from marks'), [{ count: 1 }])
  await next.release()
  assert.deepEqual(await processesOf(dataDir), [])
})

test('several processes at once on an empty folder share one server, and the last one stops it', async () => {
  const dataDir = join(home, 'shared')
  const users = await Promise.all(Array.from({ length: 5 }, () => startUser(dataDir)))
  const [server, ...others] = await serverOf(dataDir)
  assert.ok(server)
  assert.deepEqual(others, [])
  const order = users.map((user) => ({ user, rank: Math.random() })).toSorted((a, b) => a.rank - b.rank)
  for (const { user } of order.slice(0, 3)) await user.leave()
  assert.deepEqual(await serverOf(dataDir), [server])
  await Promise.all(order.slice(3).map(({ user }) => user.leave()))
  assert.deepEqual(await processesOf(dataDir), [])
  assert.deepEqual((await readdir(dataDir)).toSorted(), ['postgres', 'postgres.log'])
})

test('a process that joins while the last one leaves gets a server', async () => {
  const dataDir = join(home, 'revolving door')
  let server = await acquireEmbeddedServer(dataDir, fast)
  for (let round = 0; round < 8; round++) {
    const [next] = await Promise.all([
      sleep(round * 3).then(() => acquireEmbeddedServer(dataDir, fast)),
      server.release(),
    ])
    assert.deepEqual(await query(next, 'select 1 as one'), [{ one: 1 }])
    server = next
  }
  await server.release()
  assert.deepEqual(await processesOf(dataDir), [])
})

test('servers of two folders run side by side, and a stop of one leaves the other', async () => {
  const [one, two] = await Promise.all(['one', 'two'].map((name) => acquireEmbeddedServer(join(home, name), fast)))
  assert.ok(one && two)
  await one.release()
  assert.deepEqual(await processesOf(join(home, 'one')), [])
  assert.deepEqual(await query(two, 'select 1 as one'), [{ one: 1 }])
  await two.release()
})

test('a server that is killed in use restarts with every committed row', async () => {
  const dataDir = join(home, 'killed server')
  const server = await acquireEmbeddedServer(dataDir)
  await query(server, 'create table bids (amount int); insert into bids select generate_series(1, 1000)')
  const [pid] = await serverOf(dataDir)
  assert.ok(pid)
  process.kill(pid, 'SIGKILL')
  assert.deepEqual(await queryUntilAnswered(server, 'select count(*)::int from bids'), [{ count: 1000 }])
  assert.notDeepEqual(await serverOf(dataDir), [pid])
  await server.release()
  assert.deepEqual(await processesOf(dataDir), [])
})

test('the lock file of a killed server is removed, and that of a server that was started meanwhile is not', async () => {
  const directory = await mkdtemp(join(home, 'locked-'))
  const lock = join(directory, 'postmaster.pid')
  await writeFile(lock, '456\n/somewhere\n')
  await removeLock({ directory }, 123)
  assert.equal(await readFile(lock, 'utf8'), '456\n/somewhere\n')
  await removeLock({ directory }, 456)
  assert.deepEqual(await readdir(directory), [])
  await removeLock({ directory }, 456)
})

test('a user that leaves at any moment after the server was killed leaves no server behind', async () => {
  const dataDir = join(home, 'killed at the end')
  for (const delay of [0, 5, 15, 30, 60, 120]) {
    const server = await acquireEmbeddedServer(dataDir, fast)
    const [pid] = await serverOf(dataDir)
    assert.ok(pid)
    process.kill(pid, 'SIGKILL')
    await sleep(delay)
    await server.release()
    assert.deepEqual(await serverOf(dataDir), [])
  }
})

test('a lock file left by a crash, whose process id belongs to another process, does not prevent the start', async (t) => {
  const dataDir = join(home, 'crashed')
  const server = await acquireEmbeddedServer(dataDir, fast)
  await server.release()
  const { uid, gid } = await stat(join(dataDir, 'postgres'))
  const alien = spawn('/bin/sleep', ['infinity'], isRoot ? { uid, gid } : {})
  t.after(() => alien.kill())
  await once(alien, 'spawn')
  const lock = `${alien.pid}\n/somewhere\n1\n5432\n.\n\n  1 1\nready\n`
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), lock)
  await writeFile(join(dataDir, 'postgres', '.s.PGSQL.5432.lock'), lock)
  const next = await acquireEmbeddedServer(dataDir, fast)
  assert.deepEqual(await query(next, 'select 1 as one'), [{ one: 1 }])
  await next.release()
  assert.equal(alien.exitCode ?? alien.signalCode, null)
})

test('the log of a running server is cut to its last part before it has 100 MiB', async () => {
  const dataDir = join(home, 'log')
  const server = await acquireEmbeddedServer(dataDir, fast)
  const log = join(dataDir, 'postgres.log')
  await truncate(log, 90 * 1024 * 1024)
  await assert.rejects(query(server, 'select 1 as before from nowhere'))
  while ((await stat(log)).size > 10 * 1024 * 1024) await sleep(100)
  await assert.rejects(query(server, 'select 1 as afterwards from nowhere'))
  const text = await readFile(log, 'utf8')
  assert.match(text, /as before[^]*as afterwards/)
  assert.equal((await stat(log)).mode & 0o777, 0o600)
  await server.release()
})

test('the path may have a space, and be longer than a socket address', async () => {
  const dataDir = join(home, 'a folder', 'é'.repeat(60), 'x'.repeat(60))
  const server = await acquireEmbeddedServer(dataDir, fast)
  assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }])
  await server.release()
  assert.deepEqual(await processesOf(dataDir), [])
  await assert.rejects(lstat(server.connection.host), { code: 'ENOENT' })
  assert.ok(server.connection.host.length < dataDir.length)
  await assert.doesNotReject(stat(join(dataDir, 'postgres')))
})

test('a connection to one’s own server waits while the machine is busy', async () => {
  const dataDir = join(home, 'busy')
  const server = await acquireEmbeddedServer(dataDir, fast)
  const postmaster = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'))
  const { db, pool } = openDatabase(server.connection, 1)
  process.kill(postmaster, 'SIGSTOP')
  try {
    const asked = sql<{ one: number }>`select 1 as one`.execute(db)
    // Longer than a connection to another machine may take.
    await sleep(8_000)
    process.kill(postmaster, 'SIGCONT')
    assert.deepEqual((await asked).rows, [{ one: 1 }])
  } finally {
    process.kill(postmaster, 'SIGCONT')
    await pool.end()
    await server.release()
  }
})

test('any fault of the folder is reported in one line that names it', async () => {
  const file = join(home, 'file')
  await writeFile(file, '')
  await refuses(file, /: it is not a directory$/)
  await refuses(join(file, 'below'), /: it is not a directory/)

  const other = join(home, 'other')
  await mkdir(join(other, 'postgres'), { recursive: true })
  await refuses(other, isRoot ? /belongs to root/ : /is not a PostgreSQL data directory$/)

  const old = join(home, 'old')
  await (await acquireEmbeddedServer(old, fast)).release()
  await writeFile(join(old, 'postgres', 'PG_VERSION'), '17\n')
  await refuses(old, /: postgres was made by PostgreSQL 17, this is 18$/)

  const broken = join(home, 'broken')
  await (await acquireEmbeddedServer(broken, fast)).release()
  await writeFile(join(broken, 'postgres', 'postgresql.conf'), 'shared_bufers = 1\n')
  await refuses(broken, /: configuration file .* contains errors$/)
  assert.deepEqual(await processesOf(broken), [])
})

test('programs below a folder that only root may enter are copied to a folder that others can read', async () => {
  const { native } = await findBinaries()
  const hidden = join(home, 'hidden', 'native')
  await mkdir(hidden, { recursive: true })
  for (const path of ['bin', 'share']) await cp(join(native, path), join(hidden, path), { recursive: true })
  await mkdir(join(hidden, 'lib'))
  const version = `test-${process.pid}`
  const copy = isRoot ? await reachableByOthers(hidden, version) : native
  try {
    assert.equal(await reachableByOthers(copy, version), copy)
    if (!isRoot) return
    assert.equal(await reachableByOthers(hidden, version), copy)
    await rm(join(copy, 'bin', 'postgres'))
    assert.equal(await reachableByOthers(hidden, version), copy)
    assert.equal((await stat(join(copy, 'bin', 'postgres'))).mode & 0o777, 0o755)
    // A copy that another user has made, or may have changed, is not used.
    await chmod(copy, 0o777)
    await chown(copy, 65534, 65534)
    assert.equal(await reachableByOthers(hidden, version), `${copy}-2`)
    assert.equal(await reachableByOthers(hidden, version), `${copy}-2`)
  } finally {
    if (copy !== native) for (const each of [copy, `${copy}-2`]) await rm(each, { recursive: true, force: true })
  }
})

async function query(server: EmbeddedServer, sql: string): Promise<unknown[]> {
  const client = new Client(server.connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

async function queryUntilAnswered(server: EmbeddedServer, sql: string): Promise<unknown[]> {
  for (;;) {
    const rows = await query(server, sql).catch(() => undefined)
    if (rows) return rows
    await sleep(50)
  }
}

async function refuses(dataDir: string, reason: RegExp): Promise<void> {
  await assert.rejects(acquireEmbeddedServer(dataDir, fast), (error) => {
    assert.ok(error instanceof EmbeddedServerError)
    assert.ok(error.message.startsWith(`DATA_DIR ${dataDir}: `) && !error.message.includes('\n'), error.message)
    assert.match(error.message, reason)
    return true
  })
}

const userScript = `
  import pg from 'pg'
  import { acquireEmbeddedServer } from ${JSON.stringify(new URL('./server.ts', import.meta.url))}
  const server = await acquireEmbeddedServer(process.argv[1], { durable: false })
  const client = new pg.Client(server.connection)
  await client.connect()
  await client.query('select pg_advisory_lock(1)')
  await client.query('create table if not exists marks (id int)')
  await client.query('insert into marks values (1)')
  await client.end()
  console.log('ready')
  process.stdin.once('data', async () => {
    await server.release()
    process.exit()
  })
`

/** Another process that uses the server until `leave` is called. */
async function startUser(dataDir: string): Promise<{ process: ChildProcess; leave: () => Promise<void> }> {
  const user = spawn(process.execPath, ['--input-type=module', '--eval', userScript, dataDir], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exit = once(user, 'exit')
  const [line] = await Promise.race([once(createInterface(user.stdout), 'line'), exit])
  assert.equal(line, 'ready')
  const leave = async () => {
    user.stdin.write('leave\n')
    assert.deepEqual(await exit, [0, null])
  }
  return { process: user, leave }
}

/** The ids of all processes in the database of a DATA_DIR. */
async function processesOf(dataDir: string): Promise<number[]> {
  const directory = join(dataDir, 'postgres')
  const { dev, ino } = await stat(directory)
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const works = async (id: number) =>
    (await readlink(`/proc/${id}/cwd`).catch(() => '')) === directory ||
    (await commandOf(id)).includes(`catalogue-${dev}-${ino}`)
  const found = await Promise.all(ids.map(works))
  return ids.filter((_, index) => found[index])
}

/** The servers among them. Their child processes have other command lines. */
async function serverOf(dataDir: string): Promise<number[]> {
  const ids = await processesOf(dataDir)
  const commands = await Promise.all(ids.map(commandOf))
  return ids.filter((_, index) => commands[index]?.includes('listen_addresses='))
}

async function commandOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
}

async function socketsOf(pid: number): Promise<(string | undefined)[]> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')))
  return links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]).filter((inode) => inode !== undefined)
}
