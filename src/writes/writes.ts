import type { FastifyReply, FastifyRequest, FastifyInstance, RouteOptions } from 'fastify'
import type { Written, Write } from '../context.ts'
import { sendStoredAnswer, type StoredAnswer, AnswerWithoutCommit } from '../http/stored-answers.ts'
import { printPath } from '../http/path.ts'
import { printRecordEtag } from '../reads/conditional.ts'
import { Type, type TObject } from 'typebox'
import { createMemory, readKey } from './idempotency.ts'
import { createGuard, isGuarded } from './preconditions.ts'
import { noParameters } from '../http/query.ts'
import '../http/types.ts'

// A write of any record has these phases, from its hooks to its answer:
// - transaction (transaction.ts), repeated after a deadlock;
// - idempotency (idempotency.ts): a repeated request gets its stored answer;
// - precondition (preconditions.ts): the locked record must have the version in `If-Match`;
// - touch and marks (touch.ts): `updated_at`, `revision`, and the feed of changes;
// - read back (transaction.ts): the record as a read shows it, with COMMIT;
// - dry run: throws the answer instead, which rolls everything back.

/** Whether a method writes. */
export const isWrite = (method: unknown) => method === 'POST' || method === 'PATCH' || method === 'DELETE'

const ifMatch = Type.Optional(
  Type.String({
    description:
      'The ETag of the version to change, with any `expand[]` (of a gallery: the ETag of its item), a list of ETags, or `*`. If the record has changed since, the answer is 412.',
  }),
)

const idempotencyKey = Type.Optional(
  Type.String({
    description:
      'A name for this request, 1 to 255 printable ASCII characters. The same request with the same name, within a day, gets the first answer; nothing is written twice.',
  }),
)

const dryRun = Type.Optional(
  Type.Boolean({
    description:
      'With `true` the write is carried out, checked and undone. The answer is 200 with the record as it would be, or the refusal.',
  }),
)

/** Whether a write has a dry run: it takes a JSON body and is carried out at once. */
export function isRehearsable({ config }: Pick<RouteOptions, 'config'>): boolean {
  return config?.accepts === 'application/json' && (config.status ?? 200) < 202
}

// The headers and parameters that all writes take.
function declareWrite(route: RouteOptions): void {
  const { querystring = noParameters, ...schema } = route.schema ?? {}
  const { properties } = querystring as TObject
  route.schema = {
    ...schema,
    querystring: isRehearsable(route) ? Type.Object({ ...properties, dry_run: dryRun }) : querystring,
    headers: Type.Object({
      'Idempotency-Key': idempotencyKey,
      ...(isGuarded(route) && { 'If-Match': ifMatch }),
    }),
  }
}

// Records that were not created have no ids: null stands in their place, and lists lack them.
function rehearsed({ routeOptions }: FastifyRequest, { json, warnings = [] }: Written): AnswerWithoutCommit {
  const data = JSON.parse(json) as { id: string } | { id: string }[]
  const ids = new Set<unknown>(routeOptions.config.status === 201 ? [data].flat().map(({ id }) => id) : [])
  const withoutIds = (_: string, value: unknown) =>
    Array.isArray(value) ? value.filter((each) => !ids.has(each)) : ids.has(value) ? null : value
  const body = JSON.stringify({ data, ...(warnings.length > 0 && { warnings }) }, withoutIds)
  return new AnswerWithoutCommit({ status: 200, body, location: null }, { 'dry-run': 'true' })
}

// Throws invalid-parameter if a header is malformed.
function createWrite(request: FastifyRequest): Write {
  const { dry_run: isRehearsal = false } = request.query as { dry_run?: boolean }
  const key = isRehearsal ? undefined : readKey(request)
  const memory = key === undefined ? undefined : createMemory(request, key)
  return {
    key,
    remembered: memory && ((written) => memory.describe(answerOf(request, written))),
    needsAnswer: isRehearsal || key !== undefined,
    isRehearsal,
    begin: async (db) => memory?.recall(db),
    guard: createGuard(request),
    async end(db, written) {
      if (isRehearsal) throw written instanceof Error ? written : rehearsed(request, written!)
      if (written instanceof Error) return
      await memory?.remember(db, answerOf(request, written))
    },
  }
}

/**
 * Sets the `write` of each request that writes: key, precondition, dry run. Call it before `installChecks`, whose
 * checks of key, permissions and query come first.
 */
export function installWrites(app: FastifyInstance): void {
  app.decorateRequest('write')
  app.addHook('onRoute', (route: RouteOptions) => {
    if (!isWrite(route.method)) return
    declareWrite(route)
    route.onRequest = async (request: FastifyRequest) => {
      request.write = createWrite(request)
    }
  })
}

// The stored answer of a write; without a body after a deletion.
function answerOf(request: FastifyRequest, written: Written | void): StoredAnswer {
  const { status = 200 } = request.routeOptions.config
  const body = written ? `{"data":${written.json}}` : null
  // Records that the staff interface makes are read in the catalogue interface.
  const collection = printPath(request).replace(/^\/staff\/v1\//, '/api/v2/')
  return { status, body, location: written?.id === undefined ? null : `${collection}/${written.id}` }
}

/** Sends the answer of a write, with an ETag if one record was read back whole. */
export function sendWritten(request: FastifyRequest, reply: FastifyReply, written: Written | void) {
  const answer = answerOf(request, written)
  const tag = answer.status === 202 ? undefined : written?.tag
  return sendStoredAnswer(reply, answer, tag === undefined ? {} : { etag: printRecordEtag(request, tag) })
}
