import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { whileLocked, type Waiters } from './locks.ts'
import { eur, houseLine, type Line } from './lines.ts'
import { startService } from './service.ts'
import type { Database } from '../../src/db/pool.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { CommandError, describeProblem } from '../../src/cli/command-error.ts'
import { Problem } from '../../src/problems.ts'
import { plainPrinter } from '../../src/sentences.ts'
import { contextAt } from './contexts.ts'

/** The fields of a lot in the interface that these tests need. */
export type ShownLot = {
  id: string
  active: boolean
  current_bid: { amount: number } | null
  closes_at: string | null
  timed?: { scheduled_closes_at: string | null }
  updated_at: string
}

/** What a command says of a refusal in the house `house`, with the ids of records. */
export function describeRefusal(refusal: unknown): string {
  if (refusal instanceof Problem) return describeProblem(refusal, plainPrinter, { slug: 'house' })
  assert.ok(refusal instanceof CommandError, `not refused: ${String(refusal)}`)
  return refusal.message
}

/** The refused work in the words of a command. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  return describeRefusal(
    await work.then(
      (value) => value,
      (error: unknown) => error,
    ),
  )
}

/** Why the work is refused: the reason, or the fields at fault. Undefined if the record is not found. */
export const reasonOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => assert.fail('it was not refused'),
    (error: unknown) => {
      assert.ok(error instanceof Problem, String(error))
      return error.reason ?? error.errors?.map(({ field }) => field).join()
    },
  )

/** The service with a house for the work of staff. Sales open at 10:00 and close from 12:00 on of one distant day. */
export async function openSaleHouse() {
  const ids = { strategy: randomUUID(), item: randomUUID(), archivedItem: randomUUID() }
  const service = await startService({
    records: [
      houseLine('house'),
      {
        type: 'increment_strategy',
        id: ids.strategy,
        name: 'Standard',
        steps: [
          { from: eur(0), increment: eur(500) },
          { from: eur(10000), increment: eur(1000) },
        ],
      },
      { type: 'item', id: ids.item, external_reference: 'I-1', title: 'Vaas' },
      { type: 'item', id: ids.archivedItem, external_reference: 'I-2', title: 'Kom', archived: true },
    ],
  })
  const { db } = service
  const house = (await findHouse(db, 'house'))!
  const key = await service.issueKey('house')

  return {
    ...service,
    ids,
    key,
    house,
    /** The context of a verb at a time. Its clock, which is also the database's, stands still unless one is given. */
    at: (time: string, clock?: () => Date) => contextAt(db, house, at(time), clock),
    /** Loads a timed session in its own auction, running from 10:00 on, with lots that close a minute apart. */
    async loadSale(session: Record<string, unknown> = {}, lots: Record<string, unknown>[] = [{}]) {
      const sale = { auction: randomUUID(), session: randomUUID(), lots: lots.map(() => randomUUID()) }
      const lines: Line[] = [
        houseLine('house'),
        { type: 'auction', id: sale.auction, external_reference: sale.auction, title: 'Voorjaar' },
        {
          type: 'session',
          id: sale.session,
          auction: sale.auction,
          external_reference: sale.session,
          titles: { nl: 'Zitting' },
          kind: 'timed',
          opens_at: at('10:00:00'),
          timed: { first_closes_at: at('12:00:00'), group_size: 1, interval_seconds: 60 },
          increment_strategy: ids.strategy,
          published: true,
          customer_bidding_enabled: true,
          ...session,
        },
        ...lots.map((lot, index) => {
          const close = at(`12:${String(index).padStart(2, '0')}:00`)
          const times = { closes_at: close, scheduled_closes_at: close }
          const lot_number = index + 1
          const own = { id: sale.lots[index], session: sale.session, item: ids.item, lot_number }
          return { type: 'lot', ...own, active: true, starting_bid: eur(5000), ...times, ...lot }
        }),
      ]
      await service.load(lines)
      return sale
    },
    /** Reads a record through the interface. */
    async read<Shown = ShownLot>(path: string): Promise<Shown> {
      const reply = await service.get(`/api/v2/${path}`, key)
      assert.equal(reply.statusCode, 200, reply.body)
      return reply.json<{ data: Shown }>().data
    },
    /** Changes a record through the interface. Returns status and problem. */
    async patch(path: string, body: unknown) {
      const reply = await service.request({ method: 'PATCH', url: `/api/v2/${path}`, key, body })
      return { status: reply.statusCode, detail: reply.json<{ detail?: string }>().detail }
    },
    /** The bids of a lot in the order in which they were recorded. */
    async bidsOn(lot: string) {
      const { rows } = await sql<{ public_id: string | null; amount: string; placed_at: Date }>`
        select b.public_id, b.amount, b.placed_at from catalogue.bids b
        join catalogue.lots l on l.house_id = b.house_id and l.id = b.lot_id where l.public_id = ${lot} order by b.id`.execute(
        db,
      )
      return rows.map((bid) => ({ ...bid, amount: Number(bid.amount) }))
    },
    /** Every row of auctions, sessions, lots, bids and the queue. A refusal must leave all of them unchanged. */
    async snapshot() {
      const tables = [
        'catalogue.auctions',
        'catalogue.sessions',
        'catalogue.lots',
        'catalogue.bids',
        'graphile_worker.jobs',
      ]
      const rows = []
      for (const name of tables) {
        const found = await sql<{
          row: unknown
        }>`select to_jsonb(t) as row from ${sql.table(name)} t order by t.id`.execute(db)
        rows.push(...found.rows)
      }
      return rows
    },
    /** Runs `others` while locks are held: see `whileLocked` in locks.ts. */
    whileLocked: <T>(lock: (tx: Database) => Promise<unknown>, ...others: Waiters<T>) =>
      whileLocked(db, lock, ...others),
  }
}

/** A time on the day of the fixture's sales. */
export function at(time: string): Date {
  return new Date(`2099-05-08T${time}Z`)
}
