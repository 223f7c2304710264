import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireOne, type Selection } from '../db/reads.ts'
import { contextOf, type ServedContext } from '../request/context.ts'
import { printPath } from '../request/path.ts'
import { printId, type RecordKind } from '../values/ids.ts'
import { readAnswer, type Held } from './answer.ts'
import type { Answer } from './cache.ts'
import { conditionOf, type Condition } from './conditional.ts'

/** Signs the URLs in a body, at `now`. */
export type SignUrls = (body: string, now: Date) => Promise<string>

/**
 * Reads the one record selected, as it is now.
 * @throws Problem not-found, integrity-unavailable (also if several records share the id)
 */
export function readRecord(selection: Selection<ServedContext>, condition: Condition): Promise<Answer | Held> {
  return readAnswer(selection, undefined, condition, (found) => ({
    shown: [requireOne(found)],
    begin: '{"data":',
    end: '}',
  }))
}

/** Sends what was read, with its ETag, or 304 to a client that holds it. `sign` signs the URLs in it. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer | Held,
  sign?: SignUrls,
): Promise<FastifyReply> {
  reply.type('application/json').header('etag', conditionOf(request).print(answer))
  if (!answer.body) return reply.send('')
  return reply.send(sign ? await sign(answer.body.toString(), contextOf(request).now) : answer.body)
}

/** Sends `{data}` with the JSON text of one record, as a write has read it back. */
export function sendWritten(reply: FastifyReply, json: string) {
  return reply.type('application/json').send(`{"data":${json}}`)
}

/** Sends 201 with the new record, and its path in `Location`. */
export function sendCreated(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: RecordKind,
  uuid: string,
  json: string,
) {
  return sendWritten(reply.code(201).header('location', `${printPath(request)}/${printId(kind, uuid)}`), json)
}
