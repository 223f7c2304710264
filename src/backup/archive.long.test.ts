import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { packTar, unpackTar } from 'modern-tar'
import { countRows, makeArchive, restoreInto } from '../../test/support/backups.ts'
import { catalogueOf } from '../../test/support/lines.ts'
import { form, picture, storedFiles } from '../../test/support/pictures.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { listJobs } from '../jobs/jobs.ts'
import { ArchiveError, readArchive, writeArchive } from './archive.ts'

const { slug, ids, lines } = catalogueOf(1)
let source: TestService
let target: TestService
let archive: Buffer

before(async () => {
  source = await startService({ records: lines })
  target = await startService()
  const key = await source.issueKey(slug)
  const { headers, body } = form(['external_reference', 'x'], ['file', await picture('#123456', 400, 300), 'a.jpg'])
  await source.request({ method: 'POST', url: `/api/v2/items/${ids.item}/images`, key, headers, body })
  archive = (await makeArchive(source)).archive
})
after(async () => {
  await target.close()
  await source.close()
})

async function refuse(bytes: Buffer, what: string) {
  await assert.rejects(restoreInto(target, bytes), ArchiveError, what)
  assert.deepEqual([await countRows(target), (await listJobs(target.db, { failed: false })).length], [0, 0], what)
}

/** The start of each entry's header and content, and the length of the content. */
async function layout(): Promise<{ name: string; header: number; content: number; bytes: number }[]> {
  let at = 0
  return (await unpackTar(archive)).map(({ header: { name, size } }) => {
    const entry = { name, header: at, content: at + 512, bytes: size }
    at += 512 + Math.ceil(size / 512) * 512
    return entry
  })
}

test('an archive that is cut at any place is refused, and leaves nothing', async () => {
  const ends = (await layout()).flatMap(({ header, content, bytes }) => [header, content + (bytes >> 1)])
  for (const end of [...ends, archive.length - 1024, archive.length - 1])
    await refuse(archive.subarray(0, end), `cut at ${end}`)
})

test('an archive with one wrong bit is refused, and leaves nothing', async () => {
  for (const { name, header, content, bytes } of await layout()) {
    for (const place of bytes > 0 ? [header + 130, content + (bytes >> 1)] : [header + 130]) {
      const damaged = Buffer.from(archive)
      damaged[place]! ^= 1 << (place % 8)
      await refuse(damaged, `${name} at ${place - header}`)
    }
  }
})

test('a file of another kind is refused, and leaves nothing', async () => {
  const tar = async (name: string, text: string) =>
    Buffer.from(await packTar([{ header: { name, size: Buffer.byteLength(text) }, body: text }]))
  const others = {
    nothing: Buffer.alloc(0),
    noise: randomBytes(100_000),
    'a text': Buffer.from('{"type":"house"}\n'.repeat(1_000)),
    'the archive, compressed': gzipSync(archive),
    'another tar': await tar('pictures/a.jpg', 'a picture'),
    'a tar with an empty manifest': await tar('catalogue.json', '{}'),
    'a tar with half a manifest': await tar('catalogue.json', '{"format":'),
    'an archive of a format to come': await tar('catalogue.json', '{"format":"auction-catalogue backup 2"}'),
  }
  for (const [what, bytes] of Object.entries(others)) await refuse(bytes, what)
})

test('an archive with an additional, a missing or a repeated entry is refused, and leaves nothing', async () => {
  const entries = await unpackTar(archive)
  const without = (name: RegExp) => entries.filter(({ header }) => !name.test(header.name))
  const lots = entries.findIndex(({ header }) => header.name.startsWith('rows/lots/'))
  const stranger = { header: { name: 'media/../../x', size: 1 }, body: 'x' }
  const beforeEnd = (entry: (typeof entries)[number]) => [...entries.slice(0, -2), entry, ...entries.slice(-2)]
  const variants = {
    'without rows': without(/^rows\/items/),
    'without a file': without(/^media/),
    'without sums': without(/^sums/),
    'with rows twice': entries.toSpliced(lots, 0, entries[lots]!),
    'with a file that is no picture': beforeEnd(stranger),
    'with something after its end': [...entries, stranger],
  }
  for (const [what, variant] of Object.entries(variants)) await refuse(Buffer.from(await packTar(variant)), what)
})

test('an archive with an entry that is not a file is refused under any name, and leaves nothing', async () => {
  const entries = await unpackTar(archive)
  const types = ['link', 'symlink', 'character-device', 'block-device', 'fifo', 'directory'] as const
  for (const type of types) {
    for (const name of [`media/originals/${'0'.repeat(32)}`, 'rows/lots/000002.tsv.gz', '../x/', 'sums/x']) {
      const header = { name, type, size: 0, linkname: '/etc/passwd' }
      // The entry comes after the first sums and has none of its own, so the sums cannot refuse it.
      const hostile = Buffer.from(await packTar([...entries.slice(0, 2), { header }]))
      await assert.rejects(restoreInto(target, hostile), /is no file of a backup/, `${type} ${name}`)
    }
  }
  assert.equal(await countRows(target), 0)
})

test('the database refuses an archive with correct sums and wrong rows, which leaves nothing', async () => {
  const chunks: Buffer[] = []
  const output = new Writable({ write: (chunk: Buffer, _, done) => (chunks.push(chunk), done()) })
  const entries = (await unpackTar(archive)).filter(({ header }) => !/^sums|^complete/.test(header.name))
  await writeArchive(output, async (add) => {
    for (const { header, data } of entries)
      await add(header.name, header.name.startsWith('rows/items/') ? gzipSync('no rows\n') : Buffer.from(data!))
  })
  await refuse(Buffer.concat(chunks), 'rows of something else')
})

test('an archive without sums where a backup has them is refused before it ends', async () => {
  const header = (index: number) => ({ name: `media/originals/${String(index).padStart(32, '0')}`, size: 0 })
  const entries = Array.from({ length: 10_002 }, (_, index) => ({ header: header(index) }))
  const endless = Buffer.from(await packTar(entries)).subarray(0, -1024)
  const reading = async () => {
    for await (const _ of readArchive(Readable.from([endless])));
  }
  await assert.rejects(reading, /sums\/000001\.sha256 is missing before media/)
})

test('after all these refusals the whole archive is restored', async () => {
  await restoreInto(target, archive)
  assert.equal(await countRows(target), await countRows(source))
  assert.ok((await storedFiles(target.media)).length > 0)
})

test('an error of the disk is not reported as damage', async () => {
  const failing = new Readable({
    read() {
      this.push(archive.subarray(0, 2048))
      this.destroy(Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }))
    },
  })
  const reading = async () => {
    for await (const _ of readArchive(failing));
  }
  await assert.rejects(reading, { code: 'EIO' })
})
