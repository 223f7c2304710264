import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { Pool, type PoolConfig } from 'pg'

// The least program that could create an item with two translations: bare node:http, and one prepared statement with all
// texts. It has no keys and checks, keeps no journal, and reads nothing back. Its argument is JSON, as for reads.ts.
const { connection, house } = JSON.parse(process.argv[2]!) as { connection: PoolConfig; house: string }
const pool = new Pool({ ...connection, max: 20 })

const names = ['title', 'description', 'condition', 'dimensions', 'weight'] as const
type Texts = { [Name in (typeof names)[number]]?: string }
type Body = Texts & { external_reference: string; translations: { en: Texts } }

const text = `
  with item as (
    insert into catalogue.items (house_id, public_id, external_reference, created_at, updated_at, ${names.join(', ')})
    values ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9) returning house_id, id
  )
  insert into catalogue.item_translations (house_id, item_id, locale, ${names.join(', ')})
  select item.house_id, item.id, given.* from item
  cross join (values ('nl', $5, $6, $7, $8, $9), ('en', $10, $11, $12, $13, $14)) given`

async function create(body: Body): Promise<string> {
  const id = randomUUID()
  const texts = [body, body.translations.en].flatMap((each) => names.map((name) => each[name]))
  const values = [house, id, body.external_reference, new Date(), ...texts]
  await pool.query({ name: 'create', text, values })
  return JSON.stringify({ data: { id: `itm_${id}`, ...body } })
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await create(JSON.parse(await readText(request)) as Body)
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
