import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { prepareCheck, readDocument, type Selection } from '../db/reads.ts'
import type { ResponseSource } from './cache.ts'
import { encode, sendCached, type SignUrls } from './cached.ts'
import { printVersion } from './conditional.ts'

export { sendWritten } from './answers.ts'

/** Sends `{data}` with the one record selected. `sign` signs the URLs in it. */
export function sendRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  select: (context: Context) => Selection,
  sign?: SignUrls,
) {
  const etagOf = (tag: string) => printVersion(request, tag)
  return sendCached(request, reply, (context) => prepareRecord(context.db, select(context)), etagOf, sign)
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
