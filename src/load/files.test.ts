import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { mediaFolder } from '../media/file-store.ts'
import { assertHas, eur, openFixture, refusal, toText, type Value } from '../../test/support/loading.ts'
import { load } from './loader.ts'
import { openSource } from './source.ts'

const fixture = await openFixture()
after(() => fixture.close())

// Everything that a load reads.
const photo = Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3])

test('a load whose last line is wrong leaves no row, no job and no stored file', async () => {
  await writeFile(path.join(fixture.folder, 'picture.jpg'), photo)
  const files = await fixture.storedFiles()
  const rows = await fixture.counts()
  const image = { type: 'image', item: 't', file: 'picture.jpg' }
  const fill = Array.from({ length: 2500 }, () => ({ type: 'maker' }))
  const lines = [
    fixture.newHouse(),
    { type: 'increment_strategy', steps: [{ from: eur(0), increment: eur(1) }] },
    { type: 'item', ref: 't' },
    image,
  ]
  const error = await refusal(fixture.load([...lines, image, ...fill, image, { type: 'item', title: 1 }]))
  assert.deepEqual([error.line, error.field], [lines.length + 2503, 'title'])
  assert.deepEqual(await fixture.counts(), rows)
  assert.deepEqual(await fixture.storedFiles(), files)
})

test('copies the files of images into the store and queues their renditions', async () => {
  const house = fixture.newHouse()
  await writeFile(path.join(fixture.folder, 'photo één.jpg'), photo)
  await writeFile(
    path.join(fixture.folder, 'sale.ndjson'),
    toText([
      house,
      { type: 'item', ref: 't' },
      {
        type: 'image',
        item: 't',
        file: 'photo één.jpg',
        processing: false,
        processing_failure: { at: '2020-01-01T00:00:00Z' },
      },
    ]),
  )
  await load(fixture.context, await openSource(path.join(fixture.folder, 'sale.ndjson')))
  const image = await fixture.onlyRow(house.slug, 'images')
  assertHas(image, {
    processing: 'true',
    processing_failed_at: '2020-01-01T00:00:00+00:00',
    original_type: null,
    renditions: null,
  })
  assert.deepEqual(await readFile(path.join(mediaFolder(fixture.folder), image['original']!)), photo)
  const jobs =
    await sql<Value>`select task_identifier as task, max_attempts from graphile_worker.jobs where key like ${`derive_renditions:%:${image['id']}`}`.execute(
      fixture.db,
    )
  assert.deepEqual(jobs.rows, [{ task: 'derive_renditions', max_attempts: 5 }])
})

test('a path outside the folder of the catalogue file, or not of a file, is refused with its line, and never opened', async () => {
  const folder = path.join(fixture.folder, 'sale')
  await mkdir(path.join(folder, 'photos'), { recursive: true })
  await writeFile(path.join(fixture.folder, 'outside.jpg'), photo)
  await writeFile(path.join(fixture.folder, 'sale.jpg'), photo)
  await symlink('../outside.jpg', path.join(folder, 'link.jpg'))
  await symlink('..', path.join(folder, 'up'))
  await symlink('/dev/zero', path.join(folder, 'device'))
  await promisify(execFile)('mkfifo', [path.join(folder, 'pipe')])
  const before = await fixture.counts()
  const stored = await fixture.storedFiles()
  const file = path.join(folder, 'sale.ndjson')
  const refusals: [name: string, problem: string][] = [
    ['../outside.jpg', 'it lies outside the folder of the catalogue file'],
    ['../sale.jpg', 'it lies outside the folder of the catalogue file'],
    ['photos/../../outside.jpg', 'it lies outside the folder of the catalogue file'],
    [path.join(fixture.folder, 'outside.jpg'), 'it lies outside the folder of the catalogue file'],
    ['/etc/hostname', 'it lies outside the folder of the catalogue file'],
    ['link.jpg', 'it lies outside the folder of the catalogue file'],
    ['up/outside.jpg', 'it lies outside the folder of the catalogue file'],
    ['device', 'it lies outside the folder of the catalogue file'],
    ['pipe', 'it is not a regular file'],
    ['photos', 'it is not a regular file'],
  ]
  for (const [name, problem] of refusals) {
    await writeFile(
      file,
      toText([fixture.newHouse(), { type: 'item', ref: 't' }, { type: 'image', item: 't', file: name }]),
    )
    const error = await refusal(load(fixture.context, await openSource(file)))
    assert.equal(error.message, `${file}:3: file: cannot be read: ${problem}`)
  }
  assert.deepEqual(await fixture.counts(), before)
  assert.deepEqual(await fixture.storedFiles(), stored)
})

test('a file that does not begin as a picture is not stored, and its image says that processing failed', async () => {
  const house = fixture.newHouse()
  await writeFile(path.join(fixture.folder, 'secret'), 'the secret of the service, which begins as text')
  await writeFile(path.join(fixture.folder, 'empty.jpg'), '')
  await writeFile(path.join(fixture.folder, 'page.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(path.join(fixture.folder, 'inside.jpg'), photo)
  await symlink('inside.jpg', path.join(fixture.folder, 'linked.jpg'))
  const stored = await fixture.storedFiles()
  const names = ['secret', 'empty.jpg', 'page.svg', 'linked.jpg']
  const images = names.map((file) => ({ type: 'image', item: 't', file, processing: true }))
  await fixture.load([house, { type: 'item', ref: 't' }, ...images])
  const rows = await fixture.rowsOf(house.slug, 'images')
  assert.deepEqual(
    rows.map((row) => [row['original'] === null, row['processing'], row['processing_failed_at'] === null]),
    [
      [true, 'false', false],
      [true, 'false', false],
      [true, 'false', false],
      [false, 'true', true],
    ],
  )
  assert.equal((await fixture.storedFiles()).length, stored.length + 1)
  const ids = rows.map((row) => `derive_renditions:${row['house_id']}:${row['id']}`)
  const jobs = await sql<Value>`select key from graphile_worker.jobs where key = any(${ids}::text[])`.execute(
    fixture.db,
  )
  assert.deepEqual(jobs.rows, [{ key: ids[3] }])
})

test('reads gzip, a byte order mark, CRLF, blank lines and a last line without end', async () => {
  const house = fixture.newHouse()
  const content = `\uFEFF${JSON.stringify(house)}\r\n\r\n   \n{"type":"maker","name":"één"}\r\n{"type":"maker","name":"ü"}`
  const file = path.join(fixture.folder, 'Sale.NDJSON.GZ')
  await writeFile(file, Buffer.concat([gzipSync(content.slice(0, 100)), gzipSync(content.slice(100))]))
  const loaded = await load(fixture.context, await openSource(file))
  assert.deepEqual(loaded, { lines: 5, records: { house: 1, maker: 2 } })
  assert.deepEqual(
    (await fixture.rowsOf(house.slug, 'makers')).map((row) => row['name']),
    ['één', 'ü'],
  )
})

test('loads nothing from a file that is cut, not gzip or not UTF-8, or that has an endless line', async () => {
  const before = await fixture.counts()
  const lines = toText([
    fixture.newHouse(),
    ...Array.from({ length: 3000 }, (_, n) => ({ type: 'maker', name: `${Math.sin(n)}` })),
  ])
  const broken: [name: string, content: Buffer, message: RegExp][] = [
    ['short.gz', gzipSync(lines).subarray(0, 20_000), /short\.gz:\d+: cannot be read further: unexpected end of file/],
    ['plain.gz', Buffer.from(lines), /plain\.gz:1: cannot be read further: incorrect header check/],
    [
      'latin.ndjson',
      Buffer.concat([Buffer.from(lines), Buffer.from('{"type":"maker","name":"\xe9"}', 'latin1')]),
      /latin\.ndjson:3002: the line is not valid UTF-8/,
    ],
    [
      'endless.ndjson',
      Buffer.concat([Buffer.from(lines), Buffer.alloc(17 * 1024 * 1024, ' ')]),
      /endless\.ndjson:3002: the line is too long/,
    ],
  ]
  for (const [name, content, message] of broken) {
    const file = path.join(fixture.folder, name)
    await writeFile(file, content)
    const error = await refusal(load(fixture.context, await openSource(file)))
    assert.match(error.message, message)
  }
  await assert.rejects(openSource(path.join(fixture.folder, 'none')), /none cannot be read: ENOENT/)
  await assert.rejects(openSource(fixture.folder), /cannot be read: it is a folder/)
  assert.deepEqual(await fixture.counts(), before)
})
