import type { FastifyReply } from 'fastify'

/** What is stored of the answer to a write. */
export type StoredAnswer = { status: number; body: string | null; location: string | null }

/** An answer that replaces the answer of a write. Thrown in the transaction, it rolls the write back. */
export class AnswerWithoutCommit extends Error {
  readonly answer: StoredAnswer
  readonly headers: Record<string, string>

  constructor(answer: StoredAnswer, headers: Record<string, string>) {
    super('answered without a commit')
    this.answer = answer
    this.headers = headers
  }
}

/** Sends a stored answer with additional headers. */
export function sendStoredAnswer(
  reply: FastifyReply,
  { status, body, location }: StoredAnswer,
  headers: Record<string, string>,
) {
  reply.code(status).headers({ ...headers, ...(location !== null && { location }) })
  return body === null ? reply.send() : reply.type('application/json').send(body)
}
