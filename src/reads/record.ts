import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireOne } from './reads.ts'
import type { Selection } from './selections.ts'
import { contextOf, type ServedContext } from './context.ts'
import { readAnswer, type Held } from './answer.ts'
import type { Answer } from './cache.ts'
import { conditionOf, type Condition } from './conditional.ts'

/** Signs the URLs in a body, at `now`. */
export type SignUrls = (body: string, now: Date) => Promise<string>

/**
 * Reads the selected record in its present state.
 * @throws Problem not-found, integrity-unavailable (also if several records share the id)
 */
export function readRecord(selection: Selection<ServedContext>, condition: Condition): Promise<Answer | Held> {
  return readAnswer(selection, undefined, condition, (found) => ({
    shown: [requireOne(found)],
    begin: '{"data":',
    end: '}',
  }))
}

/** Sends a record with its ETag, or 304 to a client that holds it. `sign` signs the URLs in it. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, record: Answer | Held, sign?: SignUrls) {
  return sendConditionally(request, reply, record, conditionOf(request), sign)
}

/**
 * Sends the answer to a conditional read with its ETag, or 304 to a client that holds it. `sign` signs the URLs in
 * it.
 */
export async function sendConditionally(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer | Held,
  condition: Condition,
  sign?: SignUrls,
): Promise<FastifyReply> {
  reply.type('application/json').header('etag', condition.print(answer))
  if (!answer.body) return reply.send('')
  return reply.send(sign ? await sign(answer.body.toString(), contextOf(request).now) : answer.body)
}
