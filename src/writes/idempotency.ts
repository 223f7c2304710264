import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import type { Remembered, Scope } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { Problem } from '../problems.ts'
import { byteLength } from '../values/text.ts'
import { AnswerWithoutCommit, type StoredAnswer } from '../http/stored-answers.ts'
import { repeatsHeader } from '../http/headers.ts'
import { ReceivedFile } from '../http/body/multipart.ts'
import { pairsOf } from '../http/query.ts'
import { deleteAnswers, findAnswer, insertAnswer, isLarge, lockKeys, sumLargeAnswers } from './statements.ts'
import { seesStaff } from '../reads/context.ts'
import { hasShape } from '../http/body/validation.ts'
import '../http/types.ts'

// RFC 8941, section 3.3.3: printable ASCII, with a backslash before each quote and backslash.
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/**
 * The `Idempotency-Key` of a request. `"k1"` and `k1` are two spellings of one key.
 * @throws Problem invalid-parameter
 */
export function readKey(request: FastifyRequest): string | undefined {
  const text = request.headers['idempotency-key'] as string | undefined
  if (text === undefined) return undefined
  const key = text.startsWith('"') ? quoted.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') : text
  if (key !== undefined && /^[\x20-\x7e]{1,255}$/.test(key) && !repeatsHeader(request, 'idempotency-key')) return key
  throw new Problem('invalid-parameter', 'Idempotency-Key must be 1 to 255 printable ASCII characters, given once.')
}

async function hashFile({ path }: ReceivedFile): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(path), digest)
  return digest.digest('hex')
}

// The order of keys and the name of a file do not matter.
function normalize(_: string, value: unknown): unknown {
  if (value instanceof ReceivedFile) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The hash that identifies a request: method, path, parameters and body, but not `If-Match`. */
async function hashRequest(request: FastifyRequest): Promise<Buffer> {
  const { method, url, body, routeOptions } = request
  const file = Object.values(body ?? {}).find((value) => value instanceof ReceivedFile)
  const parts = [method, url.split('?', 1)[0], pairsOf(url), body, file && (await hashFile(file))]
  // A key with the other permission of an operation never gets what only staff see.
  if (routeOptions.config.orPermission !== undefined && seesStaff(request)) parts.push('staff')
  return hash('sha256', JSON.stringify(parts, normalize), 'buffer')
}

// A small request may have a large answer. Only the rate limit bounds the number of small answers.
const largeAnswersBytes = 4 * 1024 ** 3
const hourInSeconds = 3_600

async function checkRoom(scope: Scope, { body }: StoredAnswer): Promise<void> {
  const bytes = byteLength(body ?? '')
  if (!isLarge(bytes) || (await sumLargeAnswers(scope)) + bytes <= largeAnswersBytes) return
  throw new Problem(
    'rate-limit-exceeded',
    'The house has no space left for large remembered answers. Repeat the request later, or without Idempotency-Key.',
    { headers: { 'retry-after': String(hourInSeconds) } },
  )
}

/** The stored answer of an `Idempotency-Key`, as the transaction of a write uses it. */
type Memory = {
  /**
   * Throws the stored answer if the request was carried out before.
   * @throws Problem idempotency-key-in-use, -reused
   */
  recall(db: Database): Promise<void>
  /**
   * Stores the answer in the transaction.
   * @throws Problem rate-limit-exceeded, idempotency-key-in-use
   */
  remember(db: Database, answer: StoredAnswer): Promise<void>
  /** What `remember` stores. */
  describe(answer: StoredAnswer): Promise<Remembered>
}

/** Stores the answer to a request under its key. A repeated request gets the stored answer. */
export function createMemory(request: FastifyRequest, key: string): Memory {
  const { house } = request.credentials
  const { config, schema } = request.routeOptions
  let hashed: Promise<Buffer> | undefined
  const describe = async (answer: StoredAnswer) => ({
    ...answer,
    key,
    request: await (hashed ??= hashRequest(request)),
    created_at: new Date(),
  })
  return {
    describe,
    async recall(db) {
      // A request with a body of another shape was never carried out. The operation refuses it.
      if (config.accepts === 'application/json' && !hasShape(schema!.body, request.body)) return
      if (!(await lockKeys({ db, house }, [key])).has(key))
        throw new Problem('idempotency-key-in-use', undefined, { headers: { 'retry-after': '1' } })
      const found = await findAnswer({ db, house }, key)
      if (!found) return
      if (!found.request.equals(await (hashed ??= hashRequest(request)))) throw new Problem('idempotency-key-reused')
      throw new AnswerWithoutCommit(found, { 'idempotent-replayed': 'true' })
    },
    async remember(db, answer) {
      await checkRoom({ db, house }, answer)
      // On Citus, a commit may hold the key after its lock is free, if the coordinator lost its result.
      if (!(await insertAnswer({ db, house }, await describe(answer))))
        throw new Problem('idempotency-key-in-use', undefined, { headers: { 'retry-after': '1' } })
    },
  }
}

const batchSize = 5_000

/** Deletes a house's stored answers from before this time. */
export async function forgetAnswers(scope: Scope, before: Date): Promise<void> {
  while ((await deleteAnswers(scope, before, batchSize)) === batchSize);
}
