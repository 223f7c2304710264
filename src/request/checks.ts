import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { TObject } from 'typebox'
import type { Permission } from '../context.ts'
import { Problem } from '../problems.ts'
import { shortenPath } from '../values/text.ts'
import { requirePermissions, type Credentials } from './authentication.ts'
import { hasBody, useStrictJson } from './bodies.ts'
import { answerConditionally } from '../response/conditional.ts'
import { noParameters, parseQuery, queryOf, splitQuery } from './query.ts'
import { createSlots, freeSlot, takeSlot, type Slots } from './slots.ts'
import './types.ts'

function permissionsOfExpansions(request: FastifyRequest): Permission[] {
  const { expands = {} } = request.routeOptions.config
  try {
    const names = splitQuery(queryOf(request.url)).flatMap(([name, value]) => (name === 'expand[]' ? [value] : []))
    return names.flatMap((name) => (Object.hasOwn(expands, name) ? expands[name]! : []))
  } catch {
    // A query that can't be split is refused in its turn, after the permissions of the operation itself.
    return []
  }
}

async function checkRequest(request: FastifyRequest): Promise<void> {
  const { permissions = [], accepts } = request.routeOptions.config
  requirePermissions(request.credentials, [...permissions, ...permissionsOfExpansions(request)])
  const schema = (request.routeOptions.schema?.querystring as TObject | undefined) ?? noParameters
  request.query = parseQuery(schema, queryOf(request.url))
  if (accepts !== undefined) return
  if (hasBody(request)) throw new Problem('malformed-json', `${request.method} takes no body here.`)
  // Of which type the body would be that does not come is nothing to be refused.
  delete request.raw.headers['content-type']
}

// Twice the connections to the database are at work. As many wait as a key may ask for in a minute, if at one moment.
// An upload is at work while its body comes in: for minutes, and with disk.
const mostAtWork = 40
const mostWaiting = 300
const mostUploads = 20

// A request has a slot while something is done for it: not while its body comes in, nor while its answer is read.
function holdSlots(app: FastifyInstance, requests: Slots): void {
  const uploads = createSlots(mostUploads, mostUploads)
  app.decorateRequest('freeSlot')
  app.addHook('onRequest', (request) => takeSlot(request, requests))
  app.addHook('preParsing', async (request) => {
    if (hasBody(request)) freeSlot(request)
  })
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.accepts === 'multipart/form-data') await takeSlot(request, uploads)
  })
  app.addHook('onSend', async (request) => freeSlot(request))
}

async function requireBody(request: FastifyRequest): Promise<void> {
  if (request.body instanceof Error) throw request.body
  if (request.routeOptions.config.accepts === 'application/json' && request.body === undefined) {
    throw new Problem('malformed-json', 'The request has no body.')
  }
}

/** Whether a request has a header twice, of which the framework shows the first alone. */
export function repeatsHeader({ raw }: FastifyRequest, name: string): boolean {
  return raw.rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === name).length > 1
}

// Which methods the known paths take, to tell 405 from 404.
function collectMethods(app: FastifyInstance) {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', (route: RouteOptions) => {
    const source = route.url.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+')
    const known = routes.get(source) ?? { pattern: new RegExp(`^${source}$`), methods: new Set() }
    routes.set(source, known)
    for (const method of [route.method].flat()) known.methods.add(method)
    // Of the same route with a trailing slash the framework announces HEAD alone, which there is only beside GET.
    if (known.methods.has('HEAD')) known.methods.add('GET')
  })
  return (path: string) => {
    const methods = [...routes.values()].filter((each) => each.pattern.test(path)).flatMap((each) => [...each.methods])
    return [...new Set(methods)].toSorted()
  }
}

/**
 * Refuses what no route takes, before its body is looked at: 404, or for a path with other methods 405 with `Allow`.
 * Routes are known when they are registered after this. The function it gives is for scopes with hooks of their own.
 */
export function refuseUnknownRoutes(app: FastifyInstance): (request: FastifyRequest) => never {
  const methodsOf = collectMethods(app)
  function refuse(request: FastifyRequest): never {
    const path = request.originalUrl.split('?', 1)[0]!
    const methods = methodsOf(path)
    const shown = shortenPath(path)
    // A folder's route takes the paths of files that it does not hold.
    if (methods.length === 0 || methods.includes(request.method))
      throw new Problem('not-found', `There is nothing at ${shown}.`)
    throw new Problem('method-not-allowed', `${shown} does not take ${request.method}.`, {
      headers: { allow: methods.join(', ') },
    })
  }
  app.setNotFoundHandler(refuse)
  app.addHook('preParsing', async (request) => {
    if (request.is404) refuse(request)
  })
  return refuse
}

/**
 * What every operation of the interface has in common, in the order of its checks: the key (401), the rate limit
 * (429), the route (404, 405), permissions (403), the query (400), the body's type, size and syntax (415, 413, 400).
 * Routes registered on `app` after this state the rest in their `config` and `schema`.
 */
export function installKernel(
  app: FastifyInstance,
  options: {
    authenticate: (header: string | undefined) => Promise<Credentials>
    countRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
    refuseUnknown: (request: FastifyRequest) => never
    bodyMilliseconds: number
  },
): void {
  const requests = createSlots(mostAtWork, mostWaiting)
  app.decorateRequest('credentials')
  useStrictJson(app, requests, options.bodyMilliseconds)
  // Queries and bodies are checked by their schemas in the order above, not in the framework's.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)

  app.addHook('onRequest', async (request) => {
    // Of two keys nobody can say which one counts.
    const header = repeatsHeader(request, 'authorization') ? '' : request.headers.authorization
    request.credentials = await options.authenticate(header)
  })
  // Counted first, so that what is refused for want of a slot says what the key has left, too.
  app.addHook('onRequest', options.countRequest)
  holdSlots(app, requests)
  app.addHook('onRoute', (route: RouteOptions) => {
    route.onRequest = [checkRequest, ...[route.onRequest ?? []].flat()]
    route.preHandler = [requireBody, ...[route.preHandler ?? []].flat()]
  })
  app.addHook('onSend', answerConditionally)
  // Unknown paths go through the hooks of this scope only when it has a handler for them.
  app.setNotFoundHandler(options.refuseUnknown)
}
