import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { packTar, unpackTar } from 'modern-tar'
import { countRows, openSource } from '../../test/support/backups.ts'
import { storedFiles, until } from '../../test/support/pictures.ts'
import { checkout, environmentOf, runCommand, spawnCommand } from '../../test/support/process.ts'

const source = await openSource()
after(() => source.close())
const pipes: ['pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe']

test('a backup that is killed or interrupted leaves no file of its name and no lock', async () => {
  const held = () =>
    sql`select from pg_locks where locktype = 'advisory' and classid::bigint = 4872`.execute(source.service.db)
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const place = await mkdtemp(path.join(source.folder, 'killed-'))
    const file = path.join(place, 'a.tar')
    await source.service.db.transaction().execute(async (tx) => {
      await sql`lock table catalogue.lots in access exclusive mode`.execute(tx)
      const backup = spawnCommand(source.settings, ['backup', file], pipes)
      // The backup has begun its file, and waits for the rows of the lots.
      await until(async () => (await readdir(place)).length === 1 && (await held()).rows.length === 1)
      const ended = once(backup, 'exit')
      backup.kill(signal)
      await ended
    })
    assert.ok(!(await readdir(place)).includes('a.tar'))
    if (signal === 'SIGTERM') assert.deepEqual(await readdir(place), [])
    await until(async () => (await held()).rows.length === 0)
    await source.backUpTo(file)
  }
})

test('a backup onto a full disk fails with that reason and leaves the disk as it was', async (context) => {
  const full = await runCommandFull('/dev/full')
  assert.deepEqual([full.code, full.stdout], [1, ''])
  assert.match(full.stderr, /ENOSPC|no space left/)

  const place = path.join(source.folder, 'small')
  await mkdir(place)
  const mount = `mount -t tmpfs -o size=16k none "$0" && echo older > "$0/a.tar"`
  const script = `${mount} && { "$1" backup "$0/a.tar"; echo "code $?"; ls "$0"; cat "$0/a.tar"; }`
  const env = environmentOf(source.settings)
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
    env: environmentOf(source.settings),
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: code as number, stdout, stderr }
}

test('a restore that is killed leaves an empty database, which the next restore fills', async () => {
  const file = path.join(source.folder, 'again.tar')
  await source.backUpTo(file)
  const archive = await readFile(file)
  const target = await source.openTarget()
  const restore = spawnCommand(target.settings, ['restore', '-'], pipes)
  // All but the end: every row and file is there, and nothing is committed.
  restore.stdin!.write(archive.subarray(0, -2048))
  const [original] = await storedFiles(source.service.media)
  await until(async () => (await storedFiles(target.media)).includes(original!))
  const ended = once(restore, 'exit')
  restore.kill('SIGKILL')
  await ended
  assert.equal(await countRows(target), 0)

  const { code, stderr } = await runCommand(target.settings, 'restore', file)
  assert.equal(code, 0, stderr)
  assert.equal(await countRows(target), await countRows(source.service))
  assert.deepEqual(await storedFiles(target.media), await storedFiles(source.service.media))
  assert.equal((await runCommand(target.settings, 'doctor')).code, 0)
  await target.drop()
})

test('a restore refuses a part that unpacks to gigabytes, with little memory, and names the archive and the part', async () => {
  const file = path.join(source.folder, 'bomb.tar')
  await source.backUpTo(file)
  const entries = await unpackTar(await readFile(file))
  const part = entries.find(({ header }) => header.name.startsWith('rows/items/'))!
  // Concatenated members of gzip: 3 MB become 3 GiB.
  part.data = Buffer.concat(Array<Buffer>(192).fill(gzipSync(Buffer.alloc(16 * 1024 * 1024))))
  part.header.size = part.data.length
  await writeFile(file, await packTar(entries))
  const target = await source.openTarget()
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
