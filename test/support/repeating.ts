import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { callOf, listOperations, openLiveSessions, readDocument, type ContractedOperation } from './contract.ts'
import type { catalogueOf } from './lines.ts'
import { storedFiles } from './pictures.ts'
import { checksum } from './rehearsing.ts'
import { publicUrl, type Call, type TestService } from './service.ts'

export type Reply = Awaited<ReturnType<TestService['request']>>

/** Asserts that an answer has this status and kind of problem. */
export function assertProblem(reply: Reply, status: number, code: string, message: string) {
  assert.equal(reply.statusCode, status, `${message} ${reply.payload}`)
  assert.equal(reply.json<{ type: string }>().type, `${publicUrl}/problems/${code}`, message)
}

/** The writes of a service with these houses, each with an Idempotency-Key, and their repetitions. */
export async function openRepeating(service: TestService, houses: ReturnType<typeof catalogueOf>[]) {
  await sql`update catalogue.images set original = 'originals/' || md5(id::text)`.execute(service.db)
  await openLiveSessions(service, houses)
  const operations = listOperations(await readDocument(service))
  const writes = operations
    .filter(({ method }) => method !== 'GET')
    .toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
  const find = (name: string) => operations.find((operation) => operation.name === name)!

  /** A house of its own for a test, with calls that succeed once and carry an Idempotency-Key. */
  async function openHouse(at: number) {
    const { slug, ids } = houses[at]!
    const key = await service.issueKey(slug)
    const namedCallOf = (operation: ContractedOperation, name: string, change: Partial<Call> = {}): Call =>
      callOf(operation, { ids, key }, { ...change, headers: { 'idempotency-key': name, ...change.headers } })
    return { slug, ids, key, callOf: namedCallOf }
  }

  const state = async () => [await checksum(service.db), await storedFiles(service.media)]

  /** Sends repetitions of a call, whose answers must be the first one. Nothing is written. */
  async function assertReplayed(first: Reply, message: string, ...calls: Call[]) {
    const before = await state()
    for (const call of calls) {
      const again = await service.request(call)
      const sent = JSON.stringify([call.url, call.headers])
      const where = `${message} ${sent} ${again.statusCode} ${again.payload}`
      assert.equal(again.headers['idempotent-replayed'], 'true', where)
      assert.equal(again.statusCode, first.statusCode, where)
      assert.equal(again.payload, first.payload, where)
      for (const name of ['location', 'content-type']) assert.equal(again.headers[name], first.headers[name], where)
      assert.equal(again.headers['etag'], undefined)
    }
    assert.deepEqual(await state(), before, message)
  }

  return { operations, writes, find, state, openHouse, assertReplayed }
}
