import { Forms } from '../http/encoding/forms.ts'
import { hash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { printPath } from '../http/path.ts'
import { createSlots, type Slots } from '../http/server/slots.ts'
import { items } from '../items/document.ts'
import { lots } from '../lots/queries.ts'
import { Problem } from '../problems.ts'
import { sendPage } from '../reads/answers.ts'
import { contextOf, type ServedContext } from '../reads/context.ts'
import { parseCursor, printCursor, type CursorScope } from '../reads/cursors.ts'
import { prepare } from '../reads/reads.ts'
import { pascalCase } from '../values/text.ts'
import type { Facet, Filters } from './filters.ts'
import type { Place, SearchedKind, Sorting } from './order.ts'
import { ItemSearchQuery, LotSearchQuery, searchPage, staffSearchQueries } from './schema.ts'
import { mostMatches, type Found } from './search.ts'
import type { Searcher } from './searcher.ts'
import { printWalk, readWalk, walkFormat, type Walk } from './taken.ts'

const expands = {
  lot: { item: ['lots.read'], images: ['lots.read'], 'item.images': ['lots.read'], session: ['auctions.read'] },
  item: { images: ['lots.read'] },
} as const

const facets = {
  lot: { category: ['categories.read'], session: ['auctions.read'] },
  item: { category: ['categories.read'] },
} as const

const description =
  'Forgives typing, knows the forms of words in nine languages, and finds every change that was committed before. The texts and translations of items, their makers, the reference and the lot number are searched, and names of categories for keys with categories.read.'

// At work in this process: four, and three of one house. The others wait without a connection.
const mostAtWork = 4
const mostOfHouse = 3
const mostWaiting = 100

type SearchQuery = Filters & {
  q?: string
  limit: number
  cursor?: string
  sort?: string
  'facets[]'?: Facet[]
  'expand[]'?: string[]
}

function sortingOf({ q, sort }: SearchQuery): Sorting | undefined {
  if (sort === undefined) return q === undefined ? undefined : { by: 'relevance', descending: false }
  const by = sort.replace('-', '') as Sorting['by']
  if (by === 'relevance' && q === undefined) throw new Problem('invalid-parameter', 'sort=relevance needs q.')
  return { by, descending: sort.startsWith('-') }
}

type Answered = Found & { isComplete: boolean }

// The facets of a page may differ from those of the page before.
function scopeOf(request: FastifyRequest, { house }: ServedContext): CursorScope {
  const { limit: _, cursor: __, 'expand[]': ___, 'facets[]': ____, ...filters } = request.query as SearchQuery
  const kept = { ...filters, walk: walkFormat }
  return { house: house.id, generation: house.generation, path: printPath(request), filters: kept }
}

function positionOf(request: FastifyRequest, scope: CursorScope): { after: Place | undefined; walk: Walk | undefined } {
  const { cursor } = request.query as SearchQuery
  if (cursor === undefined) return { after: undefined, walk: undefined }
  const position = parseCursor(request.server.site.keyrings.cursors, scope, cursor)
  if (!position) throw new Problem('invalid-cursor', 'The cursor was not issued for this search.')
  const [rank, place] = position.sort.split(' ').map(Number)
  return { after: { rank: rank!, place: place!, id: position.id }, walk: readWalk(position.tie!) }
}

// The documents of the page, in its order. A record that was archived meanwhile is left out.
async function readDocuments(context: ServedContext, kind: SearchedKind, expand: string[], rows: string[]) {
  if (rows.length === 0) return []
  const of = { lot: lots, item: items }[kind]
  const short = { lot: 'l', item: 'i' }[kind]
  const selection = {
    context,
    documents: of(context, expand as never[]),
    where: `${short}.id = any(asked.rows::bigint[]) and not ${short}.archived`,
    asked: { rows: `{${rows.join()}}` },
  }
  const found = await prepare(selection).build()
  const byRow = new Map(found.map((record) => [record.tag.split('.', 1)[0]!, record]))
  return rows.flatMap((row) => byRow.get(row) ?? [])
}

function printEnd({ count, facets, walk, isRelaxed, isComplete }: Answered, cursor: string | undefined): string {
  const corrected = walk.taken?.corrected ?? {}
  const end = {
    has_more: cursor !== undefined,
    next_cursor: cursor ?? null,
    total: Math.min(count, mostMatches),
    ...(count > mostMatches && { total_capped: true }),
    ...(Object.keys(corrected).length > 0 && { corrected }),
    ...(isRelaxed && { relaxed: true }),
    ...(!isComplete && { complete: false }),
    ...(facets && { facets }),
  }
  return `],${JSON.stringify(end).slice(1)}`
}

/** What the searches of both interfaces share. */
type Search = { slots: Slots; searcher: Searcher }

/** A search to serve. `staff`: for staff, with their filters and documents. */
type Served = { kind: SearchedKind; query: TObject; shape: string; staff?: true }

function serveSearch(
  app: Parameters<FastifyPluginAsyncTypebox>[0],
  { kind, query, shape, staff }: Served,
  { slots, searcher }: Search,
) {
  const plural = `${kind}s`
  app.get(
    `/${plural}/search`,
    {
      config: {
        permissions: [...(staff ? (['staff'] as const) : []), 'lots.read'],
        expands: expands[kind],
        facets: facets[kind],
        filters: { 'category[]': ['categories.read'] },
      },
      schema: {
        operationId: `search${staff ? 'Staff' : ''}${pascalCase(plural)}`,
        summary: `Search ${plural}`,
        description,
        tags: [pascalCase(plural)],
        querystring: query,
        response: { 200: searchPage(kind, shape) },
      },
    },
    async (request, reply) => {
      const free = await slots.take(request.credentials.house.id, request.raw.socket)
      try {
        return await answer(request, reply, kind, searcher)
      } finally {
        free()
      }
    },
  )
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: SearchedKind,
  searcher: Searcher,
): Promise<FastifyReply> {
  const context = contextOf(request)
  const asked = request.query as SearchQuery
  const { q, limit, cursor: _, sort: __, 'facets[]': facets = [], 'expand[]': expand = [], ...filters } = asked
  const scope = scopeOf(request, context)
  const sorting = sortingOf(asked)
  const categories = request.credentials.permissions.includes('categories.read')
  const position = positionOf(request, scope)
  const found = await searcher.search(context, { kind, q, filters, sorting, facets, limit, categories, ...position })
  const page = found.page.slice(0, limit)
  const last = found.page.length > limit ? page.at(-1) : undefined
  const cursor =
    last &&
    printCursor(context.cursors, scope, {
      sort: `${last.rank} ${last.place}`,
      id: last.id,
      tie: printWalk({ ...found.walk, isComplete: found.isComplete }),
    })
  const records = await readDocuments(
    context,
    kind,
    expand,
    page.map(({ row }) => row),
  )
  const body = Buffer.from(`{"data":[${records.map(({ json }) => json).join(',')}${printEnd(found, cursor)}`)
  return sendPage(request, reply, {
    tag: hash('sha1', body, 'base64url'),
    body,
    ends: new Uint32Array(0),
    cursor,
    forms: new Forms(),
  })
}

/** The slots that the searches of both interfaces share. */
export const createSearchSlots = () => createSlots(mostAtWork, mostWaiting, mostOfHouse)

/** `GET /lots/search` and `GET /items/search`. */
export const searchRoutes: FastifyPluginAsyncTypebox<Search> = async (app, search) => {
  serveSearch(app, { kind: 'lot', query: LotSearchQuery, shape: 'Lot' }, search)
  serveSearch(app, { kind: 'item', query: ItemSearchQuery, shape: 'Item' }, search)
}

/** Those of staff. */
export const staffSearchRoutes: FastifyPluginAsyncTypebox<Search> = async (app, search) => {
  serveSearch(app, { kind: 'lot', query: staffSearchQueries.lot, shape: 'StaffLot', staff: true }, search)
  serveSearch(app, { kind: 'item', query: staffSearchQueries.item, shape: 'Item', staff: true }, search)
}
