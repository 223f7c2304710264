import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { urlOf } from '../../../test/support/address.ts'
import { exportOf } from '../../../test/support/exports.ts'
import { catalogueOf, eur, uuid } from '../../../test/support/lines.ts'
import { findWaiting } from '../../../test/support/locks.ts'
import { form, picture, until } from '../../../test/support/pictures.ts'
import { checkout, environmentOf, runCommand, spawnCommand, stopProcess } from '../../../test/support/process.ts'
import { startService } from '../../../test/support/service.ts'

const { slug, ids, lines } = catalogueOf(1)
const shown = catalogueOf(2)
const service = await startService({ records: [...lines, ...shown.lines] })
const folder = await mkdtemp(path.join(tmpdir(), 'export '))
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})
const settings = { DATABASE_URL: urlOf(service.connection), DATA_DIR: service.dataDir, SECRET: service.secret }
const run = (...words: string[]) => runCommand(settings, 'export', '--house', slug, ...words)

const newFolder = () => mkdtemp(path.join(folder, 'x'))

test('a file appears whole, replaces an older one and is for its owner alone; .gz is packed; without a name it is standard output', async () => {
  const { text: expected } = await exportOf(service, slug)
  const [plain, packed] = [path.join(folder, 'house.ndjson'), path.join(folder, 'house.ndjson.gz')]
  await writeFile(plain, 'an older export', { mode: 0o644 })
  const written = await run(plain, '--json')
  assert.equal(written.code, 0, written.stderr)
  const { file, lines: count, missing } = JSON.parse(written.stdout) as { file: string; lines: number; missing: [] }
  assert.deepEqual([file, count, missing], [plain, lines.length, []])
  assert.equal(await readFile(plain, 'utf8'), expected)
  const second = await run(packed)
  assert.match(second.stdout, /: 1 house, 2 sellers, 3 categories, .*, 3 images, 2 lots\n$/)
  assert.equal(second.stderr, `exported to ${packed}: ${lines.length} lines\n`)
  assert.equal(gunzipSync(await readFile(packed)).toString(), expected)
  for (const name of [plain, packed]) assert.equal((await stat(name)).mode & 0o777, 0o600)
  for (const words of [[], ['-']]) assert.equal((await run(...words)).stdout, expected)
})

test('an interrupted export leaves no file, and what was committed after its beginning is not in a file', async () => {
  const at = await newFolder()
  const start = async (...words: string[]) => {
    const child = spawnCommand(settings, ['export', '--house', slug, ...words])
    const printed = Promise.all([text(child.stdout!), once(child, 'exit')])
    // It has written the kinds before bids, and waits for the table of bids.
    await until(async () => (await findWaiting(service.db)).length === 1)
    return { child, printed }
  }
  const before = await exportOf(service, slug)
  await service.db.transaction().execute(async (tx) => {
    await sql`lock table catalogue.bids in access exclusive mode`.execute(tx)
    const { child } = await start(path.join(at, 'house.ndjson'), '--media', path.join(at, 'pictures'))
    assert.match(String(await readdir(at)), /house\.ndjson\.partial-\w+,pictures\.partial-\w+/)
    assert.equal(await stopProcess(child, 'SIGINT'), 130)
  })
  assert.deepEqual(await readdir(at), [])
  const { printed } = await service.db.transaction().execute(async (tx) => {
    await sql`lock table catalogue.bids in access exclusive mode`.execute(tx)
    const started = await start()
    await service.load([{ ...lines[0]! }, { type: 'lot', id: uuid(77), session: ids.session, item: ids.item }])
    await sql`insert into catalogue.bids (house_id, lot_id, amount) select house_id, id, 1 from catalogue.lots`.execute(
      tx,
    )
    return started
  })
  const [output, [code]] = await printed
  assert.equal(code, 0)
  assert.equal(output, before.text)
  const { text: later } = await exportOf(service, slug)
  assert.equal(later.split('\n').length, before.text.split('\n').length + 1 + 3)
})

test('a value that the format cannot say leaves the older file as it was', async () => {
  const at = await newFolder()
  const file = path.join(at, 'house.ndjson')
  await writeFile(file, 'an older export')
  await service.load([
    { ...lines[0]! },
    { type: 'lot', id: uuid(88), session: ids.session, item: ids.item, starting_bid: eur(1) },
  ])
  await sql`update catalogue.lots set starting_bid = -1 where public_id = ${uuid(88)}`.execute(service.db)
  const { code, stdout, stderr } = await run(file)
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(stderr, `error: lot lot_${uuid(88)}: starting_bid.amount: must be >= 0\n`)
  assert.deepEqual(await readdir(at), ['house.ndjson'])
  assert.equal(await readFile(file, 'utf8'), 'an older export')
  await sql`update catalogue.lots set starting_bid = 1 where public_id = ${uuid(88)}`.execute(service.db)
})

test('pictures go into a new folder beside the file or below, where load reads them', async () => {
  const at = await newFolder()
  const key = await service.issueKey(shown.slug)
  const { headers, body } = form(['external_reference', 'x'], ['file', await picture(), 'a.jpg'])
  const url = `/api/v2/items/${shown.ids.item}/images`
  assert.equal((await service.request({ method: 'POST', url, key, headers, body })).statusCode, 201)
  const write = (...words: string[]) =>
    runCommand(settings, 'export', '--house', shown.slug, path.join(at, 'house.ndjson'), ...words)
  const without = await write()
  assert.equal(without.code, 1)
  assert.match(without.stderr, /^error: the house has stored pictures: .*--media.*--no-media\)\n$/)
  for (const wrong of [folder, at, path.join(folder, 'elsewhere')]) {
    const { code, stderr } = await write('--media', wrong)
    assert.equal(code, 2)
    assert.match(stderr, /is not beside the file or below: load would not read the pictures there\n$/)
  }
  assert.deepEqual(await readdir(at), [])
  const media = path.join(at, 'pictures')
  const { code, stderr } = await write('--media', media)
  assert.equal(code, 0, stderr)
  const [file] = await readdir(media)
  assert.ok((await readFile(path.join(at, 'house.ndjson'), 'utf8')).includes(`"file":"pictures/${file}"`))
  assert.equal((await stat(media)).mode & 0o777, 0o700)
  const again = await write('--media', media)
  assert.deepEqual([again.code, again.stderr], [1, `error: ${media} is not empty: name a new folder\n`])
  assert.equal((await write('--no-media')).code, 0)
})

test('an unknown house, and an output that takes nothing, are refused', async () => {
  const unknown = await runCommand(settings, 'export', '--house', 'nowhere')
  assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
  assert.match(unknown.stderr, /^error: there is no house "nowhere"/)
  await using full = await open('/dev/full', 'w')
  const child = spawn(path.join(checkout, 'bin/catalogue'), ['export', '--house', slug], {
    env: environmentOf(settings),
    stdio: ['ignore', full.fd, 'pipe'],
  })
  const [complaint, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  assert.equal(code, 1)
  assert.match(complaint, /^error: .*no space left on device.*\n$/)
})

test('a folder is no file to write to or to restore, and a file needs its folder', async () => {
  const at = await newFolder()
  const nowhere = path.join(at, 'nowhere')
  const file = path.join(nowhere, 'house.ndjson')
  for (const [words, complaint] of [
    [['export', '--house', slug, '--no-media', file], `${file} cannot be written: there is no folder ${nowhere}`],
    [
      ['export', '--house', slug, '--media', path.join(nowhere, 'p'), file],
      `${file} cannot be written: there is no folder ${nowhere}`,
    ],
    [
      ['export', '--house', slug, '--media', path.join(nowhere, 'p'), path.join(at, 'house.ndjson')],
      `${path.join(nowhere, 'p')} cannot be written: there is no folder ${nowhere}`,
    ],
    [['backup', file], `${file} cannot be written: there is no folder ${nowhere}`],
    [['restore', at], `${at} cannot be read: it is a folder`],
  ] as const) {
    const { code, stderr } = await runCommand(settings, ...words)
    assert.deepEqual([code, stderr], [1, `error: ${complaint}\n`])
  }
  for (const words of [
    ['export', '--house', slug, '--no-media', at],
    ['backup', at],
  ]) {
    const { code, stderr } = await runCommand(settings, ...words)
    assert.deepEqual([code, stderr], [1, `error: ${at} is a folder: name a file in it\n`])
  }
  assert.deepEqual(await readdir(at), [])
})

test('a device or a pipe is refused, and not replaced by a file', async () => {
  const pipe = path.join(await newFolder(), 'pipe')
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0)
  const { code, stderr } = await run(pipe)
  assert.equal(code, 1)
  assert.equal(stderr.trim().split('\n').at(-1), `error: ${pipe} is no file: write to standard output with -`)
  assert.ok((await stat(pipe)).isFIFO())
})

test('a full disk leaves nothing behind', async (t) => {
  const disk = await newFolder()
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', disk]).status !== 0)
    return t.skip('this user may not mount a file system')
  try {
    const { code, stderr } = await run(path.join(disk, 'house.ndjson'))
    assert.equal(code, 1)
    assert.match(stderr, /^error: .*house\.ndjson cannot be written: .*\n$/)
    assert.deepEqual(await readdir(disk), [])
  } finally {
    assert.equal(spawnSync('umount', [disk]).status, 0)
  }
})
