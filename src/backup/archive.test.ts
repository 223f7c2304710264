import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { packTar, unpackTar } from 'modern-tar'
import { countRows, makeArchive, restoreInto } from '../../test/support/backups.ts'
import { catalogueOf } from '../../test/support/lines.ts'
import { form, picture, storedFiles } from '../../test/support/pictures.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { listJobs } from '../jobs/jobs.ts'
import { ArchiveError, readArchive } from './archive.ts'

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

/** Where each entry's header and content begin, and how long the content is. */
async function layout(): Promise<{ name: string; header: number; content: number; bytes: number }[]> {
  let at = 0
  return (await unpackTar(archive)).map(({ header: { name, size } }) => {
    const entry = { name, header: at, content: at + 512, bytes: size }
    at += 512 + Math.ceil(size / 512) * 512
    return entry
  })
}

test('an archive that is cut anywhere is refused, and leaves nothing', async () => {
  const ends = (await layout()).flatMap(({ header, content, bytes }) => [header, content + (bytes >> 1)])
  for (const end of [...ends, archive.length - 1024, archive.length - 1])
    await refuse(archive.subarray(0, end), `cut at ${end}`)
})

test('an archive of which one bit is wrong is refused, and leaves nothing', async () => {
  for (const { name, header, content, bytes } of await layout()) {
    for (const place of bytes > 0 ? [header + 130, content + (bytes >> 1)] : [header + 130]) {
      const damaged = Buffer.from(archive)
      damaged[place]! ^= 1 << (place % 8)
      await refuse(damaged, `${name} at ${place - header}`)
    }
  }
})

test('a file of something else is refused, and leaves nothing', async () => {
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

test('an archive with an entry more, less, or twice is refused, and leaves nothing', async () => {
  const entries = await unpackTar(archive)
  const without = (name: RegExp) => entries.filter(({ header }) => !name.test(header.name))
  const lots = entries.findIndex(({ header }) => header.name.startsWith('rows/lots/'))
  const stranger = { header: { name: 'media/../../x', size: 1 }, body: 'x' }
  const variants = {
    'without rows': without(/^rows\/items/),
    'without a file': without(/^media/),
    'without sums': without(/^sums/),
    'with rows twice': entries.toSpliced(lots, 0, entries[lots]!),
    'with a file that is no picture': [...entries.slice(0, -2), stranger, ...entries.slice(-2)],
    'with something after its end': [...entries, stranger],
  }
  for (const [what, variant] of Object.entries(variants)) await refuse(Buffer.from(await packTar(variant)), what)
})

test('after all that was refused the whole archive is restored', async () => {
  await restoreInto(target, archive)
  assert.equal(await countRows(target), await countRows(source))
  assert.ok((await storedFiles(target.media)).length > 0)
})

test('what an error of the disk interrupts is no damage', async () => {
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
