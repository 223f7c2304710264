// A storefront: the published sales of a house with photographs, and a search over all lots.
// Usage: CATALOGUE_KEY=ack_… node_modules/.bin/node examples/storefront/server.ts http://127.0.0.1:4000 [PORT]
// The key stays in this program. It needs auctions.read and lots.read, and no more.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Catalogue, CatalogueError, NotFound, type LotId } from '@auction-catalogue/client'
import { printRobots, printSitemap } from './head.ts'
import { printFailure, printFound, printSale, printSales } from './pages.ts'
import { SearchIndex } from './search.ts'

const [url = 'http://127.0.0.1:4000', port = '8080'] = process.argv.slice(2)
// Answers are cached and revalidated with their ETag: an unchanged page costs the service next to nothing.
const catalogue = new Catalogue({ url, key: process.env['CATALOGUE_KEY'] ?? '', retries: 3, remember: 50_000_000 })
const { name, time_zone: zone } = await catalogue.house()
// The public address, for search engines and other sites. Without one it is this machine's.
const site = { origin: process.env['STOREFRONT_URL']?.replace(/\/$/, '') ?? '', name, zone }
const index = new SearchIndex(catalogue)
const style = readFileSync(path.join(import.meta.dirname, 'style.css'), 'utf8')
const lotsOnPage = 24
const expand = ['item.images', 'session'] as const

type Page = { status?: number; type?: string; body: string }

const notFound = (): Page => ({ status: 404, body: printFailure('There is no such page', site) })

async function showSale(id: string, cursor: string | undefined): Promise<Page> {
  const sale = index.sessions().find((session) => session.id === id)
  if (!sale) return notFound()
  const query = { session: sale.id, active: true, expand, limit: lotsOnPage, cursor }
  const { data, nextCursor } = await catalogue.lots.list(query).page()
  const next = nextCursor === null ? undefined : `/sales/${id}?after=${encodeURIComponent(nextCursor)}`
  return {
    body: printSale(
      sale,
      cursor === undefined ? `/sales/${id}` : `/sales/${id}?after=${encodeURIComponent(cursor)}`,
      data,
      next,
      site,
    ),
  }
}

async function showFound(question: string): Promise<Page> {
  const found = index.search(question)
  const read = (id: LotId) =>
    catalogue.lots.get(id, { expand }).catch((error: unknown) => {
      // It was archived a moment ago.
      if (!(error instanceof NotFound)) throw error
    })
  const lots = await Promise.all(found.slice(0, lotsOnPage).map(read))
  const shown = lots.filter((lot) => lot !== undefined)
  return { body: printFound(question, shown, found.length, site) }
}

async function show({ pathname, searchParams }: URL): Promise<Page> {
  const [, sale] = /^\/sales\/(ses_[\w-]+)$/.exec(pathname) ?? []
  if (pathname === '/') return { body: printSales(index.sessions(), site) }
  if (pathname === '/style.css') return { type: 'text/css', body: style }
  if (pathname === '/robots.txt') return { type: 'text/plain', body: printRobots(site) }
  if (pathname === '/sitemap.xml') return { type: 'application/xml', body: printSitemap(index.sessions(), site) }
  if (pathname === '/search') return showFound(searchParams.get('q') ?? '')
  return sale === undefined ? notFound() : showSale(sale, searchParams.get('after') ?? undefined)
}

function explain(error: unknown): Page {
  if (error instanceof CatalogueError && error.code === 'invalid-cursor') return notFound()
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
  void show(new URL(request.url ?? '/', 'http://storefront'))
    .catch(explain)
    .then((page) => send(response, known, page))
})

await index.fill()
const ending = new AbortController()
void index.follow(ending.signal)
server.listen(Number(port), '127.0.0.1', () => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  site.origin ||= address
  console.log(address)
})
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    ending.abort()
    server.close()
  })
