import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Catalogue } from '../../src/running/catalogue.ts'
import { json, openClient, type Content } from '../../test/support/client.ts'
import { form, picture } from '../../test/support/pictures.ts'
import { random } from '../lib/random.ts'
import { openService } from '../lib/service.ts'
import { openProxy } from './proxy.ts'

type Kind = 'items' | 'auctions' | 'titles' | 'images'
type Write = { kind: Kind; method: string; path: string; content: Content; name: string }

const writers = 32

/**
 * Writes items, auctions, titles and images through a proxy that swallows most answers, and repeats each write under its
 * key until it is answered, sometimes twice at once. Meanwhile the service and the database are killed in turn. Every
 * record must be stored once, and every write have one answer. `shared` counts the items that shared a transaction.
 */
export async function repeatWrites({ writes, kills }: { writes: number; kills: number }) {
  const service = await openService()
  const proxy = await openProxy(service.port)
  await service.createHouse('repeat', 'Repeat', 'nl')
  const { key } = await service.issueKey('repeat', '--all')
  const client = openClient(service.origin, key)
  const { text } = await client.call('POST', 'items', json({ external_reference: 'first', title: 'Vaas' }))
  client.close()
  const { id: item } = (JSON.parse(text) as { data: { id: string } }).data
  const jpeg = await picture()
  const counts = { sent: 0, replayed: 0, underWay: 0, unavailable: 0, kills: 0, shared: 0 }
  const done: Record<Kind, string[]> = { items: [], auctions: [], titles: [], images: [] }

  function plan(number: number): Write {
    const name = randomUUID()
    if (number % 20 === 0) {
      const content = form(['external_reference', name], ['public', 'false'], ['file', jpeg, 'a.jpg'])
      return { kind: 'images', method: 'POST', path: `items/${item}/images`, content, name }
    }
    if (number % 5 === 0)
      return { kind: 'titles', method: 'PATCH', path: `items/${item}`, content: json({ title: name }), name }
    const kind = number % 7 === 0 ? 'auctions' : 'items'
    return { kind, method: 'POST', path: kind, content: json({ external_reference: name, title: 'Vaas' }), name }
  }

  /** Sends a write on a connection of its own. Undefined if there was no whole answer. */
  function send({ method, path, content, name }: Write) {
    const own = openClient(`http://127.0.0.1:${proxy.port}`, key)
    const headers = { ...content.headers, 'idempotency-key': name }
    const sent = own.call(method, path, { ...content, headers })
    return sent.catch(() => undefined).finally(own.close)
  }

  async function write(number: number): Promise<void> {
    const planned = plan(number)
    const { kind, path, name } = planned
    let answer: string | undefined
    while (answer === undefined || random.chance(0.2)) {
      const all = random.chance(0.1) ? [planned, planned] : [planned]
      counts.sent += all.length
      for (const reply of await Promise.all(all.map(send))) {
        if (!reply) continue
        const { status, text, headers } = reply
        if (status === 409) assert.match(text, /idempotency-key-in-use/)
        if (status === 409) counts.underWay++
        else if (status === 503) counts.unavailable++
        else {
          assert.ok(status === 200 || status === 201, `${path} answered ${status} ${text}`)
          assert.equal(answer ?? text, text, 'all answers to a write are one')
          answer = text
          if (headers['idempotent-replayed'] === 'true') counts.replayed++
        }
      }
      if (answer === undefined) await sleep(random.below(20))
    }
    done[kind].push(name)
  }

  let next = 0
  let isOver = false
  const writing = Array.from({ length: writers }, async () => {
    while (next < writes) await write(next++)
  })
  async function killInTurn(): Promise<void> {
    const mayKill = () => !isOver && counts.kills < kills
    while (mayKill()) {
      if (next < ((counts.kills + 1) * writes) / (kills + 1)) await sleep(10)
      else await (counts.kills++ % 2 === 0 ? service.kill() : service.killDatabase())
    }
  }
  const killing = killInTurn()
  try {
    await Promise.all([...writing, killing])
    await service.inspect(check)
    return { counts, fates: proxy.counts, done: Object.values(done).flat().length }
  } finally {
    isOver = true
    await Promise.allSettled([...writing, killing])
    proxy.close()
    await service.close()
  }

  async function check({ db }: Catalogue): Promise<void> {
    for (const table of ['items', 'auctions', 'images'] as const) {
      const { rows } = await sql<{ reference: string }>`
        select external_reference as reference from ${sql.table(`catalogue.${table}`)}`.execute(db)
      const expected = table === 'items' ? [...done.items, 'first'] : done[table]
      assert.deepEqual(rows.map(({ reference }) => reference).toSorted(), expected.toSorted(), table)
    }
    // Each of these changes differs from the one before, so a title that was written twice would advance the revision
    // twice.
    const { rows } = await sql<{ revision: string }>`
      select revision from catalogue.items where external_reference = 'first'`.execute(db)
    assert.equal(Number(rows[0]!.revision), 1 + done.titles.length)
    const groups = await sql<{ members: number }>`
      select count(*)::int as members from catalogue.items group by xmin::text having count(*) > 1`.execute(db)
    counts.shared = groups.rows.reduce((sum, { members }) => sum + members, 0)
  }
}
