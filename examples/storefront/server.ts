// A storefront: the published sales of a house with photographs, a page of each lot, and a search over all lots.
// Usage: CATALOGUE_KEY=ack_… node_modules/.bin/node examples/storefront/server.ts http://127.0.0.1:4000 [PORT]
// The key stays in this program. It needs auctions.read, lots.read and categories.read, and no more.
import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { CatalogueError, type LotId, type SessionId } from '@auction-catalogue/client'
import { longestMilliseconds, openCatalogue, stateOf } from './catalogue.ts'
import { printIcon, printRobots, printSitemap, printSitemaps } from './head.ts'
import { photographsOf, printHome } from './home.ts'
import { printLot } from './lot.ts'
import { longestQuestion, magnifier, magnifierPath, printFailure, printPolicy } from './page.ts'
import { findNext, printSale, printSearch } from './search.ts'
import { makeSite } from './site.ts'

const [url = 'http://127.0.0.1:4000', port = '8080'] = process.argv.slice(2)
const catalogue = openCatalogue(url, process.env['CATALOGUE_KEY'] ?? '')
// The public address, for search engines and other sites. Without one it is this machine's.
const publicOrigin = process.env['STOREFRONT_URL']?.replace(/\/$/, '')
const house = await catalogue.readHouse()
let site = makeSite(house, publicOrigin ?? '')
// A bid is seen after twenty seconds at most, whatever the number of visitors. Caches bridge five minutes of an outage.
const pageCache = 'public, max-age=5, stale-while-revalidate=15, stale-if-error=300'
const shownSales = 12
const retryMilliseconds = 10_000

type Page = { status?: number; type?: string; cache?: string; next?: string | undefined; body: string }

const inPreparation = (): Page => ({ status: 503, body: printFailure(site.say('prepared'), site) })
const notFound = (): Page => ({ status: 404, body: printFailure(site.say('notFound'), site) })

async function showHome(signal: AbortSignal): Promise<Page> {
  const sales = await catalogue.listSales(signal)
  const shown = sales.map(async (sale, at) => ({
    sale,
    lots: at < shownSales ? await catalogue.listSome(sale, photographsOf[stateOf(sale)], signal) : [],
  }))
  return { body: printHome(await Promise.all(shown), site) }
}

async function showSitemap(name: string, signal: AbortSignal): Promise<Page> {
  const sales = await catalogue.listSales(signal)
  const sale = sales.find(({ id }) => id === name)
  if (name !== 'sales' && !sale) return notFound()
  const paths = sale
    ? (await catalogue.listKept(sale.id)).map(({ id }) => `/lots/${id}`)
    : ['/', ...sales.map(({ id }) => `/sales/${id}`)]
  return { type: 'application/xml', body: printSitemap(paths, site) }
}

async function showSitemaps(signal: AbortSignal): Promise<Page> {
  const sales = await catalogue.listSales(signal)
  return { type: 'application/xml', body: printSitemaps(['sales', ...sales.map(({ id }) => id)], site) }
}

async function showLot(id: LotId, signal: AbortSignal): Promise<Page> {
  const found = await catalogue.findLot(id, signal)
  return found ? { body: printLot(found, site) } : notFound()
}

async function showSale(path: string, id: SessionId, values: URLSearchParams, signal: AbortSignal): Promise<Page> {
  const sale = await catalogue.findSale(id, signal)
  if (!sale) return notFound()
  values.set('session', id)
  values.delete('q')
  const asked = { path, values }
  const found = await catalogue.search(values, signal)
  return { body: printSale(sale, asked, found, site), next: findNext(asked, found) }
}

async function showSearch(values: URLSearchParams, signal: AbortSignal): Promise<Page> {
  // What the page says of a search is what was searched for.
  values.set('q', (values.get('q') ?? '').slice(0, longestQuestion))
  const asked = { path: '/search', values }
  const found = await catalogue.search(values, signal)
  return { body: printSearch(asked, found, site), next: findNext(asked, found) }
}

// While the service refuses the key, visitors are told so without asking it.
let refusedUntil = 0
const told = new Set<string>()

async function show(asked: string): Promise<Page> {
  if (!asked.startsWith('/')) return notFound()
  const { pathname, searchParams } = new URL(`http://storefront${asked}`)
  if (asked === magnifierPath)
    return { type: 'text/javascript', cache: 'public, max-age=31536000, immutable', body: magnifier }
  if (pathname === '/favicon.svg')
    return { type: 'image/svg+xml', cache: 'public, max-age=86400', body: printIcon(site) }
  if (pathname === '/robots.txt') return { type: 'text/plain', body: printRobots(site) }
  if (Date.now() < refusedUntil) return inPreparation()
  const signal = AbortSignal.timeout(longestMilliseconds)
  if (pathname === '/') return showHome(signal)
  if (pathname === '/sitemap.xml') return showSitemaps(signal)
  if (pathname === '/search') return showSearch(searchParams, signal)
  const [, sitemap] = /^\/sitemaps\/([\w-]+)\.xml$/.exec(pathname) ?? []
  if (sitemap !== undefined) return showSitemap(sitemap, signal)
  const [, lot] = /^\/lots\/(lot_[\w-]+)$/.exec(pathname) ?? []
  if (lot !== undefined) return showLot(lot as LotId, signal)
  const [, sale] = /^\/sales\/(ses_[\w-]+)$/.exec(pathname) ?? []
  return sale === undefined ? notFound() : showSale(pathname, sale as SessionId, searchParams, signal)
}

function explain(error: unknown): Page {
  // An address that no page of this program has, such as one with another cursor or one that is too long.
  if (error instanceof CatalogueError && ([404, 431].includes(error.status) || error.code === 'invalid-cursor'))
    return notFound()
  if (error instanceof CatalogueError && error.status === 400)
    return { status: 400, body: printFailure(site.say('badSearch'), site) }
  if (error instanceof CatalogueError && [401, 403].includes(error.status)) {
    // A missing permission concerns some pages only.
    if (error.status === 401) refusedUntil = Date.now() + retryMilliseconds
    const reason = `${error.status} ${error.message}`
    if (!told.has(reason)) console.error(error)
    told.add(reason)
    return inPreparation()
  }
  console.error(error)
  return { status: 503, body: printFailure(site.say('away'), site) }
}

type Asking = { known: string; encodings: string }

async function send(response: ServerResponse, { known, encodings }: Asking, page: Page): Promise<void> {
  const { status = 200, type = 'text/html', cache = pageCache, next, body } = page
  // A weak tag stays the same when a cache on the way encodes the page in another way.
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  response.setHeaders(
    new Map([
      ['etag', `W/${tag}`],
      ['cache-control', status === 200 ? cache : 'no-store'],
      ['content-type', `${type}; charset=utf-8`],
      ['content-security-policy', printPolicy(body)],
      ['x-content-type-options', 'nosniff'],
      ['vary', 'accept-encoding'],
    ]),
  )
  if (next !== undefined) response.setHeader('link', `<${next}>; rel="next"`)
  if (status === 503) response.setHeader('retry-after', String(retryMilliseconds / 1000))
  if (status === 200 && (known === '*' || known.includes(tag))) {
    response.writeHead(304).end()
    return
  }
  const isEncoded = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(encodings)
  if (isEncoded) response.setHeader('content-encoding', 'gzip')
  response.writeHead(status).end(isEncoded ? await promisify(gzip)(body) : body)
}

const server = createServer((request, response) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  const { 'if-none-match': known = '', 'accept-encoding': encodings = '' } = request.headers
  void show(request.url ?? '/')
    .catch(explain)
    .then((page) => send(response, { known, encodings }, page))
})

server.listen(Number(port), '127.0.0.1', () => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  site = makeSite(house, publicOrigin ?? address)
  console.log(address)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close())
