import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { urlOf } from '../../test/support/address.ts'
import { catalogueOf } from '../../test/support/lines.ts'
import { createDataDir, findPort, runCommand } from '../../test/support/process.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { checkAddress } from './address.ts'

const { slug, lines } = catalogueOf(1)
let service: TestService
let direct: string
let key: string

before(async () => {
  service = await startService({ records: lines })
  await service.load([{ type: 'house', slug: 'empty', name: 'Empty', default_locale: 'nl', currency: 'EUR' }])
  direct = await service.app.listen({ host: '127.0.0.1', port: 0 })
  key = await service.issueKey(slug)
})
after(() => service.close())

/** Serves while `use` runs. */
async function serving<T>(listener: RequestListener, use: (origin: string) => Promise<T>): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** A proxy that changes the tag of what a client takes compressed, or removes it. */
function proxyThat(change: (etag: string) => string | undefined): RequestListener {
  return (from, to) => {
    const { method, url, headers } = from
    const onward = request(`${direct}${url}`, { method, headers }, (reply) => {
      const { etag, ...others } = reply.headers
      const isCompressed = /gzip/.test(headers['accept-encoding'] ?? '')
      const sent = etag === undefined ? undefined : isCompressed ? change(etag) : etag
      to.writeHead(reply.statusCode!, { ...others, ...(sent !== undefined && { etag: sent }) })
      reply.pipe(to)
    })
    from.pipe(onward)
  }
}

/** A proxy that asks for one coding and delivers another, with the tag that came. */
function proxyThatRecodes(asked: string, delivered?: 'gzip'): RequestListener {
  return (from, to) => {
    const isCompressed = /gzip/.test(from.headers['accept-encoding'] ?? '')
    const headers = { ...from.headers, ...(isCompressed && { 'accept-encoding': asked }) }
    const onward = request(`${direct}${from.url}`, { headers }, (reply) => {
      if (!isCompressed) return reply.pipe(to.writeHead(reply.statusCode!, reply.headers))
      reply.resume()
      const coding = delivered && { 'content-encoding': delivered }
      return to.writeHead(reply.statusCode!, { etag: reply.headers.etag, ...coding }).end(coding && gzipSync('{}'))
    })
    onward.end()
  }
}

const answer = (status: number, headers: Record<string, string>, body = '') =>
  ((_, to: ServerResponse) => to.writeHead(status, headers).end(body)) as RequestListener

const find = async (listener: RequestListener) => serving(listener, async (origin) => checkAddress(origin, key))

test('a tag that arrives unchanged is ok, directly and through a proxy', async () => {
  const found = await checkAddress(direct, key)
  assert.deepEqual([found.check, found.state], ['address', 'ok'], found.says)
  assert.match(
    found.says,
    /^http:\S+: the tag of \/api\/v2\/\w+\/\w+_\S+ arrives unchanged; the tag of \S+\/images\/img_\S+ arrives unchanged$/,
  )
  assert.equal((await find(proxyThat((etag) => etag))).state, 'ok')
})

test('a house whose images are its longest records is read by another of them too', async () => {
  await service.load([
    { type: 'house', slug: 'short', name: 'Short', default_locale: 'nl', currency: 'EUR' },
    { type: 'item', ref: 'i', title: 'Vaas' },
    { type: 'image', ref: 'p', item: 'i', position: 0, alt: 'Een vaas '.repeat(99) },
  ])
  const found = await checkAddress(direct, await service.issueKey('short'))
  assert.equal(found.state, 'ok', found.says)
  assert.match(
    found.says,
    /: the tag of \/api\/v2\/items\/itm_[^/]+ arrives unchanged; the tag of \S+\/images\/\S+ arr/,
  )
})

test('a proxy that weakens the tag, extends it or removes it is named, with the page that says what to do', async () => {
  const cases: [change: (etag: string) => string | undefined, says: RegExp][] = [
    [(etag) => `W/${etag}`, /makes its tag W\/"[\w-]+\.\w+", as proxies that compress do/],
    [(etag) => etag.replace(/"$/, '-gzip"'), /makes its tag "[\w-]+\.\w+-gzip", as proxies that compress do/],
    [() => undefined, /something on the way removes its ETag/],
  ]
  for (const [change, says] of cases) {
    const found = await find(proxyThat(change))
    assert.equal(found.state, 'wrong')
    assert.match(found.says, says)
    assert.match(found.says, /: writes of it with If-Match fail\. See "A proxy in front" in docs\/operating\.md$/)
  }
})

test('a proxy that changes only the tag of an image is named with the image', async () => {
  const found = await find(proxyThat((etag) => (/\.\d+"$/.test(etag) ? `W/${etag}` : etag)))
  assert.equal(found.state, 'wrong')
  assert.match(found.says, /\/images\/img_\S+ is read, but something on the way makes its tag W\//)
})

test('a proxy that encodes or decodes the answer under its tag is ok, and the finding says so', async () => {
  const compressed = await find(proxyThatRecodes('identity', 'gzip'))
  assert.equal(compressed.state, 'ok', compressed.says)
  assert.match(compressed.says, /unchanged, but the record was sent uncompressed and comes in gzip;/)
  const unpacked = await find(proxyThatRecodes('br'))
  assert.equal(unpacked.state, 'ok', unpacked.says)
  assert.match(unpacked.says, /unchanged, but the record was sent in br and comes uncompressed;/)
})

test('an address that leads to no readable record says what stands there instead', async () => {
  const html = { 'content-type': 'text/html' }
  const found = [
    await checkAddress(`http://127.0.0.1:${await findPort()}`, key),
    await checkAddress(direct, 'ack_unknown'),
    await find(answer(200, html, '<h1>Welcome</h1>')),
    await find(answer(200, { 'content-type': 'application/json' }, 'null')),
    await find(answer(502, html, '<h1>Bad Gateway</h1>')),
    await find(answer(401, { ...html, 'www-authenticate': 'Basic' })),
    await find(answer(301, { location: 'https://elsewhere.test/' })),
  ]
  const says = [
    /\/api\/v2 cannot be read: .*ECONNREFUSED/,
    /does not take the key in CATALOGUE_KEY/,
    /no catalogue answers: \/api\/v2 does not describe one$/,
    /no catalogue answers: \/api\/v2 does not describe one$/,
    /no catalogue answers: \/api\/v2 is 502, text\/html$/,
    /no catalogue answers: \/api\/v2 is 401, text\/html$/,
    /leads to https:\/\/elsewhere\.test\/: programs need the address behind the redirect$/,
  ]
  for (const [index, each] of found.entries()) {
    assert.equal(each.state, 'wrong')
    assert.match(each.says, says[index]!)
  }
})

test('a house without records, and a key that may read none, leave the tag unknown', async () => {
  for (const other of [await service.issueKey('empty'), await service.issueKey(slug, ['staff'])]) {
    const found = await checkAddress(direct, other)
    assert.equal(found.state, 'unknown')
    assert.match(found.says, /the key can read no record there, so no tag was seen$/)
  }
})

test('doctor --installation --url reports the address, exits with 1 for a changed tag, and with 2 without a key', async (t) => {
  const { dataDir, remove } = await createDataDir()
  t.after(remove)
  const settings = { DATABASE_URL: urlOf(service.connection), DATA_DIR: dataDir }
  const examine = async (url: string, more: Record<string, string> = {}) => {
    return runCommand({ ...settings, ...more }, 'doctor', '--installation', '--url', url)
  }
  const sound = await examine(`${direct}/`, { CATALOGUE_KEY: key })
  assert.equal(sound.code, 0, sound.stdout)
  assert.match(sound.stdout, /^ok +address +http:\S+: the tag of \S+ arrives unchanged;/m)
  assert.ok(!sound.stdout.includes(key))
  const changed = await serving(
    proxyThat((etag) => `W/${etag}`),
    async (origin) => examine(origin, { CATALOGUE_KEY: key }),
  )
  assert.equal(changed.code, 1)
  assert.match(changed.stdout, /^wrong +address .* W\/"/m)
  const without = await examine(direct)
  assert.deepEqual([without.code, without.stdout], [2, ''])
  assert.match(without.stderr, /^error: --url needs the key of a house in the environment variable CATALOGUE_KEY\n$/)
  assert.equal((await examine('catalogue.example', { CATALOGUE_KEY: key })).code, 2)
  assert.equal((await runCommand(settings, 'doctor', '--url', direct)).code, 2)
})
