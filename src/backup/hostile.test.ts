import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { packTar, unpackTar } from 'modern-tar'
import { countRows, makeArchive, restoreInto } from '../../test/support/backups.ts'
import { findWorkers } from '../../test/support/database.ts'
import { catalogueOf } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { listJobs } from '../jobs/jobs.ts'
import { ArchiveError, writeArchive } from './archive.ts'

type File = { name: string; data: Buffer }
type Counters = Record<string, { last_value: unknown; is_called: unknown }>

let source: TestService
let target: TestService
/** The entries of a backup, without sums and end. */
let files: File[]

before(async () => {
  source = await startService({ records: catalogueOf(1).lines })
  target = await startService()
  const { archive } = await makeArchive(source)
  files = (await unpackTar(archive))
    .map(({ header, data }) => ({ name: header.name, data: Buffer.from(data!) }))
    .filter(({ name }) => !/^sums|^complete/.test(name))
})
after(async () => {
  await target.close()
  await source.close()
})

/** An archive of these entries, with correct sums and a correct end. */
async function archiveOf(entries: File[]): Promise<Buffer> {
  const chunks: Buffer[] = []
  const output = new Writable({ write: (chunk: Buffer, _, done) => (chunks.push(chunk), done()) })
  await writeArchive(output, async (add) => {
    for (const { name, data } of entries) await add(name, data)
  })
  return Buffer.concat(chunks)
}

async function refuse(archive: Buffer, message: RegExp) {
  await assert.rejects(restoreInto(target, archive), (error) => {
    assert.ok(error instanceof ArchiveError, String(error))
    assert.match(error.message, message)
    return true
  })
}

const replace = (name: string, data: string | Buffer) =>
  files.map((file) => (file.name === name ? { name, data: Buffer.from(data) } : file))
const part = (table: string, number = 1) => `rows/${table}/${String(number).padStart(6, '0')}.tsv.gz`
const rowsOf = (name: string) => gunzipSync(files.find((file) => file.name === name)!.data).toString()

test('an archive without all of its sums is refused', async () => {
  const entries = (await unpackTar(await archiveOf(files))).map(({ header, data }) => ({ header, body: data! }))
  const without = (sums: RegExp) => {
    const kept = entries.filter(({ header }) => !sums.test(header.name)).slice(0, -1)
    const end = Buffer.from(`${JSON.stringify({ entries: kept.length })}\n`)
    return packTar([...kept, { header: { name: 'complete.json', size: end.length }, body: end }])
  }
  await refuse(Buffer.from(await without(/^sums/)), /sums\/000001\.sha256 is missing before rows\//)
  await refuse(Buffer.from(await without(/^sums\/000001/)), /sums\/000001\.sha256 is missing before rows\//)
  await refuse(Buffer.from(await without(/^sums\/000002/)), /its last sums are missing/)
})

test('counters that a backup cannot have written are refused', async () => {
  const counters = JSON.parse(files.find(({ name }) => name === 'counters.json')!.data.toString()) as Counters
  const { items, ...others } = counters
  const wrong: unknown[] = [null, [], {}, 5, '', others, { ...counters, strange: items }, { ...counters, items: null }]
  for (const last_value of ['9223372036854775807', '9223372036854775808', '0', '-1', 'x', '1.5', '', 1, null])
    wrong.push({ ...counters, items: { ...items, last_value } })
  wrong.push({ ...counters, items: { ...items, is_called: 'true' } })
  const texts = ['', 'no JSON', ...wrong.map((value) => JSON.stringify(value))]
  for (const text of texts)
    await refuse(await archiveOf(replace('counters.json', text)), /counters\.json does not have the counters/)
  const behind = { ...counters, items: { last_value: '1', is_called: false } }
  await refuse(
    await archiveOf(replace('counters.json', JSON.stringify(behind))),
    /counters\.json is behind the rows of items/,
  )
})

test('entries that are missing, repeated or in another order are refused', async () => {
  const items = files.find(({ name }) => name === part('items'))!
  const images = files.find(({ name }) => name === part('images'))!
  const counters = files.find(({ name }) => name === 'counters.json')!
  const without = (file: File) => files.filter((each) => each !== file)
  const insert = (file: File, before: string) =>
    files.toSpliced(
      files.findIndex(({ name }) => name === before),
      0,
      file,
    )
  const variants: [entries: File[], message: RegExp][] = [
    [without(counters), /the archive has no counters\.json/],
    [insert(counters, 'counters.json'), /counters\.json, which is no part of a backup at this place/],
    [[...without(images), images], /rows\/images\/000001\.tsv\.gz, which is no part/],
    [insert({ ...items, name: part('items', 3) }, 'counters.json'), /rows\/items\/000003\.tsv\.gz, which is no part/],
    [insert(items, part('items')), /rows\/items\/000001\.tsv\.gz, which is no part/],
    [insert({ ...items, name: part('itmes') }, part('items')), /rows\/itmes\/000001\.tsv\.gz, which is no part/],
    [insert({ ...items, name: part('items').replace('000001', '1') }, part('items')), /rows\/items\/1\.tsv\.gz/],
    [insert({ name: `media/originals/${'0'.repeat(32)}`, data: Buffer.from('x') }, part('items')), /media\/originals/],
  ]
  for (const [entries, message] of variants) await refuse(await archiveOf(entries), message)
})

test('a manifest that a backup cannot have written is refused', async () => {
  type Manifest = { created_at: string; tables: { name: string }[] }
  const manifest = JSON.parse(files[0]!.data.toString()) as Manifest
  const fewer = { ...manifest, tables: manifest.tables.filter(({ name }) => name !== 'journal') }
  const texts: [value: unknown, message: RegExp][] = [
    [null, /no backup of a catalogue/],
    [[], /no backup of a catalogue/],
    [{ ...manifest, created_at: 'yesterday' }, /no backup of a catalogue/],
    [{ ...manifest, tables: null }, /no backup of a catalogue/],
    [fewer, /journal/],
  ]
  for (const [value, message] of texts)
    await refuse(await archiveOf(replace('catalogue.json', JSON.stringify(value))), message)
})

test('rows that a backup cannot have written are refused with the name of their part', async () => {
  const name = part('items')
  const rows = rowsOf(name)
  const wrong: [rows: string | Buffer, message: RegExp][] = [
    ['', /rows\/items\/000001\.tsv\.gz has no rows/],
    [rows.slice(0, -1), /rows\/items\/000001\.tsv\.gz does not end with a whole row/],
    [`\\.\n${rows}`, /rows\/items\/000001\.tsv\.gz ends before its last row/],
    [`${rows}no row\n`, /refuses rows of rows\/items\/000001\.tsv\.gz in the archive: /],
    [`${'1'.repeat(31 * 1024 * 1024)}\n`, /^the database refuses rows of rows\/items\/000001\.tsv\.gz.{1,250}$/],
    // Citus does not say at which row.
    [
      `${rows}${rows}`,
      findWorkers().length > 0
        ? /refuses rows of rows\/items\/ in the archive: duplicate key/
        : /refuses rows of rows\/items\/000001\.tsv\.gz in the archive: duplicate key/,
    ],
    [Buffer.alloc(33 * 1024 * 1024, 'a'), /rows\/items\/000001\.tsv\.gz has a row of more than 32 MiB/],
    [Buffer.alloc(63 * 1024 * 1024, 'a'), /rows\/items\/000001\.tsv\.gz has a row of more than 32 MiB/],
  ]
  for (const [data, message] of wrong) await refuse(await archiveOf(replace(name, gzipSync(data))), message)
  const second = { name: part('items', 2), data: gzipSync('no row\n') }
  const at = files.findIndex((file) => file.name === name) + 1
  await refuse(await archiveOf(files.toSpliced(at, 0, second)), /refuses rows of rows\/items\/000002\.tsv\.gz/)
})

test('jobs that the queue refuses are refused with the name of their part', async () => {
  const job = (task: string, payload: string) =>
    [task, payload, String.raw`\N`, '0', '2026-01-01', '5', '0', String.raw`\N`, '2026-01-01'].join('\t')
  const entries = (row: string) => {
    const kept = files.filter(({ name }) => !name.startsWith('rows/jobs/'))
    const at = kept.findIndex(({ name }) => name === 'counters.json')
    return archiveOf(kept.toSpliced(at, 0, { name: part('jobs'), data: gzipSync(`${row}\n`) }))
  }
  await refuse(await entries(job('x', '{')), /refuses rows of rows\/jobs\/000001\.tsv\.gz in the archive: /)
  await refuse(await entries(job('x'.repeat(200), '{}')), /refuses rows of rows\/jobs\/ in the archive: /)
})

test('all these refusals leave nothing, and then a backup is restored, without answers that are too long for a part', async () => {
  assert.deepEqual([await countRows(target), (await listJobs(target.db, { failed: false })).length], [0, 0])
  // Thousands of lots with their notices make such answers. A backslash takes two bytes in a part.
  for (const mebibytes of [14, 40])
    await sql`insert into catalogue.idempotency_keys (house_id, key, request, status, body, created_at)
      select id, ${String(mebibytes)}, '', 200, repeat('\\', ${mebibytes * 1024 * 1024}), now() from catalogue.houses`.execute(
      source.db,
    )
  await restoreInto(target, (await makeArchive(source)).archive)
  assert.equal(await countRows(target), (await countRows(source)) - 1)
  const { rows } = await sql`select key, octet_length(body) as bytes from catalogue.idempotency_keys`.execute(target.db)
  assert.deepEqual(rows, [{ key: '14', bytes: 14 * 1024 * 1024 }])
})
