import type { FastifyReply } from 'fastify'

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

/** Sends an answer with more headers. */
export function sendWrittenAnswer(
  reply: FastifyReply,
  { status, body, location }: WrittenAnswer,
  headers: Record<string, string>,
) {
  reply.code(status).headers({ ...headers, ...(location !== null && { location }) })
  return body === null ? reply.send() : reply.type('application/json').send(body)
}
