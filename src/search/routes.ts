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
import { mostMatches } from './plan.ts'
import type { Place, SearchedKind, Sorting } from './queries.ts'
import { ItemSearchQuery, LotSearchQuery, searchPage, staffSearchQueries } from './schema.ts'
import { search, type Found } from './search.ts'
import { printTaken, readTaken, takenFormat, type Taken } from './taken.ts'

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

// At work in this process: four, and two of one house. The others wait without a connection.
const mostAtWork = 4
const mostOfHouse = 2
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

// The facets of a page may differ from those of the page before.
function scopeOf(request: FastifyRequest, { house }: ServedContext): CursorScope {
  const { limit: _, cursor: __, 'expand[]': ___, 'facets[]': ____, ...filters } = request.query as SearchQuery
  const kept = { ...filters, ...(filters.q !== undefined && { taken: takenFormat }) }
  return { house: house.id, generation: house.generation, path: printPath(request), filters: kept }
}

type Walk = { after: Place | undefined; taken: Taken | undefined }

function walkOf(request: FastifyRequest, scope: CursorScope): Walk {
  const { cursor } = request.query as SearchQuery
  if (cursor === undefined) return { after: undefined, taken: undefined }
  const position = parseCursor(request.server.site.keyrings.cursors, scope, cursor)
  if (!position) throw new Problem('invalid-cursor', 'The cursor was not issued for this search.')
  const [rank, place] = JSON.parse(position.sort) as [string | null, string]
  const taken = position.tie === undefined ? undefined : readTaken(position.tie)
  return { after: { rank, place, id: position.id }, taken }
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

function printEnd(found: Found, cursor: string | undefined): string {
  const { count, facets, taken, isRelaxed, isComplete } = found
  const corrected = taken?.corrected ?? {}
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

/** A search to serve. `staff`: for staff, with their filters and documents. */
type Served = { kind: SearchedKind; query: TObject; shape: string; staff?: true }

function serveSearch(
  app: Parameters<FastifyPluginAsyncTypebox>[0],
  { kind, query, shape, staff }: Served,
  slots: Slots,
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
        return await answer(request, reply, kind)
      } finally {
        free()
      }
    },
  )
}

async function answer(request: FastifyRequest, reply: FastifyReply, kind: SearchedKind): Promise<FastifyReply> {
  const context = contextOf(request)
  const asked = request.query as SearchQuery
  const { q, limit, cursor: _, sort: __, 'facets[]': facets = [], 'expand[]': expand = [], ...filters } = asked
  const scope = scopeOf(request, context)
  const sorting = sortingOf(asked)
  const categories = request.credentials.permissions.includes('categories.read')
  const walk = walkOf(request, scope)
  const found = await search(context, { kind, q, filters, sorting, facets, limit, categories, ...walk })
  const page = found.page.slice(0, limit)
  const last = found.page.length > limit ? page.at(-1) : undefined
  const cursor =
    last &&
    printCursor(context.cursors, scope, {
      sort: JSON.stringify([last.rank, last.place]),
      id: last.id,
      ...(found.taken && { tie: printTaken(found.taken) }),
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
  })
}

/** The slots that the searches of both interfaces share. */
export const createSearchSlots = () => createSlots(mostAtWork, mostWaiting, mostOfHouse)

/** `GET /lots/search` and `GET /items/search`. */
export const searchRoutes: FastifyPluginAsyncTypebox<{ slots: Slots }> = async (app, { slots }) => {
  serveSearch(app, { kind: 'lot', query: LotSearchQuery, shape: 'Lot' }, slots)
  serveSearch(app, { kind: 'item', query: ItemSearchQuery, shape: 'Item' }, slots)
}

/** Those of staff. */
export const staffSearchRoutes: FastifyPluginAsyncTypebox<{ slots: Slots }> = async (app, { slots }) => {
  serveSearch(app, { kind: 'lot', query: staffSearchQueries.lot, shape: 'StaffLot', staff: true }, slots)
  serveSearch(app, { kind: 'item', query: staffSearchQueries.item, shape: 'Item', staff: true }, slots)
}
