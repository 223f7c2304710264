import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { prepareCheck, readDocument, type Selection } from '../db/reads.ts'
import { printPath } from '../request/path.ts'
import { printId, type RecordKind } from '../values/ids.ts'
import type { ResponseSource } from './cache.ts'
import { encode, sendCached, type SignUrls } from './cached.ts'

/** Sends `{data}` with the one record selected. `sign` signs the URLs in it. */
export function sendRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  select: (context: Context) => Selection,
  sign?: SignUrls,
) {
  return sendCached(request, reply, (context) => prepareRecord(context.db, select(context)), sign)
}

function prepareRecord(db: Database, selection: Selection): ResponseSource {
  return {
    check: prepareCheck(db, selection),
    async build() {
      const { json, tag } = await readDocument(db, selection)
      return { tag, body: encode(`{"data":${json}}`) }
    },
  }
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
