import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { mediaFolder } from '../../media/file-store.ts'
import { assertHas, eur, openFixture, refusal, toText, type Value } from './fixture.ts'
import { load, openSource } from './load.ts'

const fixture = await openFixture()
after(() => fixture.close())

test('leaves nothing behind when the last line is wrong: no row, no job, no stored file', async () => {
  await writeFile(path.join(fixture.folder, 'picture.jpg'), 'a picture')
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

test('copies the files of images into the store and asks for their renditions', async () => {
  const house = fixture.newHouse()
  await writeFile(path.join(fixture.folder, 'photo één.jpg'), 'bytes of a photo')
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
  assert.equal(await readFile(path.join(mediaFolder(fixture.folder), image['original']!), 'utf8'), 'bytes of a photo')
  const jobs =
    await sql<Value>`select task_identifier as task, max_attempts from graphile_worker.jobs where key = ${`derive_renditions:${image['id']}`}`.execute(
      fixture.db,
    )
  assert.deepEqual(jobs.rows, [{ task: 'derive_renditions', max_attempts: 5 }])
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

test('loads nothing of a file that breaks off, is no gzip, no UTF-8 or has an endless line', async () => {
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
