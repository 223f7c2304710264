import type { FastifyReply } from 'fastify'

/** The stored part of an answer to a write. */
export type WrittenAnswer = { status: number; body: string | null; location: string | null }

/** An answer that replaces the answer of a write. Thrown in the transaction, it rolls the write back. */
export class Answered extends Error {
  readonly answer: WrittenAnswer
  readonly headers: Record<string, string>

  constructor(answer: WrittenAnswer, headers: Record<string, string>) {
    super('answered without a commit')
    this.answer = answer
    this.headers = headers
  }
}

/** Sends a stored answer with additional headers. */
export function sendWrittenAnswer(
  reply: FastifyReply,
  { status, body, location }: WrittenAnswer,
  headers: Record<string, string>,
) {
  reply.code(status).headers({ ...headers, ...(location !== null && { location }) })
  return body === null ? reply.send() : reply.type('application/json').send(body)
}
