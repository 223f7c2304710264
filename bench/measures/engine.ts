import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { sql } from 'kysely'
import { placeBid } from '../../src/lots/bids.ts'
import { json, openClient } from '../../test/support/client.ts'
import { eur } from '../../test/support/lines.ts'
import { measure } from '../lib/client.ts'
import { catalogueRecords } from '../lib/data.ts'
import { openBenchDatabase } from '../lib/database.ts'
import { startCatalogue } from '../lib/processes.ts'
import { openingLines } from '../lib/sale.ts'
import { repeat } from '../lib/work.ts'
import { contextNow } from '../../src/context.ts'

// Measures load, reads, writes and bids on the empty database of DATABASE_URL, such as one PostgreSQL or a Citus, to
// compare the two. BENCH_LOTS lots are in BENCH_HOUSES houses (4), and the work is spread over these. Nothing is
// cached.
const url = process.env.DATABASE_URL
if (url === undefined) throw new Error('set DATABASE_URL to an empty database')
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const lots = Number(process.env.BENCH_LOTS ?? 200_000)
const houses = Array.from({ length: Number(process.env.BENCH_HOUSES ?? 4) }, (_, index) => `house-${index}`)
const clients = 8
const bidders = 16

const database = await openBenchDatabase(bidders, { url })
const { db, dataDir } = database

type Sale = { lot: string; next: number }[]

function* recordsOf(slug: string, sale: Sale): Generator<object> {
  yield* catalogueRecords(slug, Math.round(lots / houses.length))
  const session = randomUUID()
  const closes = new Date(Date.now() + 3_600_000)
  yield* openingLines(session, closes)
  yield { type: 'item', ref: 'sold', external_reference: 'sold', title: 'Vaas' }
  for (const [index, { lot }] of sale.entries()) {
    const times = { closes_at: closes, scheduled_closes_at: closes }
    const own = { id: lot, session, item: 'sold', lot_number: index + 1, active: true }
    yield { type: 'lot', ...own, starting_bid: eur(100), ...times }
  }
}

async function fill(slug: string) {
  const sale: Sale = Array.from({ length: 50 }, () => ({ lot: randomUUID(), next: 100 }))
  const { records } = await database.load(recordsOf(slug, sale))
  const { house, key } = await database.openHouse(slug)
  const { rows } = await sql<{ id: string }>`
    select public_id as id from catalogue.lots where house_id = ${house.id} limit 500`.execute(db)
  return {
    house,
    key,
    sale,
    lots: rows.map(({ id }) => id),
    records: Object.values(records).reduce((a, b) => a + b, 0),
  }
}

type House = Awaited<ReturnType<typeof fill>>

/** Answers per second to these paths of each house, of all houses at once. */
async function read(origin: string, filled: House[], paths: (house: House) => string[]): Promise<number> {
  const rates = await Promise.all(
    filled.map((house) =>
      measure(
        paths(house).map((each) => `${origin}/api/v2/${each}`),
        house.key,
        seconds,
      ),
    ),
  )
  return rates.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

try {
  const begun = performance.now()
  const filled: House[] = []
  for (const slug of houses) filled.push(await fill(slug))
  const loaded = (performance.now() - begun) / 1000
  await sql`analyze`.execute(db)

  const service = await startCatalogue(dataDir, { DATABASE_URL: url, ANSWER_CACHE_MIB: '0' })
  const figures = new Map<string, number>()
  figures.set('lines loaded', filled.reduce((sum, { records }) => sum + records, 0) / loaded)
  const page = 'lots?limit=25&expand[]=item&expand[]=item.images&expand[]=session'
  figures.set('pages of 25 lots', await read(service.url, filled, () => [page]))
  figures.set('one lot', await read(service.url, filled, (house) => house.lots.map((id) => `lots/lot_${id}`)))

  const writing = filled.map(({ key }) => openClient(service.url, key, clients))
  const create = async (turn: number) => {
    const body = { external_reference: randomUUID(), title: 'Vaas', translations: { en: { title: 'Vase' } } }
    const { status, text } = await writing[turn % writing.length]!.call('POST', 'items', json(body))
    if (status !== 201) throw new Error(text)
  }
  figures.set('items created', await repeat(clients, seconds, create))
  for (const client of writing) client.close()
  await service.stop()

  const bid = async (turn: number) => {
    const { house, sale } = filled[turn % filled.length]!
    const lot = sale[Math.floor(turn / filled.length) % sale.length]!
    const amount = (lot.next += 100)
    const context = contextNow(db, house)
    await placeBid(context, { lot: lot.lot, amount })
  }
  figures.set('bids', await repeat(bidders, seconds, bid))
  const load1 = loadavg()[0]!.toFixed(1)
  console.log(`\n${lots} lots in ${houses.length} houses, load ${load1}\n\n| work | 1/s |\n| --- | ---: |`)
  for (const [work, rate] of figures) console.log(`| ${work} | ${rate.toFixed(0)} |`)
} finally {
  await database.close()
}
