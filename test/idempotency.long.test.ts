import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { faults, openCommitProxy, type Fault } from './support/commits.ts'
import { successOf } from './support/contract.ts'
import { catalogueOf } from './support/lines.ts'
import { assertProblem, openRepeating } from './support/repeating.ts'
import { startService } from './support/service.ts'

const houses = faults.map((_, at) => catalogueOf(at + 1))
let strike: (statements: string) => Fault | undefined = () => undefined
let proxy: Awaited<ReturnType<typeof openCommitProxy>> | undefined
const service = await startService({
  records: houses.flatMap(({ lines }) => lines),
  route: async (connection) =>
    (proxy = await openCommitProxy(connection, (statements) => strike(statements))).connection,
})
after(async () => {
  await service.close()
  await proxy!.close()
})
const { writes, openHouse, assertReplayed } = await openRepeating(service, houses)

for (const [at, fault] of faults.entries())
  test(`a write whose commit is ${fault} happens once if it is repeated with its key, and the files agree`, async () => {
    const { callOf } = await openHouse(at)
    for (const operation of writes) {
      const reference = randomUUID()
      const example: object = operation.body?.(houses[at]!.ids) ?? {}
      const isNamed = operation.name.startsWith('create') && 'external_reference' in example
      const body = isNamed ? { ...example, external_reference: reference } : undefined
      const call = callOf(operation, reference, body && { body })
      let struck = false
      strike = (statements) => {
        if (struck || !/insert into "?catalogue"?."?idempotency_keys"?[^]*\ncommit$/i.test(statements)) return undefined
        struck = true
        return fault
      }
      const lost = await service.request(call)
      assert.ok(struck, operation.name)
      assertProblem(lost, 503, 'temporarily-unavailable', operation.name)
      let reply = await service.request(call)
      while (reply.statusCode === 409 && /in-use/.test(reply.payload)) reply = await service.request(call)
      await proxy!.settled()
      assert.equal(reply.statusCode, successOf(operation), `${operation.name} ${reply.payload}`)
      if (fault !== 'late') assert.equal(reply.headers['idempotent-replayed'], fault === 'cut' ? undefined : 'true')
      await assertReplayed(reply, operation.name, call)
      if (!body) continue
      const found = await service.walk(`${operation.urlOf(houses[0]!.ids)}?external_reference=${reference}`, call.key!)
      assert.equal(found.length, 1, operation.name)
    }
  })
