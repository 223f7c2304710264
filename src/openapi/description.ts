// The OpenAPI document is made from the schemas and `config` of the routes. description.ts has the answers of each
// operation. components.ts moves shared parts into components. Texts are in headers.ts, tags.ts and examples.ts.
import { Forms } from '../http/encoding/forms.ts'
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { Type, type TObject, type TSchema } from 'typebox'
import { fieldErrorCodes, reasons, type ProblemCode } from '../problems.ts'
import { Nullable } from '../values/shapes.ts'
import { isGuarded } from '../writes/preconditions.ts'
import { printEtag } from '../reads/conditional.ts'
import { noParameters, pairsOf, parseQuery } from '../http/query.ts'
import { isRehearsable, isWrite } from '../writes/writes.ts'
import '../http/types.ts'
import { createComponents } from './components.ts'
import { commonHeaders, requestHeadersOf, type ResponseHeader } from './headers.ts'
import type { Interface } from './interfaces.ts'

const reasonsOfProblems = reasons
  .map(([code, known]) => `\`${code}\`: ${known.map(([reason]) => `\`${reason}\``).join(', ')}`)
  .join('; ')

/** The problem document (section 7). */
export const ProblemDetails = Type.Object(
  {
    type: Type.String({ format: 'uri' }),
    title: Type.String(),
    status: Type.Integer(),
    instance: Type.String(),
    detail: Type.String(),
    reason: Type.Optional(
      Type.String({
        description: `The cause: the first that holds of ${reasonsOfProblems}. More may come, so accept others.`,
      }),
    ),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'How many lots of the session the reason is about; of a bulk write, how many conflicts there are.',
      }),
    ),
    conflicts: Type.Optional(
      Type.Array(
        Type.Object({
          record: Nullable(Type.String({ description: 'The id of the record that would have to change.' })),
          reason: Type.String(),
          detail: Type.String(),
          used_by: Type.Optional(
            Nullable(
              Type.Array(Type.String(), {
                maxItems: 10,
                description: 'Of `in_use`: ids of records that use it; null if the key may not read them.',
              }),
            ),
          ),
        }),
        {
          maxItems: 100,
          description: 'Of a bulk write: one entry for each record and reason that stands in the way, the first 100.',
        },
      ),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'A dotted path; "" for the whole body.' }),
          code: Type.Unsafe<string>({ type: 'string', enum: [...fieldErrorCodes] }),
          message: Type.String(),
          minimum: Type.Optional(
            Type.Object(
              { amount: Type.Integer(), currency: Type.String() },
              { description: 'The least amount, if a bid is too low.' },
            ),
          ),
          lot: Type.Optional(
            Type.String({ description: 'With `lots: "all"`: the id of the lot that the error is about.' }),
          ),
        }),
      ),
    ),
  },
  { $id: 'Problem' },
)

// The cursor of a list is `cursor`, that of the feed is `after`.
function isPaged({ schema }: RouteOptions): boolean {
  const { properties } = (schema?.querystring as TObject | undefined) ?? noParameters
  return 'cursor' in properties || 'after' in properties
}

function problemsOf(route: RouteOptions): ProblemCode[] {
  const { permissions = [], accepts, problems: own = [] } = route.config ?? {}
  return [
    'malformed-json',
    'invalid-parameter',
    ...(isPaged(route) ? (['invalid-cursor'] as const) : []),
    'unauthorized',
    ...(permissions.length > 0 ? (['missing-permission'] as const) : []),
    ...(route.url.includes(':') ? (['not-found'] as const) : []),
    ...(isGuarded(route) ? (['precondition-failed', 'precondition-required'] as const) : []),
    ...own,
    ...(isWrite(route.method) ? (['idempotency-key-in-use', 'idempotency-key-reused'] as const) : []),
    ...(accepts ? (['payload-too-large', 'unsupported-media-type'] as const) : []),
    'rate-limit-exceeded',
    'integrity-unavailable',
    'internal-error',
    'temporarily-unavailable',
  ]
}

type Components = ReturnType<typeof createComponents>

// The schema of a created record. A rehearsal answers with another one, because the record has no id yet.
function createdBy({ schema }: RouteOptions): string | undefined {
  const data = (schema?.response as Record<string, Answer> | undefined)?.[201]?.properties?.data
  return data?.$ref ?? data?.items?.$ref
}

function responseHeadersOf(status: string, route: RouteOptions): ResponseHeader[] {
  const isRehearsal = status === '200' && createdBy(route) !== undefined
  return [
    ...commonHeaders,
    ...(isWrite(route.method) && !isRehearsal ? (['Idempotent-Replayed'] as const) : []),
    ...(status === '200' && isRehearsable(route) ? (['Dry-Run'] as const) : []),
    ...((status === '200' || status === '201') && !isRehearsal && route.config?.guarded !== false
      ? (['ETag'] as const)
      : []),
    ...(status === '201' ? (['Location'] as const) : []),
    ...(isPaged(route) ? (['Link'] as const) : []),
    ...(route.schema?.headers && 'Prefer' in (route.schema.headers as TObject).properties
      ? (['Preference-Applied'] as const)
      : []),
  ]
}

// The answer to a rehearsal of a creation: the record without an id.
function rehearsalOf(name: string, shapes: TSchema[]): Record<string, unknown> {
  const known = shapes as { $id?: string; oneOf?: { $ref: string }[]; properties?: object }[]
  const { oneOf, ...shape } = known.find(({ $id }) => $id === name)!
  const $id = `${name}Rehearsal`
  if (oneOf) return { $id, oneOf: oneOf.map(({ $ref }) => rehearsalOf($ref, shapes)) }
  return { ...shape, $id, properties: { ...shape.properties, id: { type: 'null' } } }
}

type Answer = { $id?: string; properties?: { data: { $ref?: string; items?: { $ref: string } } } }

function answersOf(schema: FastifySchema, route: RouteOptions, shapes: TSchema[]): Record<string, Answer> {
  const answers = { ...(schema.response as Record<string, Answer> | undefined) }
  const created = createdBy(route)
  if (created === undefined || !isRehearsable(route)) return answers
  const record = rehearsalOf(created, shapes)
  const isList = answers[201]!.properties!.data.items !== undefined
  const data = isList ? { type: 'array', items: record } : record
  const $id = isList ? `${created}RehearsalList` : `${created}RehearsalResponse`
  const rehearsal = { $id, type: 'object', required: ['data'], properties: { data } }
  return { ...answers, 200: rehearsal }
}

function describe(
  schema: FastifySchema,
  route: RouteOptions,
  shapes: TSchema[],
  components: Components,
): FastifySchema {
  const { permissions = [], orPermission, expands = {}, facets = {}, filters = {}, accepts } = route.config ?? {}
  const success = Object.entries(answersOf(schema, route, shapes)).map(([status, body]) => [
    status,
    {
      description: status === '204' ? 'Done; there is no body.' : 'Success.',
      headers: Object.fromEntries(responseHeadersOf(status, route).map((name) => [name, {}])),
      ...(status === '204'
        ? { type: 'null' }
        : { content: { 'application/json': { schema: components.refer(body) } } }),
    },
  ])
  const or = orPermission === undefined ? '' : `, or ${orPermission} alone`
  const needs = permissions.length > 0 ? `Needs ${permissions.join(' and ')}${or}.` : 'Any valid key.'
  const values = (parameter: string, of: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(of).map(([value, also]): [string, readonly string[]] => [`${parameter}=${value}`, also])
  const expansions = [...values('expand[]', expands), ...values('facets[]', facets), ...Object.entries(filters)]
    .filter(([, also]) => also.length > 0)
    .map(([name, also]) => `\`${name}\` needs ${also.join(' and ')}.`)
    .join(' ')
  const { body, headers, ...rest } = schema as { body?: TSchema; headers?: TObject }
  const extensions = { 'x-permissions': [...permissions], 'x-problems': problemsOf(route) }
  return {
    ...rest,
    ...extensions,
    ...(body && { body: { content: { [accepts!]: { schema: components.refer(body) } } } }),
    headers: Type.Object({ ...requestHeadersOf(route), ...headers?.properties }),
    description: [schema.description, needs, expansions].filter(Boolean).join('\n\n'),
    response: Object.fromEntries(success),
  }
}

// Made once: printing and hashing half a megabyte takes longer than most requests.
function makeDocument(document: object) {
  const text = JSON.stringify(document)
  return { body: Buffer.from(text), etag: printEtag(text), forms: new Forms() }
}

/**
 * Serves the OpenAPI 3.1 document of an interface, made from the schemas of the routes below its prefix and the
 * `shapes` that these refer to.
 */
export async function describeInterface(
  app: FastifyInstance,
  { prefix, decorator, title, version, introduce, tags, shapes }: Interface & { shapes: TSchema[] },
): Promise<void> {
  const { publicUrl } = app.site
  const components = createComponents(shapes, publicUrl)
  await app.register(swagger, {
    decorator: decorator as 'swagger',
    openapi: {
      openapi: '3.1.0',
      info: { title, version, description: introduce(publicUrl) },
      servers: [{ url: publicUrl }],
      security: [{ key: [] }],
      tags,
      components: {
        securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key of one house.' } },
      },
    },
    transform: ({ schema, url, route }) => {
      if (!url.startsWith(prefix)) return { schema: { ...schema, hide: true }, url }
      return { schema: describe(schema ?? {}, route, shapes, components), url: url === `${prefix}/` ? prefix : url }
    },
    transformObject: (made) => components.share((made as { openapiObject: never }).openapiObject) as never,
  })
  let made: { body: Buffer; etag: string; forms: Forms } | undefined
  app.get(`${prefix}/openapi.json`, { schema: { hide: true } }, (request, reply) => {
    parseQuery(noParameters, pairsOf(request.url))
    made ??= makeDocument((app as unknown as Record<string, () => object>)[decorator]!())
    reply.forms = made.forms
    return reply.type('application/json').header('etag', made.etag).send(made.body)
  })
}
