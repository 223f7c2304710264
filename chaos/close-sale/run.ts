import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../../src/db/pool.ts'
import { permissions } from '../../src/context.ts'
import { createKey } from '../../src/houses/api-keys.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { load } from '../../src/load/loader.ts'
import { openFileStore } from '../../src/media/file-store.ts'
import type { Line } from '../../test/support/lines.ts'
import { findPort } from '../../test/support/process.ts'
import { openServer, openStriker } from '../lib/database.ts'
import { waitUntil } from '../lib/processes.ts'
import { createRandom, type Random } from '../lib/random.ts'
import { checkSale, type Figures } from './checks.ts'
import { keepHistories, readHistories } from './history.ts'
import { openProcesses } from './instances.ts'
import { readJournal } from './journal.ts'
import { openPeople, type People } from './people.ts'
import { house as slug, houseRecords, planSale, saleRecords, type PlannedSale } from './sale.ts'

const leadMilliseconds = 8_000
const clocks = [
  [0, -10],
  [-10, 0],
  [0, 10],
  [-5, 5],
  [5, -5],
] as const

/** The figures of a sale, with how often each process was killed and commits were broken. */
export type Told = Figures & { kills: Record<string, number> }

/**
 * Closes sales of so many lots within so many seconds each, one after the other, while people bid and clerks work on two
 * instances. Unless `calm`, their clocks are ten minutes apart, processes are killed and commits broken. Checks the
 * history of each lot. The seed decides what happens; when, depends on the machine too.
 * @throws AssertionError at the first violation; the folder then stays
 */
export async function closeSales(
  { sales, seed, lots, seconds, calm }: { sales: number; seed: number; lots: number; seconds: number; calm: boolean },
  report: (told: Told, sale: number) => void = () => undefined,
): Promise<Told[]> {
  const server = await openServer('close')
  const { folder } = server
  const { db, pool } = openDatabase(server.connection, 4, { applicationName: 'observer' })
  await keepHistories(db)
  const proxy = await openStriker(server.connection)
  const processes = openProcesses(folder, proxy.connection.connectionString, [await findPort(), await findPort()])
  const media = openFileStore({ dataDir: folder, publicUrl: 'http://catalogue.test', keyring: ['no picture is read'] })

  async function loadLines(lines: Iterable<Line>): Promise<void> {
    const stream = new Blob([...lines].map((line) => `${JSON.stringify(line)}\n`)).stream()
    await load({ db, media, now: new Date() }, { name: 'sale', stream: Readable.fromWeb(stream), directory: folder })
  }

  /** Kills processes, breaks commits and sets clocks, until the sale is over. */
  async function disturb(random: Random, isOver: () => boolean): Promise<Record<string, number>> {
    const kills: Record<string, number> = {}
    while (!isOver()) {
      for (const [index, minutes] of random.pick(clocks).entries()) processes.all[index]!.setClock(minutes)
      await sleep(1_500 + random.below(5_000))
      const victim = random.pick(['instance', 'worker', 'database', 'commits', 'commits'] as const)
      kills[victim] = (kills[victim] ?? 0) + 1
      if (victim === 'commits') await proxy.strike(1 + random.below(8))
      else await processes.kill(victim, random.below(2))
    }
    return kills
  }

  async function countUndecided(session: string, held: boolean): Promise<string[]> {
    const { rows } = await sql<{ uuid: string }>`
      select l.public_id as uuid from catalogue.lots l join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
      where s.public_id = ${session} and l.result_state is null and l.held = ${held}`.execute(db)
    return rows.map(({ uuid }) => uuid)
  }

  /** Waits for the job, then decides what is left to people, and ends the session. */
  async function finish({ session }: PlannedSale, people: People): Promise<void> {
    await waitUntil('the job leaves closed lots', async () => (await countUndecided(session, false)).length === 0)
    for (const instance of processes.all) instance.setClock(0)
    for (const lot of await countUndecided(session, true))
      await people.ask({ verb: 'result', lot, state: Math.random() < 0.5 ? 'sold' : 'unsold' })
    const outcome = await people.ask({ verb: 'finish', session })
    assert.ok(outcome && 'done' in outcome, `the session is not finished: ${JSON.stringify(outcome)}`)
  }

  /** Both instances show the results that the database has. */
  async function checkAnswers({ session, lots }: PlannedSale, key: string): Promise<void> {
    const { rows } = await sql<{ id: string; sold: boolean; result: unknown }>`
      select 'lot_' || l.public_id as id, l.sold, json_build_object('state', l.result_state, 'amount', l.result_amount) as result
      from catalogue.lots l join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
      where s.public_id = ${session} order by l.lot_number`.execute(db)
    assert.equal(rows.length, lots.length)
    for (const { port } of processes.all)
      for (const { id, sold, result } of rows) {
        const reply = await fetch(`http://127.0.0.1:${port}/api/v2/lots/${id}`, {
          headers: { authorization: `Bearer ${key}` },
        })
        const { data } = (await reply.json()) as {
          data: { sold: boolean; result: { state: string; amount: { amount: number } | null } }
        }
        const shown = { state: data.result.state, amount: data.result.amount?.amount ?? null }
        assert.deepEqual([shown, data.sold], [result, sold], `the answer of ${port} for ${id}`)
      }
  }

  async function closeSale(number: number, key: string): Promise<Told> {
    const random = createRandom(seed, number)
    const sale = planSale(random, lots, new Date(Date.now() + leadMilliseconds), seconds)
    await loadLines(saleRecords(sale))
    const people = openPeople(processes, sale, random)
    const isOver = () => Date.now() > people.lastClose() + 4_000
    const disturbed = calm ? Promise.resolve({}) : disturb(createRandom(seed, -number), isOver)
    const [kills] = await Promise.all([disturbed, people.work(isOver)])
    await finish(sale, people)
    await checkAnswers(sale, key)
    const histories = await readHistories(db, sale.session)
    return { ...checkSale(sale, histories, people.attempts, await readJournal(db)), kills }
  }

  const told: Told[] = []
  try {
    await loadLines(houseRecords())
    const { key } = await createKey(db, (await findHouse(db, slug))!, [...permissions], 'chaos', new Date())
    await processes.start()
    for (let number = 1; number <= sales; number++) {
      const one = await Promise.race([closeSale(number, key), processes.failed])
      told.push(one)
      report(one, number)
    }
  } catch (error) {
    throw new Error(`seed ${seed}, sale ${told.length + 1}, see ${folder}`, { cause: error })
  } finally {
    await processes.stop()
    await proxy.close()
    await pool.end()
    await server.release()
  }
  await server.remove()
  return told
}
