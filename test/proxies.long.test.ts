import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { checkAddress } from '../src/doctor/address.ts'
import { catalogueOf } from './support/lines.ts'
import { lackOf, proxies, runProxy } from './support/proxies.ts'
import { startService } from './support/service.ts'

const houses = [catalogueOf(1), catalogueOf(2)] as const
const service = await startService({ records: houses.flatMap(({ lines }) => lines) })
after(() => service.close())
await sql`update catalogue.images set original = 'originals/' || md5(id::text)`.execute(service.db)
const direct = await service.app.listen({ host: '127.0.0.1', port: 0 })
const [key, foreignKey] = [await service.issueKey(houses[0].slug), await service.issueKey(houses[1].slug)]
const { ids } = houses[0]

const goods = 'Catalogues in print. '.repeat(500)
const shop = createServer((_, to) => {
  to.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'public, max-age=600', etag: '"goods"' }).end(goods)
})
await once(shop.listen(0, '127.0.0.1'), 'listening')
after(() => {
  shop.close()
  shop.closeAllConnections()
})
const ports = { service: new URL(direct).port, shop: String((shop.address() as AddressInfo).port) }

const codings = [undefined, 'gzip', 'br'] as const
type Coding = (typeof codings)[number]
type Question = { method?: string; key?: string; coding?: Coding; headers?: Record<string, string>; body?: object }

const decoders = { gzip: gunzipSync, br: brotliDecompressSync }

/** The answer as it comes, and its text, decoded once. */
async function ask(url: string, { method = 'GET', key, coding, headers = {}, body }: Question = {}) {
  const sent = request(url, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(coding && { 'accept-encoding': coding }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
  })
  sent.end(body && JSON.stringify(body))
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = await buffer(reply)
  const { etag, 'content-encoding': encoding } = reply.headers as Record<string, string>
  const decode = bytes.length > 0 ? decoders[encoding as keyof typeof decoders] : undefined
  return {
    status: reply.statusCode,
    headers: reply.headers,
    etag: etag!,
    encoding,
    text: String(decode?.(bytes) ?? bytes),
  }
}

const itemPath = `/api/v2/items/${ids.item}`
const imagePath = `${itemPath}/images/${ids.image}`
const readDirectly = async (path: string, key: string) => JSON.parse((await ask(direct + path, { key })).text) as object
let titles = 0

/** Reads an item, asks for it again, and changes it. */
async function checkRecord(origin: string, coding: Coding) {
  const url = origin + itemPath
  const mine = { key, ...(coding && { coding }) }
  const read = await ask(url, mine)
  assert.deepEqual([read.status, read.encoding], [200, coding])
  assert.deepEqual(JSON.parse(read.text), await readDirectly(itemPath, key))
  const held = await ask(url, { ...mine, headers: { 'if-none-match': read.etag } })
  assert.deepEqual([held.status, held.etag, held.text], [304, read.etag, ''])
  const head = await ask(url, { ...mine, method: 'HEAD' })
  assert.deepEqual([head.status, head.encoding, head.etag, head.text], [200, coding, read.etag, ''])
  const foreign = await ask(url, { ...mine, key: foreignKey })
  assert.equal(foreign.status, 404)

  const title = `Stilleven ${(titles += 1)}`
  const change = (etag: string) =>
    ask(url, { ...mine, method: 'PATCH', headers: { 'if-match': etag }, body: { title } })
  const changed = await change(read.etag)
  assert.deepEqual([changed.status, changed.encoding], [200, coding])
  assert.equal((await change(read.etag)).status, 412)
  const again = await ask(url, mine)
  assert.deepEqual([again.etag, again.text], [changed.etag, changed.text])
}

/** Each key sees its own list at one address, and a short answer says the same in every coding. */
async function checkLists(origin: string, coding: Coding) {
  for (const path of ['/api/v2/items?limit=2', '/api/v2/items?external_reference=none'])
    for (const mine of [key, foreignKey, key, foreignKey]) {
      const page = await ask(origin + path, { key: mine, ...(coding && { coding }) })
      assert.deepEqual(JSON.parse(page.text), await readDirectly(path, mine))
    }
}

/** The status of a change of an image with the tag that came. The service does not encode images. */
async function changeImage(origin: string, coding: Coding) {
  const mine = { key, ...(coding && { coding }) }
  const { etag } = await ask(origin + imagePath, mine)
  const body = { alt: `Een vaas ${(titles += 1)}` }
  const changed = await ask(origin + imagePath, { ...mine, method: 'PATCH', headers: { 'if-match': etag }, body })
  return changed.status
}

/** Asserts what `doctor --installation --url` finds. */
async function checkDoctor(origin: string, state: string, says: RegExp) {
  const found = await checkAddress(origin, key)
  assert.equal(found.state, state, found.says)
  assert.match(found.says, says)
}

const unchanged = /: the tag of \S+ arrives unchanged; the tag of \S+ arrives unchanged$/

async function checkShop(origin: string) {
  const { encoding, text } = await ask(`${origin}/shop/`, { coding: 'gzip' })
  assert.deepEqual([encoding, text], ['gzip', goods])
}

for (const proxy of proxies) {
  const { name, file, compressing, spoils, replacing, caching } = proxy
  const skip = lackOf(proxy)

  test(
    `${name} with deploy/${file} passes on each form and its tag, takes uploads, and compresses other content`,
    { skip },
    async (t) => {
      const origin = await runProxy(t, proxy, ports)
      for (const coding of codings) {
        await checkRecord(origin, coding)
        await checkLists(origin, coding)
        assert.equal(await changeImage(origin, coding), 200)
      }
      await checkShop(origin)
      await checkDoctor(origin, 'ok', unchanged)
      const form = new FormData()
      form.set('image', new Blob([Buffer.alloc(2 * 1024 * 1024)], { type: 'image/jpeg' }))
      const headers = { authorization: `Bearer ${key}` }
      const reply = await fetch(`${origin}${itemPath}/images`, { method: 'POST', headers, body: form })
      assert.match(reply.headers.get('content-type')!, /^application\/problem\+json/)
    },
  )

  test(
    `${name} that compresses all it can passes on each form, and changes only tags of answers that are not encoded`,
    { skip },
    async (t) => {
      const origin = await runProxy(t, proxy, ports, compressing)
      for (const coding of codings) {
        await checkRecord(origin, coding)
        await checkLists(origin, coding)
        const isSpoiled = coding !== undefined && spoils.includes(coding)
        assert.equal(await changeImage(origin, coding), isSpoiled ? 412 : 200, coding)
      }
      await checkShop(origin)
      if (spoils.length > 0)
        await checkDoctor(origin, 'wrong', /\/images\/\S+ is read, but something on the way makes its/)
      else
        await checkDoctor(
          origin,
          'ok',
          /\/images\/\S+ arrives unchanged, but the record was sent uncompressed and comes in \w+/,
        )
    },
  )

  test(
    `${name} with a cache passes on each form and its tag, and keeps no answer for another key`,
    { skip: skip || (caching ? false : `${name} has no cache in Debian`) },
    async (t) => {
      const origin = await runProxy(t, proxy, ports, caching)
      for (const coding of codings) {
        await checkRecord(origin, coding)
        await checkLists(origin, coding)
        assert.equal(await changeImage(origin, coding), 200)
      }
      await ask(`${origin}/shop/`)
      assert.match(String((await ask(`${origin}/shop/`)).headers['x-cache']), /^HIT/)
    },
  )

  test(
    `doctor names ${name} where it hides Accept-Encoding and compresses instead of the service`,
    { skip: skip || (replacing ? false : `${name} does not compress without Accept-Encoding`) },
    async (t) => {
      const origin = await runProxy(t, proxy, ports, replacing)
      if (spoils.length > 0) await checkDoctor(origin, 'wrong', /makes its tag W/)
      else await checkDoctor(origin, 'ok', /arrives unchanged, but the record was sent uncompressed and comes in \w+/)
    },
  )
}
