import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { LogController, type FastifyBaseLogger } from 'fastify'
import { auctionRoutes } from './auctions/routes.ts'
import { Auction } from './auctions/schema.ts'
import { changeRoutes } from './changes/routes.ts'
import { Change } from './changes/schema.ts'
import { createWaitingRoom } from './changes/waiting-room.ts'
import { isMigrated } from './db/schema/migrate.ts'
import type { Connection, Database } from './db/pool.ts'
import { shareRuns } from './db/shared.ts'
import { findKeysByHash } from './houses/api-keys.ts'
import { createAnswerCache } from './reads/cache.ts'
import { createAuthenticator } from './http/access/authentication.ts'
import { createTakeTurn } from './http/server/callers.ts'
import { Discovery, discoveryRoutes } from './openapi/discovery.ts'
import { answerConditionally } from './reads/conditional.ts'
import { installWrites } from './writes/writes.ts'
import { installKernel, refuseUnknownRoutes } from './http/checks.ts'
import { troubleRequests, type Dice } from './http/server/faults.ts'
import { repeatsHeader } from './http/headers.ts'
import { refuseOverload } from './http/server/overload.ts'
import { createHttpServer, tooManyChunks, type Timeouts } from './http/server/http-server.ts'
import { readTrace } from './http/server/trace.ts'
import { installOpenApi, ProblemDetails } from './openapi/description.ts'
import { serveProblemPages } from './openapi/problem-pages.ts'
import { createRateLimiter, type WindowStore } from './http/access/rate-limit.ts'
import { holdOpenSlots } from './http/server/slots.ts'
import { createProblemHandler, printProblem } from './http/errors.ts'
import { imageRoutes } from './images/routes.ts'
import { ManagedImage } from './images/schema.ts'
import { itemRoutes } from './items/routes.ts'
import { Estimate, GalleryImage, Item, Translation } from './items/schema.ts'
import { lotRoutes } from './lots/routes.ts'
import { Lot } from './lots/schema.ts'
import { mediaRoutes } from './media/routes.ts'
import type { MediaStore } from './media/store.ts'
import type { Keyrings } from './secret.ts'
import type { Metrics } from './metrics.ts'
import { Problem, temporarilyUnavailable } from './problems.ts'
import { referenceRoutes } from './references/routes.ts'
import { Category, Consignment, DeliveryClass, IncrementStrategy, Maker, Seller } from './references/schema.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { LiveSession, LiveSessionCreate, Session, TimedSession, TimedSessionCreate } from './sessions/schema.ts'
import { Money } from './values/shapes.ts'
import type { WindowFiles } from './window/files.ts'
import { windowRoutes } from './window/routes.ts'

const shapes = [
  Money,
  ProblemDetails,
  Discovery,
  Auction,
  TimedSession,
  LiveSession,
  Session,
  TimedSessionCreate,
  LiveSessionCreate,
  Translation,
  Estimate,
  GalleryImage,
  Item,
  ManagedImage,
  Lot,
  Seller,
  Category,
  Maker,
  DeliveryClass,
  IncrementStrategy,
  Consignment,
  Change,
]

/** The parts and settings of the HTTP service. */
export type AppOptions = {
  db: Database
  keyrings: Keyrings
  publicUrl: string
  media: MediaStore
  /** `DATA_DIR` of a file store, whose files are then served under `/media`. Any other store serves its own files. */
  dataDir?: string
  rateLimitPerMinute: number
  /** The most bytes of the response cache; 0 switches it off. */
  cacheBytes: number
  windows: WindowStore
  /** The page at `/`. Default: none. */
  window?: WindowFiles | undefined
  logger: FastifyBaseLogger
  /**
   * How to reach the database, to listen for changes. Without it, requests that wait for changes poll every few
   * seconds.
   */
  connection?: Connection
  /** The database for `/readyz`, on a connection of its own. Default: `db`. */
  probe?: Database
  metrics?: Pick<Metrics, 'countRequest' | 'countCacheUse'> | undefined
  timeouts?: Timeouts
  /** Adds network faults on purpose. */
  faults?: Dice | undefined
}

const mostKeysTogether = 100

// A picture of 50 MiB may come over a slow line. The connection is silent while the picture goes to the store.
const defaultTimeouts: Timeouts = { headers: 60_000, request: 300_000, body: 10_000, idle: 120_000 }

// A path with invalid percent-encoding or a fragment is an unknown path. Escaped, it passes the same checks as any other.
function mendUrl(url: string): string {
  if (!/[%#]/.test(url)) return url
  const [path, ...query] = url.split('?')
  const unbroken = path!.replaceAll('#', '%23')
  try {
    decodeURI(unbroken)
    return [unbroken, ...query].join('?')
  } catch {
    return [unbroken.replaceAll('%', '%25'), ...query].join('?')
  }
}

// A client may send an absolute URL, as to a proxy. Answers must not repeat its host.
function stripOrigin(url: string): string {
  if (url.startsWith('/')) return url
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  return path === url || path.startsWith('/') ? path : `/${path}`
}

function toParserProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem('payload-too-large', 'The headers are larger than 16 KiB.', { status: 431 })
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('malformed-json', 'The request did not arrive in time.', { status: 408 })
  }
  if (code === tooManyChunks) {
    return new Problem('malformed-json', 'The body comes in too many small chunks; send it in larger ones.')
  }
  return new Problem('malformed-json', 'The request is not valid HTTP/1.1.')
}

// A request that the HTTP parser refuses never reaches a route. The client still gets a problem document.
function createClientErrorHandler(publicUrl: string) {
  return (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    const problem = toParserProblem(error.code)
    const body = printProblem(problem, publicUrl, '/')
    const head = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`
    const headers = `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\nRequest-Id: ${randomUUID()}`
    return socket.end(`${head}\r\n${headers}\r\n\r\n${body}`)
  }
}

// Calls during a run, and in the second after it, share its result or its error.
function shareForASecond<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let ended = -Infinity
  let last: Promise<Result>
  return () => {
    if (performance.now() - ended < 1_000) return last
    ended = Infinity
    last = work().finally(() => (ended = performance.now()))
    return last
  }
}

/** Creates the HTTP service: every plugin and every resource, in order. It does not listen yet. */
export async function createApp(options: AppOptions) {
  const { db, probe = db, keyrings, publicUrl, media, dataDir, timeouts = defaultTimeouts, faults } = options
  const findKey = shareRuns((hashes: Buffer[]) => findKeysByHash(db, hashes, new Date()), mostKeysTogether)
  const { authenticate, nameKey } = createAuthenticator((hash) => findKey(hash.toString('base64'), hash))
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    childLoggerFactory(logger, bindings, options, { headers }) {
      const trace = readTrace(headers)
      return logger.child(trace === undefined ? bindings : { ...bindings, trace }, options)
    },
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: 1024 * 1024,
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl(request) {
      const url = stripOrigin(request.url ?? '/')
      Object.assign(request, { originalUrl: url })
      return mendUrl(url)
    },
    clientErrorHandler: createClientErrorHandler(publicUrl),
    frameworkErrors: createProblemHandler(publicUrl),
    return503OnClosing: false,
    serverFactory: (handle) =>
      createHttpServer(
        faults ? troubleRequests(handle, faults, publicUrl, options.logger) : handle,
        timeouts,
        createTakeTurn(nameKey),
      ),
  })
  app.decorate('site', {
    db,
    keyrings,
    publicUrl,
    media,
    answers: createAnswerCache(options.cacheBytes, options.metrics?.countCacheUse),
  })
  app.setErrorHandler(createProblemHandler(publicUrl))
  const refuseUnknown = refuseUnknownRoutes(app)
  // Node would refuse an unknown Expect header, which is harmless, and a missing Host header without a problem
  // document.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', async (request, reply) => {
    reply.header('request-id', request.id).header('x-content-type-options', 'nosniff')
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw new Problem('malformed-json', 'The request has no Host header.')
    }
    if (repeatsHeader(request, 'host')) throw new Problem('malformed-json', 'The request has two Host headers.')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, routeOptions } = request
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    const key = request.credentials?.key
    request.log.info(
      { method, path: url.split('?', 1)[0], route: routeOptions.url, status: reply.statusCode, milliseconds, key },
      'request',
    )
    options.metrics?.countRequest(method, routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000)
  })

  await refuseOverload(app)
  holdOpenSlots(app)
  await installOpenApi(app, shapes)
  serveProblemPages(app)
  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'up' }))
  const checkReadiness = shareForASecond(() => isMigrated(probe))
  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (!(await checkReadiness())) throw temporarilyUnavailable('The schema is not up to date.', 5)
    return { status: 'ready' }
  })

  if (options.window) {
    await app.register(windowRoutes, { files: options.window, mediaOrigin: new URL(media.publicBase).origin })
  }
  if (dataDir !== undefined)
    await app.register(mediaRoutes, { dataDir, keyring: keyrings.addresses, now: () => new Date() })
  await app.register(
    async (api) => {
      const countRequest = await createRateLimiter(api, options.rateLimitPerMinute, options.windows)
      installWrites(api)
      installKernel(api, { authenticate, countRequest, refuseUnknown, bodyMilliseconds: timeouts.body })
      api.addHook('onSend', answerConditionally)
      await api.register(discoveryRoutes)
      await api.register(auctionRoutes)
      await api.register(sessionRoutes)
      await api.register(lotRoutes)
      await api.register(itemRoutes)
      await api.register(imageRoutes)
      await api.register(referenceRoutes)
      await api.register(changeRoutes, { room: createWaitingRoom(options.connection), authenticate })
    },
    { prefix: '/api/v2' },
  )
  return app
}
