import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { fieldErrorCodes, problems, type ProblemCode } from '../problems.ts'
import { answerConditionally, printEtag } from '../response/conditional.ts'
import { noParameters, parseQuery, queryOf } from '../request/query.ts'
import '../request/types.ts'

/** The problem document (section 7). */
export const ProblemDetails = Type.Object(
  {
    type: Type.String({ format: 'uri' }),
    title: Type.String(),
    status: Type.Integer(),
    instance: Type.String(),
    detail: Type.String(),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'A dotted path; "" for the whole body.' }),
          code: Type.Unsafe<string>({ type: 'string', enum: [...fieldErrorCodes] }),
          message: Type.String(),
        }),
      ),
    ),
  },
  { $id: 'Problem' },
)

const integer = { type: 'integer' }
const text = { type: 'string' }
const rateHeaders = {
  'RateLimit-Limit': { ...integer, description: 'Requests that the key may make in a minute.' },
  'RateLimit-Remaining': { ...integer, description: 'Requests that are left in this window.' },
  'RateLimit-Reset': { ...integer, description: 'Seconds until the window restarts.' },
}
const requestId = { 'Request-Id': { ...text, description: 'Names the request in the logs of the service.' } }
const notModified = {
  description: 'It is still what the ETag in If-None-Match stands for.',
  headers: { ...requestId, ...rateHeaders, ETag: text },
}
const headersOf: Partial<Record<number, object>> = {
  401: { 'WWW-Authenticate': text },
  403: { 'WWW-Authenticate': text, ...rateHeaders },
  405: { Allow: text, ...rateHeaders },
  429: { 'Retry-After': { ...integer, description: 'Seconds to wait.' }, ...rateHeaders },
  503: { 'Retry-After': { ...integer, description: 'Seconds to wait.' } },
}

function describeRefusal(status: string, description: string): object {
  return {
    description,
    headers: { ...requestId, ...(headersOf[Number(status)] ?? rateHeaders) },
    content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
  }
}

function describeProblems(codes: ProblemCode[]): Record<string, object> {
  const byStatus = Object.groupBy(codes, (code) => String(problems[code].status))
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, of]) => [
      status,
      describeRefusal(status, of!.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' ')),
    ]),
  )
}

function problemsOf(route: RouteOptions): ProblemCode[] {
  const { permissions = [], accepts, problems: own = [] } = route.config ?? {}
  return [
    'malformed-json',
    'invalid-parameter',
    ...(JSON.stringify(route.schema?.querystring ?? {}).includes('next_cursor') ? (['invalid-cursor'] as const) : []),
    'unauthorized',
    ...(permissions.length > 0 ? (['missing-permission'] as const) : []),
    ...(route.url.includes(':') ? (['not-found'] as const) : []),
    ...own,
    ...(accepts ? (['payload-too-large', 'unsupported-media-type'] as const) : []),
    'rate-limit-exceeded',
    'integrity-unavailable',
    'internal-error',
    'temporarily-unavailable',
  ]
}

function describe(schema: FastifySchema, route: RouteOptions): FastifySchema {
  const { permissions = [], expands = {} } = route.config ?? {}
  const success = Object.entries((schema.response ?? {}) as Record<string, { type?: string; properties?: object }>).map(
    ([status, body]) => [
      status,
      {
        description: status === '204' ? 'Done; there is no body.' : 'Success.',
        headers: {
          ...requestId,
          ...rateHeaders,
          ...(status === '200' && route.method === 'GET' && { ETag: text }),
          ...(status === '201' && { Location: { ...text, description: 'The path of the new record.' } }),
          ...(body.properties &&
            'has_more' in body.properties && {
              Link: { ...text, description: 'rel="next"; absent on the last page.' },
            }),
        },
        ...(status === '204' ? { type: 'null' } : { content: { 'application/json': { schema: body } } }),
      },
    ],
  )
  const needs = permissions.length > 0 ? `Needs ${permissions.join(' and ')}.` : 'Any valid key.'
  const expansions = Object.entries(expands)
    .map(([name, also]) => `\`expand[]=${name}\` needs ${also.join(' and ')}.`)
    .join(' ')
  const description = [schema.description, needs, expansions].filter(Boolean).join('\n\n')
  const { response: _, ...rest } = schema
  const extensions = { 'x-permissions': [...permissions] }
  return {
    ...rest,
    ...extensions,
    description,
    response: {
      ...Object.fromEntries(success),
      ...(route.method === 'GET' && { 304: notModified }),
      ...describeProblems(problemsOf(route)),
      ...(route.config?.accepts && {
        408: describeRefusal('408', '`malformed-json`: The body did not arrive in time. The connection is closed.'),
      }),
    },
  }
}

// Half a megabyte: printing and hashing it takes longer than most requests.
function makeDocument(app: FastifyInstance) {
  const text = JSON.stringify(app.swagger())
  return { body: Buffer.from(text), etag: printEtag(text) }
}

/** Serves the OpenAPI 3.1 document (/api/v2/openapi.json) and its page (/docs), made from the schemas of the routes. */
export async function installOpenApi(app: FastifyInstance): Promise<void> {
  const { publicUrl } = app.site
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Auction catalogue',
        version: '2',
        description:
          'The catalogue of one auction house: auctions contain sessions, sessions hold numbered lots, a lot offers an item, an item carries images. The API key names the house, and every answer is scoped to it. A JSON body of which nothing arrives for ten seconds is answered with 408 and the type malformed-json, and the connection is closed.',
      },
      servers: [{ url: publicUrl }],
      security: [{ key: [] }],
      components: {
        securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key of one house.' } },
      },
    },
    refResolver: { buildLocalReference: (json) => json.$id as string },
    transform: ({ schema, url, route }) => {
      if (!url.startsWith('/api/v2')) return { schema: { ...schema, hide: true }, url }
      return { schema: describe(schema ?? {}, route), url: url === '/api/v2/' ? '/api/v2' : url }
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', layout: 'BaseLayout' },
    // No upgrade-insecure-requests: it breaks the page on a service without HTTPS.
    staticCSP:
      "default-src 'self'; base-uri 'self'; font-src 'self' data:; frame-ancestors 'none'; img-src 'self' data:; object-src 'none'",
  })
  let made: { body: Buffer; etag: string } | undefined
  app.get('/api/v2/openapi.json', { schema: { hide: true }, onSend: answerConditionally }, (request, reply) => {
    parseQuery(noParameters, queryOf(request.url))
    made ??= makeDocument(app)
    return reply.type('application/json').header('etag', made.etag).send(made.body)
  })
}
