import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { json, openClient, type Content } from '../../test/support/client.ts'
import { form, picture } from '../../test/support/pictures.ts'
import type { Catalogue } from '../../src/running/catalogue.ts'
import { openService } from '../lib/service.ts'
import { openProxy } from './proxy.ts'

type Reply = { status: number; text: string; replayed: boolean }
type Write = {
  method: string
  path: string
  content: Content
  kind: 'items' | 'auctions' | 'titles' | 'images'
  name: string
}

const writers = 8

/** Sends a request on a connection of its own. Undefined if there was no whole answer. */
function send(port: number, key: string, name: string, { method, path, content }: Write): Promise<Reply | undefined> {
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': name, ...content.headers }
  return new Promise((resolve) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path: `/api/v2/${path}`, headers, agent: false },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        const replayed = reply.headers['idempotent-replayed'] === 'true'
        reply.on('close', () => resolve(reply.complete ? { status: reply.statusCode!, text, replayed } : undefined))
      },
    )
    sent.on('error', () => resolve(undefined)).end(content.body)
  })
}

/**
 * Writes items, auctions, titles and images through a proxy that swallows most answers, and repeats each write under its
 * key until it is answered, sometimes twice at once. Meanwhile the service and the database are killed in turn. Every
 * record must be stored once, and every write have one answer.
 */
export async function repeatWrites({ writes, kills }: { writes: number; kills: number }) {
  const service = await openService()
  const { port } = service
  const proxy = await openProxy(port)
  await service.createHouse('repeat', 'Repeat', 'nl')
  const { key } = await service.issueKey('repeat', '--all')
  const client = openClient(service.origin, key)
  const { text } = await client.call('POST', 'items', json({ external_reference: 'first', title: 'Vaas' }))
  const { id: item } = (JSON.parse(text) as { data: { id: string } }).data
  const jpeg = await picture()
  const counts = { sent: 0, replayed: 0, underWay: 0, unavailable: 0, kills: 0 }
  const done: Record<Write['kind'], string[]> = { items: [], auctions: [], titles: [], images: [] }

  function plan(number: number): Write {
    const name = randomUUID()
    if (number % 20 === 0) {
      const content = form(['external_reference', name], ['public', 'false'], ['file', jpeg, 'a.jpg'])
      return { method: 'POST', path: `items/${item}/images`, content, kind: 'images', name }
    }
    if (number % 5 === 0)
      return { method: 'PATCH', path: `items/${item}`, content: json({ title: name }), kind: 'titles', name }
    const kind = number % 7 === 0 ? 'auctions' : 'items'
    return { method: 'POST', path: kind, content: json({ external_reference: name, title: 'Vaas' }), kind, name }
  }

  async function write(number: number) {
    const planned = plan(number)
    let answer: string | undefined
    for (;;) {
      const atOnce = Math.random() < 0.1 ? 2 : 1
      const replies = await Promise.all(
        Array.from({ length: atOnce }, () => send(proxy.port, key, planned.name, planned)),
      )
      counts.sent += atOnce
      for (const reply of replies) {
        if (reply?.status === 409) assert.match(reply.text, /idempotency-key-in-use/)
        if (reply?.status === 409) counts.underWay++
        if (reply?.status === 503) counts.unavailable++
        if (!reply || reply.status === 409 || reply.status === 503) continue
        assert.ok(
          reply.status === 200 || reply.status === 201,
          `${planned.path} answered ${reply.status} ${reply.text}`,
        )
        assert.equal(answer ?? reply.text, reply.text, 'all answers to a write are one')
        answer = reply.text
        if (reply.replayed) counts.replayed++
      }
      if (answer === undefined) await sleep(Math.random() * 20)
      else if (Math.random() < 0.8) break
    }
    done[planned.kind].push(planned.name)
  }

  let next = 0
  let isOver = false
  const writing = Array.from({ length: writers }, async () => {
    while (next < writes) await write(next++)
  })
  const killing = (async () => {
    for (let kill = 1; kill <= kills; kill++) {
      const isDue = () => isOver || next >= (kill * writes) / (kills + 1)
      while (!isDue()) await sleep(10)
      if (isOver) return
      await (kill % 2 === 0 ? service.killDatabase() : service.kill())
      counts.kills++
    }
  })()
  try {
    await Promise.all([...writing, killing])
    isOver = true
    await service.inspect(check)
    return { counts, fates: proxy.counts, done: Object.values(done).flat().length }
  } finally {
    isOver = true
    await Promise.allSettled([...writing, killing])
    proxy.close()
    client.close()
    await service.close()
  }

  async function check({ db }: Catalogue) {
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
  }
}
