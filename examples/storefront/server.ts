// A storefront: the published sales of a house with photographs, and a search over all lots.
// Usage: CATALOGUE_KEY=ack_… node_modules/.bin/node examples/storefront/server.ts http://127.0.0.1:4000 [PORT]
// The key stays in this program. It needs auctions.read and lots.read, and no more.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import {
  Catalogue,
  CatalogueError,
  type LotId,
  type MakerId,
  type Session,
  type SessionId,
} from '@auction-catalogue/client'
import { printRobots, printSitemap, printSitemaps, type Shown } from './head.ts'
import { printFailure, printFound, printLotPage, printSale, printSales } from './pages.ts'

const [url = 'http://127.0.0.1:4000', port = '8080'] = process.argv.slice(2)
// Answers are cached and revalidated with their ETag: an unchanged page costs the service next to nothing.
const catalogue = new Catalogue({ url, key: process.env['CATALOGUE_KEY'] ?? '', retries: 3, remember: 50_000_000 })
const { name, time_zone: zone } = await catalogue.house()
// The public address, for search engines and other sites. Without one it is this machine's.
const site = { origin: process.env['STOREFRONT_URL']?.replace(/\/$/, '') ?? '', name, zone }
const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')
const [style, magnifier] = [read('style.css'), read('magnifier.js')]
const lotsOnPage = 24
// A page does not wait longer for the service, whatever the service asks for.
const longestMilliseconds = 10_000
const expand = ['item.images', 'session'] as const

type Page = { status?: number; type?: string; body: string }

const notFound = (): Page => ({ status: 404, body: printFailure('There is no such page', site) })

const shownOf = (session: Session<'auction'>): Shown => {
  const { id, title, opens_at: opensAt } = session
  return { id, title: title ?? '', opensAt, closesAt: session.kind === 'live' ? session.live.closes_at : null }
}
const isPublic = ({ published, auction }: Session<'auction'>) => published && auction.published

/** The sales that the public sees, by their opening, then by their title. */
async function listSales(signal: AbortSignal): Promise<Shown[]> {
  const sales: Shown[] = []
  for await (const session of catalogue.sessions.list({ published: true, expand: ['auction'] }, { signal }))
    if (isPublic(session)) sales.push(shownOf(session))
  const placeOf = ({ opensAt, title }: Shown) => `${opensAt ?? ''} ${title}`
  return sales.toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)))
}

/** The addresses of the lots of a sale. */
async function listLots(id: SessionId, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = []
  for await (const lot of catalogue.lots.list({ session: id, active: true, limit: 100 }, { signal }))
    paths.push(`/lots/${lot.id}`)
  return paths
}

async function showSitemap(name: string, signal: AbortSignal): Promise<Page> {
  const sales = await listSales(signal)
  const isListed = sales.some(({ id }) => id === name)
  if (name !== 'sales' && !isListed) return notFound()
  const paths = isListed ? await listLots(name as SessionId, signal) : ['/', ...sales.map(({ id }) => `/sales/${id}`)]
  return { type: 'application/xml', body: printSitemap(paths, site) }
}

async function showLot(id: LotId, signal: AbortSignal): Promise<Page> {
  const lot = await catalogue.lots.get(id, { expand, signal })
  const session = await catalogue.sessions.get(lot.session.id, { expand: ['auction'], signal })
  return lot.active && isPublic(session) ? { body: printLotPage(lot, shownOf(session), site) } : notFound()
}

async function showSale(id: SessionId, cursor: string | undefined, signal: AbortSignal): Promise<Page> {
  const session = await catalogue.sessions.get(id, { expand: ['auction'], signal })
  if (!isPublic(session)) return notFound()
  const query = { session: id, active: true, expand, limit: lotsOnPage, cursor }
  const { data, nextCursor } = await catalogue.lots.list(query, { signal }).page()
  const address = (after: string | undefined) => `/sales/${id}${after ? `?after=${encodeURIComponent(after)}` : ''}`
  const next = nextCursor === null ? undefined : address(nextCursor)
  return { body: printSale(shownOf(session), address(cursor), data, next, site) }
}

/** The lots that the public sees and that a visitor looks for, with the sales and makers of all that were found. */
async function showFound(asked: URLSearchParams, signal: AbortSignal): Promise<Page> {
  const chosen = (name: string) => asked.get(name) || undefined
  const [session, maker] = [chosen('session') as SessionId | undefined, chosen('maker') as MakerId | undefined]
  const found = await catalogue.lots
    .search(
      {
        q: chosen('q')?.slice(0, 200),
        session,
        maker: maker && [maker],
        published: true,
        active: true,
        facets: ['session', 'maker'],
        expand,
        limit: lotsOnPage,
        cursor: chosen('after'),
      },
      { signal },
    )
    .page()
  return { body: printFound(asked, found, site) }
}

async function show(asked: string): Promise<Page> {
  if (!asked.startsWith('/')) return notFound()
  const signal = AbortSignal.timeout(longestMilliseconds)
  const { pathname, searchParams } = new URL(`http://storefront${asked}`)
  if (pathname === '/') return { body: printSales(await listSales(signal), site) }
  if (pathname === '/style.css') return { type: 'text/css', body: style }
  if (pathname === '/magnifier.js') return { type: 'text/javascript', body: magnifier }
  if (pathname === '/robots.txt') return { type: 'text/plain', body: printRobots(site) }
  if (pathname === '/sitemap.xml')
    return { type: 'application/xml', body: printSitemaps(await listSales(signal), site) }
  if (pathname === '/search') return showFound(searchParams, signal)
  const [, sitemap] = /^\/sitemaps\/([\w-]+)\.xml$/.exec(pathname) ?? []
  if (sitemap !== undefined) return showSitemap(sitemap, signal)
  const [, lot] = /^\/lots\/(lot_[\w-]+)$/.exec(pathname) ?? []
  if (lot !== undefined) return showLot(lot as LotId, signal)
  const [, sale] = /^\/sales\/(ses_[\w-]+)$/.exec(pathname) ?? []
  return sale === undefined ? notFound() : showSale(sale as SessionId, searchParams.get('after') ?? undefined, signal)
}

function explain(error: unknown): Page {
  // An address that no page of this program has, such as one with another cursor.
  if (error instanceof CatalogueError && (error.status === 404 || error.code === 'invalid-cursor')) return notFound()
  if (error instanceof CatalogueError && error.status === 400)
    return { status: 400, body: printFailure('Nothing can be searched for with these signs', site) }
  console.error(error)
  return { status: 503, body: printFailure('The catalogue cannot be reached at the moment', site) }
}

// The browser caches a page and revalidates it each time, as this program does with the service.
function send(
  response: ServerResponse,
  known: string | undefined,
  { status = 200, type = 'text/html', body }: Page,
): void {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = {
    etag,
    'cache-control': status === 200 ? 'no-cache' : 'no-store',
    'content-type': `${type}; charset=utf-8`,
  }
  if (status === 200 && known === etag) response.writeHead(304, headers).end()
  else response.writeHead(status, headers).end(body)
}

const server = createServer((request, response) => {
  const known = request.headers['if-none-match']
  void show(request.url ?? '/')
    .catch(explain)
    .then((page) => send(response, known, page))
})

server.listen(Number(port), '127.0.0.1', () => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  site.origin ||= address
  console.log(address)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close())
