import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { symlink, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { checkout, stopProcess } from '../test/support/process.ts'
import { guide, lotsOn, openStorefront } from '../test/support/storefront.ts'

const storefront = await openStorefront()
const { catalogue, folder, get, listSales, origin, run, shop, until, url } = storefront
after(() => storefront.close())

test('a cache may keep a page for seconds, and an unchanged page is answered with 304 to any form of its tag', async () => {
  const home = await get('/')
  assert.equal(home.headers.get('cache-control'), 'public, max-age=5, stale-while-revalidate=15, stale-if-error=300')
  assert.equal(home.headers.get('vary'), 'accept-encoding')
  const etag = home.headers.get('etag')!
  for (const known of [etag, etag.slice(2), `W/"other", ${etag}`, '*']) {
    const again = await get('/', { 'if-none-match': known, 'accept-encoding': 'identity' })
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
  }
  assert.equal((await get('/', { 'if-none-match': 'W/"other"' })).status, 200)
  const missing = await get('/nowhere')
  assert.deepEqual([missing.status, missing.headers.get('cache-control')], [404, 'no-store'])
})

test('the script of the magnifier may be kept for ever at its address', async () => {
  const [lot] = lotsOn((await get('/')).text)
  const [, address] = /<script\s+src="([^"]+)"/.exec((await get(lot!)).text)!
  const script = await get(address!)
  assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.match(script.headers.get('content-type')!, /^text\/javascript/)
  assert.equal((await get(address!.replace(/\?.*/, '?older'))).status, 404)
})

test('pages come compressed to those who accept it, whole to others, and set no cookie', async () => {
  const [packed, plain] = await Promise.all(['gzip', 'identity'].map((it) => get('/', { 'accept-encoding': it })))
  assert.equal(packed!.headers.get('content-encoding'), 'gzip')
  assert.equal(plain!.headers.get('content-encoding'), null)
  assert.equal(packed!.headers.get('etag'), plain!.headers.get('etag'))
  assert.equal(packed!.headers.get('set-cookie'), null)
  for (const encodings of ['gzip;q=0', 'br, gzip; q=0.0, *;q=0'])
    assert.equal((await get('/', { 'accept-encoding': encodings })).headers.get('content-encoding'), null, encodings)
})

test('a storefront is only read, and answers HEAD without a body', async () => {
  const posted = await fetch(origin, { method: 'POST', body: 'q=vaas' })
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
  const head = await fetch(origin, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
})

test('a page of a sale has the address of the next one in a header, and no page has the key', async () => {
  const [sale] = await listSales()
  const first = await get(`/sales/${sale}`)
  const [, next] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link')!)!
  const second = await get(next!)
  assert.equal(second.status, 200)
  const all = [...lotsOn(first.text), ...lotsOn(second.text)]
  assert.equal(new Set(all).size, all.length)
  assert.equal(second.headers.get('link'), null)
  assert.doesNotMatch(first.text + second.text, /ack_/)
})

test('an address that is none is not found, and the storefront goes on', async () => {
  for (const path of ['//', '///[', '*']) {
    const request = http.request(origin, { path })
    const [reply] = (await once(request.end(), 'response')) as [http.IncomingMessage]
    assert.equal(reply.resume().statusCode, 404, path)
  }
  // Encoded, this is too long for the service.
  assert.equal((await fetch(`${origin}/search?after=${'/'.repeat(7000)}`)).status, 404)
  assert.equal((await get('/')).status, 200)
})

test('the page of a static site reads the published sales with the Node that npm runs on', async () => {
  const [, page] = /```astro\n---\n(.+?)\n---\n/s.exec(guide)!
  const print =
    'console.log((await getStaticPaths()).map(({ params, props }) => `${params.id} ${props.lots.length}`).join())'
  const program = stripTypeScriptTypes(page!).replace(/^const .+ = Astro\.props$/m, print)
  await writeFile(path.join(folder.dataDir, 'static.mjs'), program)
  await symlink(path.join(checkout, 'node_modules'), path.join(folder.dataDir, 'node_modules'))
  const node = process.env['npm_node_execpath'] ?? process.execPath
  const env = { ...process.env, CATALOGUE_URL: url, CATALOGUE_KEY: shop.key }
  const { stdout } = await promisify(execFile)(node, [path.join(folder.dataDir, 'static.mjs')], { env })
  const expected = []
  for await (const session of catalogue.sessions.list({ published: true, expand: ['auction'] })) {
    if (!session.auction.published) continue
    let count = 0
    for await (const _ of catalogue.lots.list({ session: session.id, active: true })) count++
    expected.push(`${session.id} ${count}`)
  }
  assert.ok(expected.length > 0)
  assert.equal(stdout.trim(), expected.join())
})

test('a page waits neither for a service that asks for an hour nor for one that is silent', async () => {
  const root = await (await fetch(url, { headers: { authorization: `Bearer ${shop.key}` } })).text()
  let isSilent = false
  const troubled = http.createServer(({ url: asked }, response) => {
    if (asked === '/api/v2') response.end(root)
    else if (!isSilent) response.writeHead(503, { 'retry-after': '3600' }).end()
  })
  await once(troubled.listen(0, '127.0.0.1'), 'listening')
  const { child, origin } = await storefront.start(`http://127.0.0.1:${(troubled.address() as AddressInfo).port}`)
  try {
    for (isSilent of [false, true]) {
      const pages = ['/', '/search?q=vaas', '/sales/ses_1']
      const replies = await Promise.all(
        pages.map((page) => fetch(origin + page, { signal: AbortSignal.timeout(60_000) })),
      )
      assert.deepEqual(
        replies.map(({ status }) => status),
        pages.map(() => 503),
      )
    }
  } finally {
    child.kill('SIGKILL')
    troubled.close().closeAllConnections()
  }
})

test('visitors do not wait for a service that refuses the key, which the log says once', async () => {
  const root = await (await fetch(url, { headers: { authorization: `Bearer ${shop.key}` } })).text()
  let status = 401
  let asked = 0
  const refusing = http.createServer(({ url: path }, response) => {
    if (path === '/api/v2') response.end(root)
    else {
      asked++
      const type = `https://catalogue.example/problems/${status === 401 ? 'unauthorized' : 'missing-permission'}`
      response.writeHead(status, { 'content-type': 'application/problem+json' })
      response.end(JSON.stringify({ type, title: 'Refused', status, detail: 'lots.read', request_id: `${asked}` }))
    }
  })
  await once(refusing.listen(0, '127.0.0.1'), 'listening')
  const shown = await storefront.start(`http://127.0.0.1:${(refusing.address() as AddressInfo).port}`)
  try {
    for (status of [403, 401]) {
      const first = await fetch(`${shown.origin}/search`)
      assert.deepEqual([first.status, first.headers.get('retry-after')], [503, '10'])
      assert.match(await first.text(), /<h1>In voorbereiding<\/h1>/)
      const before = asked
      assert.equal((await fetch(`${shown.origin}/`)).status, 503)
      assert.equal(asked > before, status === 403, 'a key that is none is not tried again at once')
    }
    assert.equal(shown.logged().match(/^\s*status: 40[13]/gm)?.length, 2)
  } finally {
    shown.child.kill('SIGKILL')
    refusing.close().closeAllConnections()
  }
})

test('the storefront reports an outage of the catalogue, recovers by itself, and ends on a signal', async () => {
  const sale = (await listSales()).at(-1)!
  await storefront.stopService()
  const away = await fetch(`${origin}/sales/${sale}`)
  assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '10'])
  await storefront.startService()
  await until(`/sales/${sale}`, ({ status }) => status === 200)
  await run('sessions', 'unpublish', sale)
  assert.equal((await get(`/sales/${sale}`)).status, 404)
  assert.equal(await stopProcess(storefront.child), 0)
})
