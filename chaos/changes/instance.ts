import { pino } from 'pino'
import { createApp } from '../../src/app.ts'
import { contextNow, type House } from '../../src/context.ts'
import { openDatabase, type Connection } from '../../src/db/pool.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { openFileStore } from '../../src/media/file-store.ts'
import { deriveKeyrings } from '../../src/settings/secret.ts'
import { answerOrders } from '../lib/instances.ts'
import { createRandom } from '../lib/random.ts'
import { write, type Order } from './writers.ts'

// An instance of the service, in a process that can be killed. Messages tell it what its writers do.

const connection = JSON.parse(process.env.CONNECTION!) as Connection
const dataDir = process.env.DATA_DIR!
const publicUrl = 'https://catalogue.test'
const keyrings = deriveKeyrings('a secret of the histories, long enough')
const media = openFileStore({ dataDir, publicUrl, keyring: keyrings.addresses })
const { db } = openDatabase(connection, 12, { applicationName: `instance-${process.pid}` })
const app = await createApp({
  db,
  keyrings,
  publicUrl,
  media,
  rateLimitPerMinute: 0,
  cacheBytes: 0,
  windows: { in: 'memory' },
  logger: pino({ level: 'silent' }),
  connection,
  // A busy machine takes longer to read the records of a house.
  searchPatience: 60_000,
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })

const houses = new Map<string, House>()

async function carryOut({ number, slug, ids, seed }: Order) {
  const house = houses.get(slug) ?? (await findHouse(db, slug))!
  houses.set(slug, house)
  return write(contextNow(db, house), { number, slug, ids, media, dataDir }, createRandom(seed, number))
}

answerOrders(carryOut, (error) => ({ refused: String(error) }))
