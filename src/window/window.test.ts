import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createInstallation } from '../../test/support/installation.ts'
import { findPort, startProcess } from '../../test/support/process.ts'
import { startService } from '../../test/support/service.ts'
import { readWindow } from './files.ts'

const window = await readWindow()
assert.ok(window, 'npm run build builds the window')
const service = await startService({ window })
const bare = await startService()
after(() => Promise.all([service.close(), bare.close()]))

const addresses = [...window.keys()]
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('/ is the page for a client that accepts HTML, and 404 for a client that wants JSON', async () => {
  for (const headers of [html, {}, { accept: '*/*' }]) {
    const reply = await service.request({ url: '/', headers })
    assert.equal(reply.statusCode, 200)
    assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8')
    assert.match(String(reply.headers['vary']), /Accept/)
  }
  for (const accept of ['application/json', 'application/problem+json, application/json;q=0.5']) {
    const reply = await service.request({ url: '/', headers: { accept } })
    assert.equal(reply.statusCode, 404)
    assert.match(String(reply.headers['content-type']), /^application\/problem\+json/)
  }
  assert.equal((await service.request({ url: '/', method: 'POST' })).headers['allow'], 'GET, HEAD')
  assert.equal((await bare.request({ url: '/', headers: html })).statusCode, 404)
})

test('WINDOW=off switches the page off, and nothing else', async () => {
  const { settings, remove } = await createInstallation()
  const port = await findPort()
  const process = await startProcess({ ...settings, PORT: String(port), WINDOW: 'off' }, '--json')
  const ask = async (address: string) => {
    for (;;) {
      const reply = await fetch(`http://127.0.0.1:${port}${address}`, { headers: html })
      // A busy machine may be overloaded for a while.
      if (reply.status !== 503) return reply
      await sleep(200)
    }
  }
  for (const address of addresses) assert.equal((await ask(address)).status, 404, address)
  assert.equal((await ask('/docs')).status, 200)
  assert.equal((await ask('/api/v2')).status, 401)
  assert.equal((JSON.parse(process.printed) as { window?: string }).window, undefined)
  await process.stop()
  await remove()
})

test('the policy of the page allows nothing inline, nothing evaluated and no other host', async () => {
  const policy = String((await service.request({ url: '/', headers: html })).headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /)
  assert.match(policy, /require-trusted-types-for 'script'/)
  assert.doesNotMatch(policy, /unsafe|\*|data:|blob:/)
  const page = window.get('/')!.plain.toString()
  assert.doesNotMatch(page, /<style|style="|<script(?![^>]* src="\/assets\/)|https?:/)
})

test('files are served as the build compressed them, are cached for ever, and are revalidated by their ETag', async () => {
  assert.ok(addresses.length > 5)
  for (const url of addresses) {
    const plain: Buffer = window.get(url)!.plain
    const get = (headers: Record<string, string> = {}) => service.request({ url, headers })
    assert.deepEqual((await get()).rawPayload, plain)
    assert.deepEqual((await get({ 'accept-encoding': 'br;q=0, gzip;q=0' })).rawPayload, plain)
    const { headers } = await get()
    if (url.endsWith('.js')) {
      assert.deepEqual(brotliDecompressSync((await get({ 'accept-encoding': 'gzip, deflate, br' })).rawPayload), plain)
      assert.deepEqual(gunzipSync((await get({ 'accept-encoding': 'gzip' })).rawPayload), plain)
    }
    const again = await get({ 'if-none-match': `"other", ${headers.etag}` })
    assert.equal(again.statusCode, 304)
    assert.equal(again.payload, '')
    assert.equal(
      headers['cache-control'],
      ['/', '/offline.js'].includes(url) ? 'no-cache' : 'public, max-age=31536000, immutable',
    )
  }
  for (const url of ['/assets/', '/assets/none.js', '/assets/..%2f..%2fpackage.json', '/index.html', '/sessions/ses_1'])
    assert.equal((await service.request({ url, headers: html })).statusCode, 404, url)
})

test('the service worker knows every file of the window by its hash, and may connect only to the service', async () => {
  const { payload, headers } = await service.request({ url: '/offline.js' })
  const [list] = /\{.*?\}/.exec(payload)!
  const files = [...window].filter(([address]) => address !== '/offline.js')
  const hashes = files.map(([address, { plain }]) => [address, `sha256-${hash('sha256', plain, 'base64')}`])
  assert.deepEqual(JSON.parse(list), Object.fromEntries(hashes))
  assert.equal(headers['content-security-policy'], "default-src 'none'; connect-src 'self'")
  assert.equal((await bare.request({ url: '/offline.js' })).statusCode, 404)
})

test('the first view transfers less than 200 KB', () => {
  const page = window.get('/')!.plain.toString()
  const first = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, address]) => window.get(address!)!)
  const bytes = [window.get('/')!, ...first].reduce((sum, { br, plain }) => sum + (br ?? plain).length, 0)
  assert.ok(bytes < 200 * 1024, `${bytes} bytes`)
})
