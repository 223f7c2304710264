import type { FastifyContextConfig } from 'fastify'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static, type TObject, type TSchema } from 'typebox'
import type { Permission, Written } from '../context.ts'
import { requirePermissions } from '../http/access/authentication.ts'
import { parseBody, type Fields } from '../http/body/validation.ts'
import { idsOfPath } from '../http/path.ts'
import type { FieldError } from '../problems.ts'
import { contextOf, type ServedContext } from '../reads/context.ts'
import { IdParameters } from '../values/shapes.ts'
import { sendWritten } from './writes.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** What a rule gets of a request: the UUIDs of its path by their names, the checked body, and the query. */
type Request<Query extends TObject, Params extends TObject, Checked> = Record<keyof Params['properties'], string> & {
  body: Checked
  query: Static<Query>
}

type Configured = 'permissions' | 'orPermission' | 'expands' | 'status' | 'guarded' | 'bulk' | 'signs' | 'problems'

type Operation<Query extends TObject, Params extends TObject, Body extends TSchema, Checked> = Pick<
  FastifyContextConfig,
  Configured
> & {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  /** Default: `{id}`, if the path ends in one. */
  params?: Params
  query?: Query
  body?: Body
  /** Rules of the body that need no database. */
  check?: (body: Fields, context: ServedContext) => FieldError[]
  /** Reads the body, in place of its schema and `check`. */
  parse?: (body: unknown, context: ServedContext) => Checked
  /** The permissions that a body needs beyond those of the operation. */
  needs?: (body: NoInfer<Checked>) => readonly Permission[]
  /** The shape of the answer. Without it, the operation answers with nothing. */
  answer?: TSchema
  write: (context: ServedContext, request: Request<Query, Params, Checked>) => Promise<Written | void>
}

/** Leaves the body to the rule, which looks at the state of the record first. */
export const parsedByRule = (body: unknown): unknown => body

/**
 * Registers an operation that writes. It looks at the shape of the body (422), at the permissions that the body needs (403)
 * and at the ids of the path (404). Then the rule decides.
 */
export function serveWrite<
  Query extends TObject = TObject,
  Params extends TObject = typeof IdParameters,
  Body extends TSchema = TSchema,
  Checked = Static<Body>,
>(
  app: App,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  operation: Operation<Query, Params, Body, Checked>,
): void {
  const { operationId, summary, description, tags, query, body: shape, answer, needs, write, ...rest } = operation
  const { params = path.includes(':') ? IdParameters : undefined, check = () => [], problems = [], ...others } = rest
  const parseByShape = (sent: unknown, context: ServedContext) =>
    parseBody(shape!, sent, method === 'POST' ? method : 'PATCH', (fields) => check(fields, context)) as Checked
  const { parse = parseByShape, ...config } = others
  app.route({
    method,
    url: path,
    config: {
      ...config,
      ...(!answer && { status: 204 }),
      ...(shape && { accepts: 'application/json' }),
      problems: shape ? [...problems, 'validation-failed'] : problems,
    },
    schema: {
      operationId,
      summary,
      ...(description !== undefined && { description }),
      tags,
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(shape && { body: shape }),
      response: { [config.status ?? (answer ? 200 : 204)]: answer ?? Type.Unsafe<undefined>({ type: 'null' }) },
    },
    async handler(request, reply) {
      const context = contextOf(request)
      const body = (shape && parse(request.body, context)) as Checked
      if (needs) requirePermissions(request.credentials, needs(body))
      const ids = idsOfPath(request) as Record<keyof Params['properties'], string>
      return sendWritten(request, reply, await write(context, { ...ids, body, query: request.query as Static<Query> }))
    },
  })
}
