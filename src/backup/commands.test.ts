import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { packTar, unpackTar } from 'modern-tar'
import { countRows } from '../../test/support/backups.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { urlOf } from '../../test/support/address.ts'
import { catalogueOf } from '../../test/support/lines.ts'
import { form, picture, storedFiles, until } from '../../test/support/pictures.ts'
import { environmentOf, checkout, programOf, runCommand } from '../../test/support/process.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { openFileStore } from '../media/file-store.ts'

const { slug, ids, lines } = catalogueOf(1)
let folder: string
let service: TestService
let settings: Record<string, string>

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'backups-'))
  service = await startService({ records: lines })
  settings = { DATABASE_URL: urlOf(service.connection), DATA_DIR: service.dataDir, SECRET: service.secret }
  const key = await service.issueKey(slug)
  const { headers, body } = form(['external_reference', 'x'], ['file', await picture('#123456', 400, 300), 'a.jpg'])
  await service.request({ method: 'POST', url: `/api/v2/items/${ids.item}/images`, key, headers, body })
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

/** An empty database, and the settings of commands on it. */
async function openTarget() {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(path.join(folder, 'target-'))
  const keyring = ['key'] as const
  return {
    ...database,
    media: openFileStore({ dataDir, publicUrl: '', keyring }),
    settings: { ...settings, DATABASE_URL: urlOf(database.connection), DATA_DIR: dataDir },
  }
}

function start(settings: Record<string, string>, ...words: string[]) {
  return spawn(path.join(checkout, 'bin/catalogue'), words, {
    env: environmentOf(settings),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

async function backUpTo(file: string) {
  const { code, stderr } = await runCommand(settings, 'backup', file)
  assert.equal(code, 0, stderr)
}

test('a backup is a file for its owner alone, which tar and sha256sum can check, and takes the place of an older one', async () => {
  const file = path.join(folder, 'whole.tar')
  await writeFile(file, 'an older backup')
  const { code, stdout, stderr } = await runCommand(settings, 'backup', file, '--json')
  assert.equal(code, 0, stderr)
  const { files, missing } = JSON.parse(stdout) as { files: number; missing: string[] }
  assert.deepEqual([files, missing], [1, []])
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const unpacked = path.join(folder, 'unpacked')
  await mkdir(unpacked)
  const script = 'tar xf "$0" && sha256sum --check --strict --quiet sums/*.sha256 && zcat rows/lots/*.gz | wc -l'
  const checked = await promisify(execFile)('/bin/bash', ['-c', script, file], { cwd: unpacked })
  assert.equal(checked.stdout, '2\n')
})

test('a backup goes through a pipe, and a restore takes it from one', async () => {
  const target = await openTarget()
  const backup = start(settings, 'backup', '-')
  const restore = start(target.settings, 'restore', '-')
  backup.stdout.pipe(restore.stdin)
  const [complaints, [code]] = await Promise.all([text(restore.stderr), once(restore, 'exit')])
  assert.equal(code, 0, complaints)
  assert.equal(await countRows(target), await countRows(service))
  assert.deepEqual(await storedFiles(target.media), await storedFiles(service.media))
  await target.drop()
})

test('a backup that is killed or interrupted leaves no file of its name, and holds nothing', async () => {
  const held = () =>
    sql`select from pg_locks where locktype = 'advisory' and classid::bigint = 4872`.execute(service.db)
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const place = await mkdtemp(path.join(folder, 'killed-'))
    const file = path.join(place, 'a.tar')
    await service.db.transaction().execute(async (tx) => {
      await sql`lock table catalogue.lots in access exclusive mode`.execute(tx)
      const backup = start(settings, 'backup', file)
      // It has begun its file, and waits for the rows of the lots.
      await until(async () => (await readdir(place)).length === 1 && (await held()).rows.length === 1)
      const ended = once(backup, 'exit')
      backup.kill(signal)
      await ended
    })
    assert.ok(!(await readdir(place)).includes('a.tar'))
    if (signal === 'SIGTERM') assert.deepEqual(await readdir(place), [])
    await until(async () => (await held()).rows.length === 0)
    await backUpTo(file)
  }
})

test('a backup onto a full disk says so and leaves the disk as it was', async (context) => {
  const full = await runCommandFull('/dev/full')
  assert.deepEqual([full.code, full.stdout], [1, ''])
  assert.match(full.stderr, /ENOSPC|no space left/)

  const place = path.join(folder, 'small')
  await mkdir(place)
  const mount = `mount -t tmpfs -o size=16k none "$0" && echo older > "$0/a.tar"`
  const script = `${mount} && { "$1" backup "$0/a.tar"; echo "code $?"; ls "$0"; cat "$0/a.tar"; }`
  const env = environmentOf(settings)
  const program = path.join(checkout, 'bin/catalogue')
  const child = spawn('unshare', ['--mount', '/bin/bash', '-c', script, place, program], { env })
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (!printed.includes('code')) return context.skip('this user may not mount a disk')
  assert.match(complaints, /error: .*a\.tar cannot be written: the disk is full/)
  assert.equal(printed, 'code 1\na.tar\nolder\n')
})

async function runCommandFull(device: string) {
  const script = `exec "$0" backup - > ${device}`
  const child = spawn('/bin/bash', ['-c', script, path.join(checkout, 'bin/catalogue')], {
    env: environmentOf(settings),
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: code as number, stdout, stderr }
}

test('a restore that is killed leaves an empty database, which the next restore fills', async () => {
  const file = path.join(folder, 'again.tar')
  await backUpTo(file)
  const archive = await readFile(file)
  const target = await openTarget()
  const restore = start(target.settings, 'restore', '-')
  // All but the end: every row and file is there, and nothing is committed.
  restore.stdin.write(archive.subarray(0, -2048))
  const [original] = await storedFiles(service.media)
  await until(async () => (await storedFiles(target.media)).includes(original!))
  const ended = once(restore, 'exit')
  restore.kill('SIGKILL')
  await ended
  assert.equal(await countRows(target), 0)

  const { code, stderr } = await runCommand(target.settings, 'restore', file)
  assert.equal(code, 0, stderr)
  assert.equal(await countRows(target), await countRows(service))
  assert.deepEqual(await storedFiles(target.media), await storedFiles(service.media))
  assert.equal((await runCommand(target.settings, 'doctor')).code, 0)
  const again = await runCommand(target.settings, 'restore', file)
  assert.deepEqual(
    [again.code, again.stderr],
    [1, 'error: the database is not empty: restore into one without houses\n'],
  )
  await target.drop()
})

test('a restore refuses a part that unpacks to gigabytes, in little memory, and names the archive and the part', async () => {
  const file = path.join(folder, 'bomb.tar')
  await backUpTo(file)
  const entries = await unpackTar(await readFile(file))
  const part = entries.find(({ header }) => header.name.startsWith('rows/items/'))!
  // Members of gzip one after the other: 3 MB become 3 GiB.
  part.data = Buffer.concat(Array<Buffer>(192).fill(gzipSync(Buffer.alloc(16 * 1024 * 1024))))
  part.header.size = part.data.length
  await writeFile(file, await packTar(entries))
  const target = await openTarget()
  const script = `ulimit -d ${1024 * 1024}; exec "$@"`
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...target.settings }
  const words = ['-c', script, 'sh', path.join(checkout, 'bin/catalogue'), 'restore', file]
  const restore = spawn('/bin/sh', words, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [complaints, [code]] = await Promise.all([text(restore.stderr), once(restore, 'exit')])
  assert.equal(complaints, `error: ${file}: the archive is damaged: ${part.header.name} unpacks to more than 64 MiB\n`)
  assert.equal(code, 1)
  assert.equal(await countRows(target), 0)
  await target.drop()
})

test('an older archive is migrated by a newer version as its rows are, and a newer one is refused by an older version', async () => {
  const next = await mkdtemp(path.join(folder, 'next-'))
  for (const part of ['src', 'bin', 'package.json'])
    await cp(path.join(checkout, part), path.join(next, part), { recursive: true })
  await symlink(path.join(checkout, 'node_modules'), path.join(next, 'node_modules'))
  await writeFile(
    path.join(next, 'src/db/schema/migrations/9999-remarks.sql'),
    `alter table catalogue.items add column remark text;
     update catalogue.items set remark = 'was called ' || title;`,
  )
  const newer = programOf(next)
  const [older, later] = [path.join(folder, 'older.tar'), path.join(folder, 'later.tar')]
  await backUpTo(older)

  const target = await openTarget()
  const restored = await newer.runCommand(target.settings, 'restore', older)
  assert.equal(restored.code, 0, restored.stderr)
  const remarks = () =>
    sql<{ title: string; remark: string }>`select title, remark from catalogue.items order by title`.execute(target.db)
  assert.deepEqual((await remarks()).rows, [
    { title: 'Stilleven', remark: 'was called Stilleven' },
    { title: 'Vaas', remark: 'was called Vaas' },
  ])
  assert.equal((await newer.runCommand(target.settings, 'backup', later)).code, 0)
  await target.drop()

  const back = await openTarget()
  const refused = await runCommand(back.settings, 'restore', later)
  assert.deepEqual(
    [refused.code, refused.stderr],
    [1, 'error: this version of the program has no migration 9999-remarks: take a newer one\n'],
  )
  assert.equal(await countRows(back), 0)
  assert.equal((await runCommand(back.settings, 'restore', older)).code, 0)
  await back.drop()
})
