import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { countRows, openSource } from '../../test/support/backups.ts'
import { storedFiles } from '../../test/support/pictures.ts'
import { checkout, programOf, runCommand, spawnCommand } from '../../test/support/process.ts'

const source = await openSource()
after(() => source.close())
const pipes: ['pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe']

test('a backup is a file that only its owner can read, which tar and sha256sum can check, and it replaces an older one', async () => {
  const file = path.join(source.folder, 'whole.tar')
  await writeFile(file, 'an older backup')
  const { code, stdout, stderr } = await runCommand(source.settings, 'backup', file, '--json')
  assert.equal(code, 0, stderr)
  const { files, missing } = JSON.parse(stdout) as { files: number; missing: string[] }
  assert.deepEqual([files, missing], [1, []])
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const unpacked = path.join(source.folder, 'unpacked')
  await mkdir(unpacked)
  const script = 'tar xf "$0" && sha256sum --check --strict --quiet sums/*.sha256 && zcat rows/lots/*.gz | wc -l'
  const checked = await promisify(execFile)('/bin/bash', ['-c', script, file], { cwd: unpacked })
  assert.equal(checked.stdout, '2\n')
})

test('a backup goes into a pipe, and a restore reads from one', async () => {
  const target = await source.openTarget()
  const backup = spawnCommand(source.settings, ['backup', '-'], pipes)
  const restore = spawnCommand(target.settings, ['restore', '-'], pipes)
  backup.stdout!.pipe(restore.stdin!)
  const [complaints, [code]] = await Promise.all([text(restore.stderr!), once(restore, 'exit')])
  assert.equal(code, 0, complaints)
  assert.equal(await countRows(target), await countRows(source.service))
  assert.deepEqual(await storedFiles(target.media), await storedFiles(source.service.media))
  await target.drop()
})

test('a restore needs a database without houses', async () => {
  const file = path.join(source.folder, 'own.tar')
  await source.backUpTo(file)
  const { code, stderr } = await runCommand(source.settings, 'restore', file)
  assert.deepEqual([code, stderr], [1, 'error: the database is not empty: restore into one without houses\n'])
})

test('a newer version migrates the rows of an older archive, and an older version refuses a newer archive', async () => {
  const next = await mkdtemp(path.join(source.folder, 'next-'))
  for (const part of ['src', 'bin', 'package.json'])
    await cp(path.join(checkout, part), path.join(next, part), { recursive: true })
  await symlink(path.join(checkout, 'node_modules'), path.join(next, 'node_modules'))
  await writeFile(
    path.join(next, 'src/db/schema/migrations/9999-remarks.sql'),
    `alter table catalogue.items add column remark text;
     update catalogue.items set remark = 'was called ' || title;`,
  )
  const newer = programOf(next)
  const [older, later] = [path.join(source.folder, 'older.tar'), path.join(source.folder, 'later.tar')]
  await source.backUpTo(older)

  const target = await source.openTarget()
  const restored = await newer.runProcess(target.settings, 'restore', older)
  assert.equal(restored.code, 0, restored.stderr)
  const remarks = () =>
    sql<{ title: string; remark: string }>`select title, remark from catalogue.items order by title`.execute(target.db)
  assert.deepEqual((await remarks()).rows, [
    { title: 'Kom', remark: 'was called Kom' },
    { title: 'Stilleven', remark: 'was called Stilleven' },
    { title: 'Vaas', remark: 'was called Vaas' },
  ])
  assert.equal((await newer.runProcess(target.settings, 'backup', later)).code, 0)
  await target.drop()

  const back = await source.openTarget()
  const refused = await runCommand(back.settings, 'restore', later)
  assert.deepEqual(
    [refused.code, refused.stderr],
    [1, 'error: this version of the program has no migration 9999-remarks: take a newer one\n'],
  )
  assert.equal(await countRows(back), 0)
  assert.equal((await runCommand(back.settings, 'restore', older)).code, 0)
  await back.drop()
})
