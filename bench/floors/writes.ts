import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Pool, type PoolConfig } from 'pg'

// The least program that could create an item with two translations: bare node:http, and the same rows in one
// transaction of prepared statements. It has no keys and checks, and reads nothing back. Its argument is JSON, as for
// reads.ts.
const { connection, house } = JSON.parse(process.argv[2]!) as { connection: PoolConfig; house: string }
const pool = new Pool({ ...connection, max: 20 })

type Body = { external_reference: string; title: string; translations: { en: { title: string } } }

async function create(body: Body): Promise<string> {
  const id = randomUUID()
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ id: string }>({
      name: 'item',
      text: `insert into catalogue.items (house_id, public_id, external_reference, title, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $5) returning id`,
      values: [house, id, body.external_reference, body.title, new Date()],
    })
    await client.query({
      name: 'translations',
      text: `insert into catalogue.item_translations (house_id, item_id, locale, title) values ($1, $2, 'nl', $3), ($1, $2, 'en', $4)`,
      values: [house, rows[0]!.id, body.title, body.translations.en.title],
    })
    await client.query('commit')
  } finally {
    client.release()
  }
  return JSON.stringify({ data: { id: `itm_${id}`, ...body } })
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await create(JSON.parse(await text(request)) as Body)
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
