import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Written } from '../context.ts'
import { printPath } from '../request/path.ts'
import { printVersion } from './conditional.ts'

/** The answer to a write, as far as it is made of what was written. */
export type WrittenAnswer = { status: number; body: string | null; location: string | null }

/** An answer that takes the place of a write's own. Thrown in its transaction, it rolls back what was done. */
export class Answered extends Error {
  readonly answer: WrittenAnswer
  readonly headers: Record<string, string>

  constructor(answer: WrittenAnswer, headers: Record<string, string>) {
    super('answered without a commit')
    this.answer = answer
    this.headers = headers
  }
}

/** The answer to a write that has done this; nothing, where a record was deleted. */
export function answerOf(request: FastifyRequest, written: Written | void): WrittenAnswer {
  const { routeOptions } = request
  const status = Number(Object.keys(routeOptions.schema!.response as object)[0])
  const body = written ? `{"data":${written.json}}` : null
  return { status, body, location: written?.id === undefined ? null : `${printPath(request)}/${written.id}` }
}

/** Sends an answer with more headers. */
export function sendWrittenAnswer(
  reply: FastifyReply,
  { status, body, location }: WrittenAnswer,
  headers: Record<string, string>,
) {
  reply.code(status).headers({ ...headers, ...(location !== null && { location }) })
  return body === null ? reply.send() : reply.type('application/json').send(body)
}

/** Answers a write that is done, with the ETag of the record if it is read back whole. */
export function sendWritten(request: FastifyRequest, reply: FastifyReply, written: Written | void) {
  const answer = answerOf(request, written)
  const hasEtag = written !== undefined && answer.status !== 202
  return sendWrittenAnswer(reply, answer, hasEtag ? { etag: printVersion(request, written.tag) } : {})
}
