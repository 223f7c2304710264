import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Written } from '../context.ts'
import { sendWrittenAnswer, type WrittenAnswer } from '../http/answered.ts'
import { printPath } from '../http/path.ts'
import { printVersion } from '../reads/conditional.ts'

/** The answer to a write that has done this; nothing, where a record was deleted. */
export function answerOf(request: FastifyRequest, written: Written | void): WrittenAnswer {
  const { status = 200 } = request.routeOptions.config
  const body = written ? `{"data":${written.json}}` : null
  return { status, body, location: written?.id === undefined ? null : `${printPath(request)}/${written.id}` }
}

/** Answers a write that is done, with the ETag of the record if it is read back whole. */
export function sendWritten(request: FastifyRequest, reply: FastifyReply, written: Written | void) {
  const answer = answerOf(request, written)
  const hasEtag = written !== undefined && answer.status !== 202
  return sendWrittenAnswer(reply, answer, hasEtag ? { etag: printVersion(request, written.tag) } : {})
}
