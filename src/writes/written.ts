import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Written } from '../context.ts'
import { sendWrittenAnswer, type WrittenAnswer } from '../http/answered.ts'
import { printPath } from '../http/path.ts'
import { printVersion } from '../reads/conditional.ts'

/** The stored answer of a write; without a body after a deletion. */
export function answerOf(request: FastifyRequest, written: Written | void): WrittenAnswer {
  const { status = 200 } = request.routeOptions.config
  const body = written ? `{"data":${written.json}}` : null
  return { status, body, location: written?.id === undefined ? null : `${printPath(request)}/${written.id}` }
}

/** Sends the answer of a write, with an ETag if the record was read back whole. */
export function sendWritten(request: FastifyRequest, reply: FastifyReply, written: Written | void) {
  const answer = answerOf(request, written)
  const hasEtag = written !== undefined && answer.status !== 202
  return sendWrittenAnswer(reply, answer, hasEtag ? { etag: printVersion(request, written.tag) } : {})
}
