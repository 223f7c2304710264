import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isGivenUp, isRetryable, isUnreachable } from '../db/errors.ts'
import { UnknownOutcome } from '../db/transaction.ts'
import { overloaded } from './overload.ts'
import { Problem, problems, temporarilyUnavailable, type ProblemCode } from '../problems.ts'

const frameworkCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload-too-large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed-json',
}

function toProblem(error: FastifyError | Error): Problem {
  if (error instanceof Problem) return error
  if (error instanceof UnknownOutcome)
    return temporarilyUnavailable('The database did not say whether the write was carried out.', 5, error)
  if (isUnreachable(error)) return temporarilyUnavailable('The database cannot be reached.', 5, error)
  if (isGivenUp(error) || isRetryable(error))
    return temporarilyUnavailable('The database was too busy to do this in time.', 5, error)
  const code = 'code' in error ? frameworkCodes[error.code] : undefined
  return code === undefined ? new Problem('internal-error') : new Problem(code, error.message)
}

/** The Problem Details body (section 7) as JSON text. */
export function printProblem(problem: Problem, publicUrl: string, instance: string): string {
  return JSON.stringify({
    type: `${publicUrl}/problems/${problem.code}`,
    title: problems[problem.code].title,
    status: problem.status,
    instance,
    detail: problem.message,
    ...(problem.errors && { errors: problem.errors }),
  })
}

/** The error handler of the whole service: every failure becomes a problem; only unforeseen ones are logged with their cause. */
export function createProblemHandler(publicUrl: string) {
  return function replyWithProblem(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
    const problem = toProblem(error)
    if (problem.code === 'internal-error' || (problem.code === 'temporarily-unavailable' && problem !== overloaded))
      request.log.error({ err: error }, 'request failed')
    if (problem.code === 'unsupported-media-type' && request.routeOptions.config.accepts) {
      const header = request.method === 'PATCH' ? 'accept-patch' : 'accept-post'
      reply.header(header, request.routeOptions.config.accepts)
    }
    void reply
      .code(problem.status)
      .headers(problem.headers)
      .type('application/problem+json')
      .send(printProblem(problem, publicUrl, request.originalUrl.split('?', 1)[0]!))
  }
}
