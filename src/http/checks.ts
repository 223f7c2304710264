import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { TObject } from 'typebox'
import type { Permission } from '../context.ts'
import { Problem } from '../problems.ts'
import { shortenPath } from '../values/text.ts'
import { requirePermissions, type Credentials } from './access/authentication.ts'
import { repeatsHeader } from './headers.ts'
import { hasBody, useStrictJson } from './body/json.ts'
import { noParameters, pairsOf, parseQuery, type QueryPairs } from './query.ts'
import { createSlots, freeSlot, takeSlot, type Slots } from './server/slots.ts'
import { noteRequest } from '../values/traffic.ts'
import './types.ts'

function permissionsOfQuery(request: FastifyRequest, pairs: QueryPairs): readonly Permission[] {
  const { expands = {}, types, facets, filters = {} } = request.routeOptions.config
  const needs: Record<string, FastifyContextConfig['expands']> = {
    'expand[]': expands,
    'types[]': types,
    'facets[]': facets,
  }
  const needed = pairs.flatMap(([name, value]) => {
    if (Object.hasOwn(filters, name)) return filters[name]!
    const values = Object.hasOwn(needs, name) ? needs[name] : undefined
    return values && Object.hasOwn(values, value) ? values[value]! : []
  })
  const possible = types && !pairs.some(([name]) => name === 'types[]') ? Object.values(types) : []
  const { permissions } = request.credentials
  return possible.flat().some((each) => permissions.includes(each)) ? needed : [...(possible[0] ?? []), ...needed]
}

async function checkRequest(request: FastifyRequest): Promise<void> {
  const { permissions: listed = [], orPermission } = request.routeOptions.config
  const isEnough = orPermission !== undefined && request.credentials.permissions.includes(orPermission)
  const permissions = isEnough ? [] : listed
  const pairs = pairsOf(request.url)
  requirePermissions(request.credentials, [...permissions, ...permissionsOfQuery(request, pairs ?? [])])
  const schema = (request.routeOptions.schema?.querystring as TObject | undefined) ?? noParameters
  request.query = parseQuery(schema, pairs)
}

async function refuseBody(request: FastifyRequest): Promise<void> {
  if (request.routeOptions.config.accepts !== undefined) return
  if (hasBody(request)) throw new Problem('malformed-json', `${request.method} takes no body here.`)
  // There is no body, so its type does not matter, and the framework must not refuse it.
  delete request.raw.headers['content-type']
}

// At work: twice the database connections. Waiting: the requests that a key may make in a minute, all at one moment.
// Uploads have a limit of their own, because their bodies take minutes and disk space.
const mostAtWork = 40
const mostWaiting = 300
const mostUploads = 20

// A request has a slot while the service works on it, not while its body arrives or the client reads its answer.
function holdSlots(app: FastifyInstance, requests: Slots): void {
  const uploads = createSlots(mostUploads, mostUploads)
  app.addHook('onRequest', (request) => takeSlot(request, requests))
  app.addHook('onRoute', (route: RouteOptions) => {
    const accepts = route.config?.accepts
    if (accepts !== undefined) route.preParsing = async (request) => freeSlot(request)
    if (accepts === 'multipart/form-data') route.preHandler = (request) => takeSlot(request, uploads)
  })
}

async function requireBody(request: FastifyRequest): Promise<void> {
  if (request.body instanceof Error) throw request.body
  if (request.routeOptions.config.accepts === 'application/json' && request.body === undefined) {
    throw new Problem('malformed-json', 'The request has no body.')
  }
}

// Collects the methods of each known path, to tell 405 from 404.
function collectMethods(app: FastifyInstance) {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', (route: RouteOptions) => {
    const source = route.url.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+')
    const known = routes.get(source) ?? { pattern: new RegExp(`^${source}$`), methods: new Set() }
    routes.set(source, known)
    for (const method of [route.method].flat()) known.methods.add(method)
    // For a route with a trailing slash the framework announces only HEAD, but GET exists too.
    if (known.methods.has('HEAD')) known.methods.add('GET')
  })
  const findOwn = (path: string) => routes.get(path.replaceAll('.', '\\.'))
  const methodsOf = (path: string) => {
    const own = findOwn(path)
    const found = own ? [own] : [...routes.values()].filter((each) => each.pattern.test(path))
    return [...new Set(found.flatMap((each) => [...each.methods]))].toSorted()
  }
  return { methodsOf, hasOwn: (path: string) => findOwn(path) !== undefined }
}

const pathOf = ({ originalUrl }: FastifyRequest) => originalUrl.split('?', 1)[0]!

/**
 * Refuses requests that no route takes, before their body is read: 404, or 405 with `Allow` if the path has other
 * methods. Register routes after this call. Scopes with hooks of their own call `refuse` for unknown paths, and for all
 * others `refuseMethod`: `/lots/search` is no lot, and `/lots/` is no lot with an empty id.
 */
export function refuseUnknownRoutes(app: FastifyInstance) {
  const { methodsOf, hasOwn } = collectMethods(app)
  function refuse(request: FastifyRequest): never {
    const path = pathOf(request)
    const methods = methodsOf(path)
    const shown = shortenPath(path)
    // The route of a folder also matches paths of missing files.
    if (methods.length === 0 || methods.includes(request.method)) {
      const isLonger = path.endsWith('/') && methodsOf(path.replace(/\/+$/, '')).length > 0
      const why = isLonger ? ': the path ends in "/". Leave that out.' : '.'
      throw new Problem('not-found', `There is nothing at ${shown}${why}`)
    }
    throw new Problem('method-not-allowed', `${shown} does not take ${request.method}.`, {
      headers: { allow: methods.join(', ') },
    })
  }
  app.setNotFoundHandler(refuse)
  app.addHook('preParsing', async (request) => {
    if (request.is404) refuse(request)
  })
  function refuseMethod(request: FastifyRequest): void {
    const path = pathOf(request)
    if (request.routeOptions.url?.includes(':') && (hasOwn(path) || path.endsWith('/'))) refuse(request)
  }
  return { refuse, refuseMethod }
}

/**
 * Installs the checks that all operations share, in this order: key (401), rate limit (429), route (404, 405),
 * permissions (403), query (400), type, size and syntax of the body (415, 413, 400). Routes registered on `app` after
 * this call declare their part in `config` and `schema`.
 */
export function installChecks(
  app: FastifyInstance,
  options: {
    authenticate: (header: string | undefined) => Promise<Credentials>
    countRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
    refuseMethod: (request: FastifyRequest) => void
    bodyMilliseconds: number
  },
): void {
  const requests = createSlots(mostAtWork, mostWaiting)
  app.decorateRequest('credentials')
  useStrictJson(app, requests, options.bodyMilliseconds)
  // The hooks above validate queries and bodies in the specified order, so the framework must not.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)

  app.addHook('onRequest', async (request) => {
    // With two Authorization headers neither counts.
    const header = repeatsHeader(request, 'authorization') ? '' : request.headers.authorization
    request.credentials = await options.authenticate(header)
    noteRequest()
  })
  // Counted before slots, so that a refusal in overload also has the rate headers.
  app.addHook('onRequest', options.countRequest)
  holdSlots(app, requests)
  app.addHook('onRequest', async (request) => options.refuseMethod(request))
  app.addHook('onRoute', (route: RouteOptions) => {
    route.onRequest = [checkRequest, ...[route.onRequest ?? []].flat(), refuseBody]
    if (route.config?.accepts !== undefined) route.preHandler = [...[route.preHandler ?? []].flat(), requireBody]
  })
}
