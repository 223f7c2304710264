import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { exportOf } from '../../test/support/exports.ts'
import { catalogueOf } from '../../test/support/lines.ts'
import { form, picture, storedFiles, workOff } from '../../test/support/pictures.ts'
import { startService, type Json } from '../../test/support/service.ts'
import { load } from '../load/loader.ts'

const { slug, ids, lines } = catalogueOf(1)
const folder = await mkdtemp(path.join(tmpdir(), 'export-'))
const source = await startService({ records: lines })
const target = await startService()
after(async () => {
  await Promise.all([source.close(), target.close()])
  await rm(folder, { recursive: true })
})
const key = await source.issueKey(slug)
const bytes = [await picture('#123456'), await picture('#654321')]
for (const [index, each] of bytes.entries()) {
  const { headers, body } = form(
    ['external_reference', `p${index}`],
    ['public', String(index === 0)],
    ['file', each, 'a'],
  )
  const reply = await source.request({ method: 'POST', url: `/api/v2/items/${ids.item}/images`, key, headers, body })
  assert.equal(reply.statusCode, 201)
}
await workOff(source)

/** Exports to a new folder, which the lines name as `pictures`. */
async function exportTo(service: typeof source, name: string) {
  const at = path.join(folder, name)
  await mkdir(path.join(at, 'pictures'), { recursive: true })
  return { at, ...(await exportOf(service, slug, { folder: path.join(at, 'pictures'), path: 'pictures' })) }
}

const shown = async (service: typeof source, secret: string) =>
  (await service.read<(Json & { preview_url: string | null })[]>(`/api/v2/items/${ids.item}/images`, secret)).map(
    ({ id, public: isPublic, processing, processing_failure, preview_url }) => [
      id,
      isPublic,
      processing,
      processing_failure,
      typeof preview_url,
    ],
  )

test('a house with stored pictures is refused without a folder for them, unless --no-media leaves them out', async () => {
  await assert.rejects(exportOf(source, slug), /^ExportError: the house has stored pictures: /)
  const { text } = await exportOf(source, slug, 'left out')
  assert.doesNotMatch(text, /"file":"/)
  assert.equal(text.trimEnd().split('\n').length, lines.length + bytes.length)
})

test('originals go into the folder, a load takes them, and the file of the loaded house is the same', async () => {
  const first = await exportTo(source, 'first')
  assert.deepEqual(first.missing, [])
  const files = await readdir(path.join(first.at, 'pictures'))
  assert.equal(files.length, bytes.length)
  assert.ok(files.every((file) => /^image-\d+\.jpeg$/.test(file)))
  const found = await Promise.all(files.map((file) => readFile(path.join(first.at, 'pictures', file), 'base64')))
  assert.deepEqual(found.toSorted(), bytes.map((each) => each.toString('base64')).toSorted())

  const file = { name: 'export', stream: Readable.from([Buffer.from(first.text)]), directory: first.at }
  await load({ ...target, now: new Date() }, file)
  const second = await exportTo(target, 'second')
  assert.equal(second.text, first.text)
  assert.deepEqual(await readdir(path.join(second.at, 'pictures')), files)
  await workOff(target)
  assert.deepEqual(await shown(target, await target.issueKey(slug)), await shown(source, key))
})

test('an original that the store lacks is named, and its image is written without a file', async () => {
  const [original] = (await storedFiles(source.media)).filter((each) => each.startsWith('originals/'))
  await source.media.delete(original!)
  const { missing, text } = await exportTo(source, 'third')
  assert.deepEqual(missing, [original])
  assert.equal(text.match(/"file":"/g)!.length, bytes.length - 1)
})
