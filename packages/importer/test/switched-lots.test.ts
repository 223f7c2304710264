import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { itemLines, openHouse, sale, type Line } from './house.ts'
import { runImporter } from './program.ts'
import { readAll } from './reading.ts'

const house = await openHouse()
after(() => house.close())

test('the lots of a session are switched by one request; one that cannot be is rejected, and the others are switched', async (t) => {
  const source = await house.write('switched.ndjson', [house.house, ...sale, ...itemLines(3)])
  assert.equal((await house.run('apply', source)).code, 0)
  await house.command('lots', 'add', '--file', join(house.folder, 'switched.ndjson.lots.csv'))
  const [session] = await readAll(house.catalogue.sessions.list())
  type Row = { operation: string; record: string; changes: { record: string }[] }
  const journal = async () => {
    const rows = JSON.parse(await house.command('journal', session!.id, '--house', house.house.slug, '--json')) as Row[]
    return rows.filter(({ operation }) => operation.startsWith('update'))
  }
  const planned = await house.run('plan', source)
  assert.match(planned.stdout, /3 lots/)
  assert.deepEqual(await journal(), [], 'a plan switches nothing')

  // While the importer works, staff archive the second lot.
  const lots = await readAll(house.catalogue.lots.list())
  const bodies: string[] = []
  const between = createServer((request, reply) => {
    const forward = async () => {
      const body = (await buffer(request)).toString()
      if (request.method === 'PATCH') bodies.push(body)
      if (bodies.length === 1 && request.method === 'PATCH') await house.command('lots', 'archive', lots[1]!.id)
      const { authorization, 'content-type': type = 'text/plain' } = request.headers
      const headers = { authorization: authorization!, 'content-type': type }
      const sent = { method: request.method!, headers, ...(body !== '' && { body }) }
      const answer = await fetch(`${house.url}${request.url}`, sent)
      reply.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! })
      reply.end(await answer.text())
    }
    forward().catch((error: unknown) => reply.destroy(error as Error))
  }).listen(0)
  t.after(() => between.close())
  const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
  const applied = await runImporter(house.key, ['apply', source, '--url', url])
  assert.equal(applied.code, 1, applied.stderr)
  assert.match(applied.stdout, /^changed: 2 lots$/m)
  assert.match(applied.stdout, /switched\.ndjson:\d+: active: .*unknown, archived.* \[unavailable\]/)
  assert.deepEqual(
    bodies.map((body) => (JSON.parse(body) as { lots: string[] }).lots.length),
    [3, 2],
  )
  const [row, ...others] = await journal()
  assert.deepEqual([row!.record, row!.changes.length, others.length], [session!.id, 2, 0])

  await house.command('sessions', 'finish', session!.id)
  const isOff = (line: Line) => (line.type === 'lot' ? { ...line, active: false } : line)
  const off = await house.write('off.ndjson', [house.house, ...sale, ...itemLines(1)].map(isOff))
  const refused = await house.end(1, 'apply', off)
  assert.match(refused, /off\.ndjson:5: .*finished.* \[lot-not-changeable\]/)
  assert.equal((await journal()).length, 1)
})
