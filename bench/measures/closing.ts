import { fork } from 'node:child_process'
import path from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { form, picture } from '../../test/support/pictures.ts'
import { openClient } from '../../test/support/client.ts'
import { urlOf } from '../../test/support/address.ts'
import { percentile } from '../../test/support/statistics.ts'
import type { Bid, Bidding } from '../lib/bidder.ts'
import { createReader, openConnection, printRequest } from '../lib/client.ts'
import { sessionPage, walkPages, type Work } from '../lib/pages.ts'
import { measureProcessor, startCatalogue, startFloor, type ServerProcess } from '../lib/processes.ts'
import { increment, openSale } from '../lib/sale.ts'
import { keepDoing } from '../lib/work.ts'

// Measures a sale in its last minutes. Each of 2,000 watchers requests its page of 100 lots every two seconds with
// If-None-Match; one of twenty requests is for another page of the house. Meanwhile 50 bids per second extend lots,
// and five pictures per second are uploaded elsewhere. Every answer is compared with the bids committed before its
// request. Then the same requests are sent as fast as answers come.
const seconds = Number(process.env.BENCH_SECONDS ?? 20)
// The first seconds of a phase do not count: real watchers have sent requests before.
const leadSeconds = 3
const watchers = 2_000
const everySeconds = 2
const connections = 100
const bidsPerSecond = 50
const uploadsPerSecond = 5
const sale = await openSale(500, 20_000)
const address = { DATABASE_URL: urlOf(sale.connection), PUBLIC_URL: 'http://127.0.0.1', WORKER: 'in-process' }
const service = await startCatalogue(sale.dataDir, { ...address, RATE_LIMIT_PER_MINUTE: '999999999' })
const floor = await startFloor('reads.ts', { connection: sale.connection, house: sale.house.id })

const bench = { ...sale, lots: sale.lots.length }
const lean = ({ service: path, floor: same }: Work): Work => ({
  service: `/api/v2/${path.replace('&expand[]=session', '')}`,
  floor: `/${same.replace('session_lots', 'lean_lots')}`,
})
const watched = [sessionPage(sale.session, 100), ...(await walkPages(bench as never, 100, sale.session))].map(lean)
const { rows: sessions } = await sql<{ id: string }>`
  select public_id as id from catalogue.sessions where house_id = ${sale.house.id}
    and public_id <> ${sale.session} order by id`.execute(sale.db)
const others = sessions.map(({ id }) => lean(sessionPage(id, 100)))

/** The highest amount of each lot that the bidder has reported as committed. */
const committed = new Float64Array(sale.lots.length)
const numbers = new Map(sale.lots.map((uuid, index) => [`lot_${uuid}`, index]))

/** The content of an ETag or a body: the amounts of the lots by their number. */
type Seen = [lot: number, amount: number][]

// Parsing the whole JSON would take 3 ms, on the processors that the client shares with the service.
function readAmounts(body: Buffer): Seen {
  const lots = body.toString('latin1').matchAll(/"id":"(lot_[^"]+)".*?"current_bid":(?:null|\{"amount":(\d+))/g)
  const seen = Array.from(lots, ([, id, amount]): Seen[number] => [numbers.get(id!)!, Number(amount ?? 0)])
  if (seen.length !== 100) throw new Error(`a page has ${seen.length} lots`)
  return seen
}

type Watcher = { page: number; etag?: string }
/** The counts from a moment on: the answers, and the milliseconds of those that were due since. */
type Tally = {
  from: number
  answers: number
  reads: number[]
  statuses: Record<string, number>
  stale: number
  notModified: number
}

/** Sends requests on kept connections, and returns the answers. `etags` has the content of each ETag. */
function openConnections(server: ServerProcess, isService: boolean, tally: Tally) {
  const { host } = new URL(server.url)
  const etags = new Map<string, Seen>()
  type Job = { watcher: Watcher | undefined; due: number; done(): void }
  const waiting: Job[] = []
  const free: (() => void)[] = []
  let isDone = false

  function open() {
    let job: Job | undefined
    let before: Float64Array | undefined
    let etag: string | undefined
    const begin = () => {
      job = waiting.shift()
      if (!job) {
        free.push(begin)
        return
      }
      const { watcher } = job
      const pick = watcher ? watched[watcher.page]! : others[Math.floor(Math.random() * others.length)]!
      before = watcher && committed.slice()
      const condition = isService ? { etag: watcher?.etag } : {}
      socket.write(printRequest({ host, key: sale.key }, 'GET', isService ? pick.service : pick.floor, condition))
    }
    const wantsBody = (head: string) => {
      etag = /\r\netag: (.*?)(\r\n|$)/i.exec(head)?.[1]
      return isService && job?.watcher !== undefined && head.startsWith('HTTP/1.1 200') && !etags.has(etag!)
    }
    const read = createReader((status, _bytes, _head, body) => {
      const { watcher, due, done } = job!
      const now = performance.now()
      if (now >= tally.from) tally.answers += 1
      if (due >= tally.from) tally.reads.push(now - due)
      tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
      if (isService && watcher) {
        if (status === 304) tally.notModified += 1
        if (body) etags.set(etag!, readAmounts(body))
        watcher.etag = etag!
        if (etags.get(etag!)!.some(([lot, amount]) => amount < before![lot]!)) tally.stale += 1
      }
      done()
      begin()
    }, wantsBody)
    const socket = openConnection(server.url, read)
    socket.on('connect', begin).on('close', () => {
      if (!isDone) throw new Error('the server has closed a connection')
    })
    return socket
  }

  const sockets = Array.from({ length: connections }, open)
  return {
    ask: (watcher: Watcher | undefined, due = performance.now()) =>
      new Promise<void>((done) => {
        waiting.push({ watcher, due, done })
        free.pop()?.()
      }),
    close() {
      isDone = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

const bidder = fork(path.join(import.meta.dirname, '../lib/bidder.ts'))
const { connection, lots } = sale
bidder.send({ connection, slug: sale.house.slug, lots, increment, perSecond: bidsPerSecond } satisfies Bidding)

/** Lets bids be placed until it is stopped. Returns the milliseconds of those that were due since `from`. */
function takeBids(from: number, onBid: (bid: Bid, number: number) => void) {
  const latencies: number[] = []
  let bids = 0
  const stopped = Promise.withResolvers<number[]>()
  const listen = (message: Bid | 'stopped') => {
    if (message === 'stopped') return stopped.resolve(latencies)
    committed[message.lot] = message.amount
    if (performance.now() - message.took >= from) latencies.push(message.took)
    onBid(message, ++bids)
  }
  bidder.on('message', listen).send('start')
  return () => {
    bidder.send('stop')
    return stopped.promise.finally(() => bidder.off('message', listen))
  }
}

const file = await picture('#336699', 1_200, 900)
const { rows: items } = await sql<{ id: string }>`
  select public_id as id from catalogue.items where house_id = ${sale.house.id} order by id limit 1000`.execute(sale.db)
const uploader = openClient(service.url, sale.key)
const refusedUploads: number[] = []
async function upload(number: number): Promise<void> {
  const body = form(['external_reference', `${Date.now()}-${number}`], ['public', 'true'], ['file', file, 'a.jpg'])
  const { status } = await uploader.call('POST', `items/${items[number % items.length]!.id}/images`, body)
  if (status !== 201) refusedUploads.push(status)
}

const at = (values: number[], share: number) => percentile(values, share).toFixed(1)

async function measureSale(name: string, server: ServerProcess, paced: boolean) {
  const begun = performance.now()
  const from = begun + leadSeconds * 1000
  const tally: Tally = { from, answers: 0, reads: [], statuses: {}, stale: 0, notModified: 0 }
  const { ask, close } = openConnections(server, server === service, tally)
  const crowd = Array.from({ length: watchers }, (_, each): Watcher => ({ page: each % watched.length }))
  const sights: number[] = []
  const eager: Watcher = { page: 0 }
  const stopBids = takeBids(from, ({ lot, at }, number) => {
    if (number % 10 > 0 || server !== service) return
    const asked = ask(Object.assign(eager, { page: Math.floor(lot / 100) }))
    void asked.then(() => performance.now() >= from && sights.push(Date.now() - at))
  })
  const stopUploads = keepDoing(uploadsPerSecond, upload)
  const before = sleep(leadSeconds * 1000).then(() => measureProcessor(server, sale.dataDir))
  const end = from + seconds * 1000
  const pick = (number: number) => (number % 20 === 19 ? undefined : crowd[number % watchers]!)
  if (paced) {
    const asked: Promise<void>[] = []
    for (let number = 0; performance.now() < end; number++) {
      const due = begun + (number * everySeconds * 1000) / watchers
      const early = due - performance.now()
      await (early >= 1 ? sleep(early) : setImmediate())
      asked.push(ask(pick(number), due))
    }
    await Promise.race([Promise.all(asked), sleep(10_000)])
  } else {
    let number = 0
    const askOn = async () => {
      while (performance.now() < end) await ask(pick(number++))
    }
    await Promise.all(Array.from({ length: connections }, askOn))
  }
  const elapsed = (performance.now() - from) / 1000
  const after = await measureProcessor(server, sale.dataDir)
  const earlier = await before
  const bids = await stopBids()
  const uploads = await stopUploads()
  close()
  const each = (part: 'node' | 'postgres') => (((after[part] - earlier[part]) * 1000) / tally.answers).toFixed(2)
  const statuses = Object.entries(tally.statuses).map(([status, count]) => `${count} × ${status}`)
  const cells = [
    name,
    (tally.answers / elapsed).toFixed(0),
    `${at(tally.reads, 0.5)} / ${at(tally.reads, 0.99)}`,
    `${at(bids, 0.5)} / ${at(bids, 0.99)}`,
    sights.length > 0 ? `${at(sights, 0.5)} / ${at(sights, 0.99)}` : '',
    server === service ? String(tally.stale) : '',
    statuses.join(', '),
    `${uploads.length - refusedUploads.splice(0).length} of ${uploads.length}`,
    `${each('node')}, ${each('postgres')}`,
    (await server.memory()).toFixed(0),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

try {
  console.log(
    `\n## A sale in its last minutes: ${watchers} watchers, ${bidsPerSecond} bids and ${uploadsPerSecond} uploads a second, ${seconds} s each after a lead of ${leadSeconds}\n`,
  )
  const names = [
    '',
    'answers a second',
    'reads p50 / p99 ms',
    'bids p50 / p99 ms',
    'commit to first sight p50 / p99 ms',
  ]
  names.push('older than a bid', 'statuses', 'uploads', 'Node, PostgreSQL, ms an answer', 'MiB')
  console.log(`| ${names.join(' | ')} |\n|${' --- |'.repeat(names.length)}`)
  await measureSale('service, as they ask (warm-up)', service, true)
  for (const paced of [true, false]) {
    const how = paced ? 'as they ask' : 'as fast as answers come'
    await measureSale(`floor, ${how}`, floor, paced)
    await measureSale(`service, ${how}`, service, paced)
  }
} finally {
  bidder.disconnect()
  bidder.kill()
  uploader.close()
  await floor.stop()
  await service.stop()
  await sale.close()
}
