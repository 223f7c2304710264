import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isGivenUp, isMisaddressed, isOutOfService, isRetryable, isUnreachable, UnknownOutcome } from '../db/errors.ts'
import type { Permission } from '../context.ts'
import { kinds } from '../kinds.ts'
import {
  Problem,
  problems,
  temporarilyUnavailable,
  type Cause,
  type FieldError,
  type ProblemCode,
  type RecordName,
} from '../problems.ts'
import { describeCause, describeFieldError, printDetail, toSentence } from '../sentences.ts'
import { printId } from '../values/ids.ts'
import { AnswerWithoutCommit, sendStoredAnswer } from './stored-answers.ts'
import { shortenPath } from '../values/text.ts'

const frameworkCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload-too-large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed-json',
  // The path of a documentation file leads out of its folder or has a NUL.
  FST_STATIC_FORBIDDEN_PATH: 'not-found',
}

// The statuses with which the file server refuses a request. Any other error with a status is a fault of the service.
const fileCodes: Record<number, ProblemCode> = { 412: 'precondition-failed', 416: 'range-not-satisfiable' }

function toFileProblem(error: { statusCode?: number; headers?: Record<string, string> }): Problem | undefined {
  const code = fileCodes[error.statusCode ?? 0]
  return code && new Problem(code, undefined, { headers: error.headers ?? {} })
}

function toProblem(error: FastifyError | Error, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  if (error instanceof UnknownOutcome)
    return temporarilyUnavailable('The database did not say whether the write was carried out.', 5, error)
  if (isUnreachable(error) || isMisaddressed(error))
    return temporarilyUnavailable('The database cannot be reached.', 5, error)
  if (isOutOfService(error)) return temporarilyUnavailable('The database cannot do this at the moment.', 5, error)
  if (isGivenUp(error) || isRetryable(error))
    return temporarilyUnavailable('The database was too busy to do this in time.', 5, error)
  const code = 'code' in error ? frameworkCodes[error.code] : undefined
  if (code === 'unsupported-media-type')
    return new Problem(code, `Content-Type must be ${request.routeOptions.config.accepts ?? 'application/json'}.`)
  if (code !== undefined) return new Problem(code, error.message)
  return toFileProblem(error as { statusCode?: number }) ?? new Problem('internal-error')
}

// The name of a field keeps its spelling.
function printFieldError(error: FieldError) {
  const { field, code, lot, minimum } = error
  const clause = describeFieldError(error)
  const message = field === '' ? toSentence(clause) : `${clause}.`
  return { field, code, message, ...(lot && { lot }), ...(minimum && { minimum }) }
}

/** Who reads a refusal: the permissions, and whether the write is of several records (`bulk`). */
export type Reader = { permissions: readonly Permission[]; isBulk: boolean }

const mostConflicts = 100
const mostUsers = 10

// A bulk write has an entry for each record and reason that stands in the way.
function printCauses({ causes }: Problem, { permissions, isBulk }: Reader = { permissions: [], isBulk: false }) {
  const [first] = causes
  if (!first) return {}
  const { reason, count } = first
  if (!isBulk) return { reason, ...(count !== undefined && { count }) }
  const entries = causes.map((cause) => ({
    record: cause.record && printName(cause.record),
    reason: cause.reason,
    detail: toSentence(describeCause(cause)),
    ...(cause.reason === 'in_use' && { used_by: printUsers(cause, permissions) }),
  }))
  // Records without an id are told apart by what is said of them.
  const distinct = new Map(entries.map((entry) => [`${entry.reason} ${entry.record ?? entry.detail}`, entry]))
  return { reason, count: distinct.size, conflicts: [...distinct.values()].slice(0, mostConflicts) }
}

const printName = ({ kind, uuid }: RecordName) => (uuid === null ? null : printId(kind, uuid))

// Null if the key may not read one of them. Bids are read with lots.
function printUsers({ usedBy = [] }: Cause, permissions: readonly Permission[]) {
  const isReadable = ({ kind }: RecordName) =>
    permissions.includes(kind === 'bid' ? kinds.lot.permission : kinds[kind].permission)
  return usedBy.every(isReadable) ? usedBy.slice(0, mostUsers).map(printName) : null
}

/** The Problem Details body (section 7) as JSON text. */
export function printProblem(problem: Problem, publicUrl: string, instance: string, reader?: Reader): string {
  return JSON.stringify({
    type: `${publicUrl}/problems/${problem.code}`,
    title: problems[problem.code].title,
    status: problem.status,
    instance: shortenPath(instance),
    detail: printDetail(problem),
    ...printCauses(problem, reader),
    ...(problem.code !== 'conflict' && problem.errors && { errors: problem.errors.map(printFieldError) }),
  })
}

/** The error handler of the service. Every error becomes a problem. Unexpected errors are logged with their cause. */
export function createProblemHandler(publicUrl: string) {
  return function replyWithProblem(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
    if (error instanceof AnswerWithoutCommit) return void sendStoredAnswer(reply, error.answer, error.headers)
    const problem = toProblem(error, request)
    if (problem.code === 'internal-error' || (problem.code === 'temporarily-unavailable' && !problem.isOverload)) {
      // A refusal without a cause says all in its detail.
      if (problem === error && error.cause === undefined) request.log.warn({ reason: error.message }, 'request refused')
      else request.log.error({ err: error }, 'request failed')
    }
    if (problem.code === 'unsupported-media-type' && request.routeOptions.config.accepts) {
      const header = request.method === 'PATCH' ? 'accept-patch' : 'accept-post'
      reply.header(header, request.routeOptions.config.accepts)
    }
    if (problem.isOverload) reply.forms = 'none'
    void reply
      .code(problem.status)
      .headers(problem.headers)
      .type('application/problem+json')
      .send(
        printProblem(problem, publicUrl, request.originalUrl.split('?', 1)[0]!, {
          permissions: request.credentials?.permissions ?? [],
          isBulk: request.routeOptions.config.bulk ?? false,
        }),
      )
  }
}
