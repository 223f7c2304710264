import assert from 'node:assert/strict'
import { test } from 'node:test'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { startService } from '../../test/support/service.ts'
import { openTunnel } from '../../test/support/tunnel.ts'

const most = 3_000
const items = Array.from({ length: most }, (_, at) => ({ type: 'item', id: uuid(at + 1), title: 'Vaas' }))

/** A service whose connections are cut when they prepare a statement with this text, until `mend`. */
async function openFragile(statement: string) {
  let [isFragile, cuts] = [true, 0]
  let close = () => Promise.resolve()
  const service = await startService({
    records: [houseLine('north'), ...items],
    route: async (connection) => {
      const tunnel = await openTunnel(connection, (client, server) => {
        client.on('close', () => server.destroy())
        server.on('data', (piece) => client.write(piece))
        client.on('data', (piece) => {
          if (isFragile && piece.includes(statement)) {
            cuts += 1
            client.destroy()
          } else server.write(piece)
        })
      })
      close = () => tunnel.close()
      return tunnel.connection
    },
  })
  return {
    service,
    cuts: () => cuts,
    mend: () => void (isFragile = false),
    async close() {
      await service.close()
      await close()
    },
  }
}

const whole = { status: 200, total: most, complete: undefined }
const refused = { status: 503, total: undefined, complete: undefined }

for (const [part, statement] of [
  ['the small tables', "'maker', (select"],
  ['the newest items', 'limit 1000)'],
  ['the other items', 'limit 500)'],
] as const) {
  test(`searches that wait for an index are refused when the database is away at ${part}, and the next one makes it`, async () => {
    const { service, cuts, mend, close } = await openFragile(statement)
    const key = await service.issueKey('north')
    const find = async () => {
      const reply = await service.get('/api/v2/items/search?q=vaas+', key)
      const { total, complete } = reply.json<{ total?: number; complete?: boolean }>()
      return { status: reply.statusCode, total, complete }
    }
    assert.deepEqual(await Promise.all([find(), find()]), [refused, refused])
    assert.ok(cuts() > 0)
    mend()
    assert.deepEqual(await find(), whole)
    await close()
  })
}
