import { randomUUID } from 'node:crypto'
import fastify, { LogController, type FastifyBaseLogger, type FastifyRequest } from 'fastify'
import { Problem } from '../../problems.ts'
import { createProblemHandler } from '../errors.ts'
import { repeatsHeader } from '../headers.ts'
import { createTakeTurn } from './callers.ts'
import { troubleRequests, type Dice } from './faults.ts'
import { createHttpServer, type Timeouts } from './http-server.ts'
import { createClientErrorHandler } from './parser-errors.ts'
import { readTrace } from './trace.ts'
import { rewriteUrl } from './urls.ts'
import '../types.ts'

/** A picture of 50 MiB may come over a slow line. The connection is silent while the picture goes to the store. */
export const defaultTimeouts: Timeouts = { headers: 60_000, request: 300_000, body: 10_000, idle: 120_000 }

type FrameworkOptions = {
  publicUrl: string
  logger: FastifyBaseLogger
  timeouts?: Timeouts
  /** Adds network faults on purpose. */
  faults?: Dice | undefined
  /** Called for each answer. `seconds`: how long it took. */
  metrics?: { countRequest(method: string, route: string, status: number, seconds: number): void } | undefined
}

async function checkHost(request: FastifyRequest): Promise<void> {
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
    throw new Problem('malformed-json', 'The request has no Host header.')
  if (repeatsHeader(request, 'host')) throw new Problem('malformed-json', 'The request has two Host headers.')
}

/**
 * Creates the framework's instance: its server, its log, ids of requests, and problems in place of its own errors. `nameKey`
 * names the key of an `Authorization` header, if it is known.
 */
export function createFramework(options: FrameworkOptions & { nameKey: Parameters<typeof createTakeTurn>[0] }) {
  const { publicUrl, logger, timeouts = defaultTimeouts, faults, metrics, nameKey } = options
  const app = fastify({
    loggerInstance: logger,
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
      const { routed, original } = rewriteUrl(request.url ?? '/')
      Object.assign(request, { originalUrl: original })
      return routed
    },
    clientErrorHandler: createClientErrorHandler(publicUrl),
    frameworkErrors: createProblemHandler(publicUrl),
    return503OnClosing: false,
    serverFactory: (handle) =>
      createHttpServer(
        faults ? troubleRequests(handle, faults, publicUrl, logger) : handle,
        timeouts,
        createTakeTurn(nameKey),
      ),
  })
  app.setErrorHandler(createProblemHandler(publicUrl))
  // Node would refuse an unknown Expect header, which is harmless, and a missing Host header without a problem document.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', async (request, reply) => {
    reply.header('request-id', request.id).header('x-content-type-options', 'nosniff')
    await checkHost(request)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, routeOptions } = request
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    const key = request.credentials?.key
    request.log.info(
      { method, path: url.split('?', 1)[0], route: routeOptions.url, status: reply.statusCode, milliseconds, key },
      'request',
    )
    metrics?.countRequest(method, routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000)
  })
  return app
}
