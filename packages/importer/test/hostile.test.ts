import assert from 'node:assert/strict'
import { lstat, mkdir, mkdtemp, readFile, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { picture } from '../../../test/support/pictures.ts'
import { toText, type Line } from './house.ts'
import { runImporter, toldHouse, type Outcome } from './program.ts'

// Sequences that set the title of a terminal's window and reverse its text, in one character and in two.
const evil = 'evil\u001b]0;PWNED\u0007\u009b31m\u202e'
const shown = String.raw`evil\u001b]0;PWNED\u0007\u009b31m\u202e`
const obeyed = /[^\P{Cc}\n]|\p{Bidi_Control}/u

const folder = await mkdtemp(join(tmpdir(), 'importer-hostile-'))
// A service without records that refuses every write, with terminal sequences in its messages.
const server = createServer((request, reply) => {
  const problem = {
    type: `https://example.test/${evil}`,
    title: evil,
    detail: evil,
    errors: [{ field: evil, code: evil, message: evil }],
  }
  request.resume().on('end', () => {
    const isSecret = request.headers.authorization?.includes('stranger')
    if (isSecret) reply.writeHead(401).end(JSON.stringify({ ...problem, type: '/unauthorized', errors: undefined }))
    else if (request.url === '/api/v2') reply.end(JSON.stringify({ house: toldHouse }))
    else if (request.method === 'GET') reply.end(JSON.stringify({ data: [], has_more: false, next_cursor: null }))
    else reply.writeHead(422).end(JSON.stringify(problem))
  })
}).listen(0, '127.0.0.1')
after(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

async function write(name: string, content: string | Buffer | Line[]): Promise<string> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, Array.isArray(content) ? toText(content) : content)
  return path
}
function run(command: string, path: string, key = 'ack_x', ...words: string[]): Promise<Outcome> {
  const url = command === 'map' ? [] : ['--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`]
  return runImporter(key, [command, path, ...url, ...words])
}
const house: Line = { type: 'house', slug: 'noord', name: 'Noord', default_locale: 'nl', currency: 'EUR' }
const item: Line = { type: 'item', ref: 'vase', external_reference: 'V-1', title: 'Vaas' }

test('the importer writes into no other file, despite links beside the source', async () => {
  const victim = await write('victim', 'untouched')
  const live = {
    type: 'session',
    auction: 'auc_00000000-0000-4000-8000-000000000001',
    ref: 'evening',
    external_reference: 'S',
    kind: 'live',
  }
  const lot = {
    type: 'lot',
    session: 'ses_00000000-0000-4000-8000-000000000001',
    item: 'itm_00000000-0000-4000-8000-000000000001',
    lot_number: 1,
  }
  const source = await write('links/sale.ndjson', [house, item, live, lot])
  const names = [
    'sale.ndjson.rejected.ndjson',
    'sale.ndjson.rejected.ndjson.new',
    'sale.ndjson.lots.csv',
    'sale.ndjson.lots.csv.new',
  ]
  for (const name of names) await symlink('../victim', join(folder, 'links', name))
  const { code, stdout, stderr } = await run('apply', source)
  assert.equal(code, 1, stdout + stderr)
  assert.equal(await readFile(victim, 'utf8'), 'untouched')
  assert.match(await readFile(join(folder, 'links/sale.ndjson.rejected.ndjson'), 'utf8'), /"external_reference":"V-1"/)
  assert.match(await readFile(join(folder, 'links/sale.ndjson.lots.csv'), 'utf8'), /^session,item,number/)
  assert.deepEqual((await readdir(join(folder, 'links'))).toSorted(), [
    'sale.ndjson',
    'sale.ndjson.journal',
    'sale.ndjson.lots.csv',
    'sale.ndjson.rejected.ndjson',
  ])

  for (const target of ['../victim', '../nothing']) {
    const journal = join(folder, 'links/sale.ndjson.journal')
    await rm(journal)
    await symlink(target, journal)
    for (const command of ['apply', 'plan']) {
      const refused = await run(command, source)
      assert.equal(refused.code, 2)
      assert.match(refused.stderr, /^catalogue-import: .*sale\.ndjson\.journal is a link: remove it\n$/)
    }
    assert.equal(await readlink(journal), target)
  }
  assert.equal(await readFile(victim, 'utf8'), 'untouched')
  await assert.rejects(lstat(join(folder, 'nothing')))
  const mapping = join(folder, 'links/kavels.csv.mapping.yaml')
  await symlink('../victim', mapping)
  assert.equal((await run('map', await write('links/kavels.csv', 'a;b\n1;2\n'))).code, 2)
  assert.equal(await readFile(victim, 'utf8'), 'untouched')
})

test('a record of an impossible type is refused like any other, and does not affect the program', async () => {
  const types = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const lines = types.flatMap((type) => [`{"type":"${type}"}`, `{"type":"${type}","__proto__":{"rejected":1}}`])
  const image = { type: 'image', item: 'item/a', external_reference: 'p', file: 'x.jpg', public: true, position: 0 }
  const source = await write('types/sale.ndjson', `${lines.join('\n')}\n${JSON.stringify(image)}\n`)
  const { code, stdout } = await run('plan', source, 'ack_x', '--json')
  assert.equal(code, 2)
  const report = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as { counts: object; rejections: object[] }
  assert.deepEqual(
    Object.entries(report.counts),
    [...types, 'image'].map((type) => [type, { rejected: type === 'image' ? 1 : 2 }]),
  )
  assert.equal(report.rejections.length, 9)
  const plain = await run('plan', source)
  assert.match(plain.stdout, /^rejected: 2 __proto__s, 2 constructors, 2 toStrings, 2 hasOwnPropertys, 1 image$/m)
})

test('a terminal obeys no text of a source or a service, and programs get the text unchanged', async () => {
  await write(`folder/${evil}.jpg`, await picture())
  const named = await write(`names/${evil}.ndjson`, [
    house,
    item,
    { type: 'maker', ref: 'm', name: evil },
    { ...item, ref: evil, external_reference: evil, makers: ['m'] },
    { type: evil },
    { ...item, [evil]: 1 },
    { type: 'lot', session: 'ses_00000000-0000-4000-8000-000000000001', item: evil, lot_number: 1 },
  ])
  const sheet = await write(`names/${evil}.csv`, `nr;${evil}\n1;${evil}\n`)
  const outcomes = [
    await run('plan', join(folder, 'folder')),
    await run('apply', named),
    await run('plan', named, 'ack_stranger'),
    await run('map', sheet),
    await run('plan', join(folder, evil)),
    await run('plan', named, 'ack_x', '--key-file', join(folder, evil)),
    await run(evil, named),
    await run('plan', named, 'ack_x', '--report', join(folder, evil, 'report.html')),
    await run('plan', named, 'ack_x', `--${evil}`),
  ]
  for (const { stdout, stderr } of outcomes) {
    assert.doesNotMatch(stdout + stderr, obeyed)
    assert.ok((stdout + stderr).includes(shown), stdout + stderr)
  }
  for (const { stderr } of outcomes.slice(4)) assert.match(stderr, /^catalogue-import: .*\n$/)
  assert.doesNotMatch((await readFile(`${sheet}.mapping.yaml`, 'utf8')).split('columns:')[0]!, obeyed)
  const { stdout } = await run('plan', named, 'ack_x', '--json')
  const { rejections } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as { rejections: { file: string }[] }
  assert.equal(rejections[0]!.file, `${evil}.ndjson`)
})

test('a truncated or broken gzip file is refused with one sentence before any import', async () => {
  const random = Array.from({ length: 3000 }, (_, index) => ({ ...item, external_reference: `V-${index * 7919}` }))
  const packed = gzipSync(toText([house, ...random]))
  for (const [name, bytes] of [
    ['cut.ndjson.gz', packed.subarray(0, packed.length - 100)],
    ['broken.ndjson.gz', Buffer.concat([packed.subarray(0, 500), Buffer.alloc(50), packed.subarray(550)])],
    ['none.ndjson.gz', Buffer.from('no such format')],
  ] as const) {
    const { code, stdout, stderr } = await run('apply', await write(`packed/${name}`, bytes))
    assert.equal(code, 2)
    assert.match(stderr, /^catalogue-import: .*\.ndjson\.gz cannot be read to its end: .*\n$/)
    assert.equal(stdout, '')
  }
})
