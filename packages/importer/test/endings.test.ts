import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { picture } from '../../../test/support/pictures.ts'
import { startImporter } from './program.ts'
import { itemLines, itemsOf, openHouse, sale, type Line } from './house.ts'

const house = await openHouse()
after(() => house.close())

test('imported records count if the missing lots cannot be written', async () => {
  const [auction, session] = sale as [Line, Line]
  const path = await house.write('full/lots.ndjson', [house.house, auction, session, ...itemLines(30)])
  // A folder in the place of the file fails the write, as a full disk does.
  await mkdir(join(house.folder, 'full/lots.ndjson.lots.csv/inside'), { recursive: true })
  const { code, stdout, stderr } = await house.run('apply', path)
  assert.equal(code, 1, stdout + stderr)
  assert.match(stdout, /^created: .*30 items/m)
  assert.match(stderr, /^catalogue-import: .*lots\.csv cannot be written: [^\n]*\n$/)
  assert.deepEqual(
    (await readdir(join(house.folder, 'full'))).filter((name) => name.endsWith('.new')),
    [],
  )
})

test('lots that staff has not added are counted separately, and all items are compared', async () => {
  const path = await house.write('lots/sale.ndjson', [house.house, ...sale, ...itemLines(150)])
  const applied = await house.end(0, 'apply', path)
  const file = join(house.folder, 'lots/sale.ndjson.lots.csv')
  assert.ok(applied.includes(`150 lots are for staff to add: bin/catalogue lots add --file ${file}\n`))
  assert.equal((await readFile(file, 'utf8')).trimEnd().split('\n').length, 151)
  assert.doesNotMatch(applied, /lots add --session/)
  const verified = await house.end(1, 'verify', path, '--max-errors', '0')
  assert.match(verified, /^equal: .*150 items/m)
  assert.match(verified, /^not added by staff yet: 150 lots$/m)
})

test('the pictures and the lot of an item that differs are compared', async () => {
  await house.write('differs/a.jpg', await picture('#123456'))
  const [item] = itemsOf('differs', 1) as [Line]
  const image = { type: 'image', item: item.ref, external_reference: 'a', file: 'a.jpg', public: true }
  const path = await house.write('differs/sale.ndjson', [house.house, item, image])
  assert.equal((await house.run('apply', path)).code, 0)
  await house.write('differs/sale.ndjson', [house.house, { ...item, title: 'Kan' }, image])
  const { stdout } = await house.run('verify', path)
  assert.match(stdout, /^equal: 1 image$/m)
  assert.match(stdout, /^different or missing: 1 item$/m)
})

test('each source has its own file of rejected records', async () => {
  const broken = (name: string): Line[] => [house.house, { type: 'item', external_reference: name, archived: true }]
  for (const name of ['one', 'two'])
    assert.equal((await house.run('apply', await house.write(`own/${name}.ndjson`, broken(name)))).code, 2)
  for (const name of ['one', 'two'])
    assert.match(await house.read(`own/${name}.ndjson.rejected.ndjson`), new RegExp(`"external_reference":"${name}"`))
})

test('a picture whose name differs from a reference only in capitals is refused with that reference', async () => {
  const path = await house.write('capitals.ndjson', [house.house, ...itemsOf('Capitals', 1)])
  assert.equal((await house.run('apply', path)).code, 0)
  await house.write('capitals/capitals-v-0-1.jpg', await picture())
  const { stdout } = await house.run('plan', join(house.folder, 'capitals'))
  assert.match(
    stdout,
    /no item has the reference capitals-v-0-1 or .*, but there is Capitals-V-0: name the picture like that/,
  )
})

test('a missing picture is refused with the file that is there under a similar name', async () => {
  await house.write('similar/fotos/IMG_0006.JPG', await picture())
  await house.write('similar/fotos/IMG_0007.jpeg', await picture())
  const images = ['img_0006.jpg', 'IMG_0007.jpg', 'IMG_0008.jpg'].map((name): Line => {
    return { type: 'image', item: 'item-0', external_reference: name, file: `fotos/${name}` }
  })
  const path = await house.write('similar/pictures.ndjson', [house.house, ...itemsOf('similar', 1), ...images])
  const { stdout } = await house.run('plan', path)
  assert.match(stdout, /there is no file fotos\/img_0006\.jpg, but "IMG_0006\.JPG" is there/)
  assert.match(stdout, /there is no file fotos\/IMG_0007\.jpg, but "IMG_0007\.jpeg" is there/)
  assert.match(stdout, /there is no file fotos\/IMG_0008\.jpg \[unavailable\]/)
})

test('a run says what it waits for if the address does not answer', async () => {
  const silent = createServer().listen(0)
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const path = await house.write('silent.ndjson', [house.house, ...itemsOf('silent', 1)])
  const run = startImporter(house.key, ['plan', path, '--url', url])
  let printed = ''
  for await (const piece of run.stderr!) {
    printed += String(piece)
    if (printed.includes('\n')) break
  }
  assert.match(printed, new RegExp(`waiting for ${url} \\(no answer yet\\), Ctrl-C ends\n`))
  run.kill('SIGKILL')
  silent.close()
})

test('a report file that cannot be written is refused before any import', async () => {
  const path = await house.write('page.ndjson', [house.house, ...itemsOf('page', 1)])
  const stdout = await house.end(2, 'apply', path, '--report', join(house.folder, 'nowhere/page.html'))
  assert.equal(stdout, '')
  assert.match((await house.run('plan', path)).stdout, /^to create: 1 item$/m)
})
