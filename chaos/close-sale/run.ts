import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { permissions } from '../../src/context.ts'
import { openDatabase } from '../../src/db/pool.ts'
import { createKey } from '../../src/houses/api-keys.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { openFileStore } from '../../src/media/file-store.ts'
import { openClient } from '../../test/support/client.ts'
import { loadLines } from '../../test/support/inside.ts'
import { houseLine, type Line } from '../../test/support/lines.ts'
import { findPort } from '../../test/support/process.ts'
import { count, type Counts } from '../lib/counts.ts'
import { openServer, openStriker } from '../lib/database.ts'
import { waitUntil } from '../lib/processes.ts'
import { createRandom, type Random } from '../lib/random.ts'
import { saleLines } from '../lib/sale.ts'
import { checkSale, type Figures } from './checks.ts'
import { keepHistories, readHistories } from './history.ts'
import { openProcesses } from './instances.ts'
import { readJournal } from './journal.ts'
import { openPeople } from './people.ts'
import { house as slug, houseLines, planSale } from './sale.ts'

const leadMilliseconds = 8_000
const clocks = [
  [0, -10],
  [-10, 0],
  [0, 10],
  [-5, 5],
  [5, -5],
] as const

/** The figures of a sale, with how often each process was killed and commits were broken. */
export type Told = Figures & { kills: Counts }

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
  const ports = [await findPort(), await findPort()]
  const processes = openProcesses(folder, proxy.connection.connectionString, ports)
  const media = openFileStore({ dataDir: folder, publicUrl: 'http://catalogue.test', keyring: ['no picture is read'] })
  const load = (lines: Line[]) => loadLines({ db, media }, folder, lines)

  /** Kills processes, breaks commits and sets clocks, until the sale is over. */
  async function disturb(random: Random, isOver: () => boolean): Promise<Counts> {
    const kills: Counts = {}
    while (!isOver()) {
      for (const [index, minutes] of random.pick(clocks).entries()) processes.all[index]!.setClock(minutes)
      await sleep(1_500 + random.below(5_000))
      const victim = random.pick(['instance', 'worker', 'database', 'commits', 'commits'] as const)
      count(kills, victim)
      if (victim === 'commits') await proxy.strike(1 + random.below(8))
      else await processes.kill(victim, random.below(2))
    }
    return kills
  }

  async function readLots(session: string) {
    const { rows } = await sql<{
      uuid: string
      held: boolean
      sold: boolean
      state: string | null
      amount: number | null
    }>`
      select l.public_id as uuid, l.held, l.sold, l.result_state as state, l.result_amount::float8 as amount
      from catalogue.lots l join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
      where s.public_id = ${session}`.execute(db)
    return rows
  }

  /** Both instances show the results that the database has. */
  async function checkAnswers(session: string, key: string): Promise<void> {
    const rows = await readLots(session)
    assert.equal(rows.length, lots)
    for (const port of ports) {
      const client = openClient(`http://127.0.0.1:${port}`, key)
      for (const { uuid, held: _, ...stored } of rows) {
        type Shown = { sold: boolean; result: { state: string; amount: { amount: number } | null } }
        // A busy machine may be overloaded for a while.
        let reply = await client.call('GET', `lots/lot_${uuid}`)
        for (; reply.status === 503; reply = await client.call('GET', `lots/lot_${uuid}`)) await sleep(200)
        assert.equal(reply.status, 200, reply.text)
        const { sold, result } = (JSON.parse(reply.text) as { data: Shown }).data
        const shown = { sold, state: result.state, amount: result.amount?.amount ?? null }
        assert.deepEqual(shown, stored, `the answer of ${port} for ${uuid}`)
      }
      client.close()
    }
  }

  async function closeSale(number: number, key: string): Promise<Told> {
    const random = createRandom(seed, number)
    const sale = planSale(random, lots, new Date(Date.now() + leadMilliseconds), seconds)
    const { session } = sale
    await load([houseLine(slug), ...saleLines(sale)])
    const people = openPeople(processes, sale, random)
    const isOver = () => Date.now() > people.lastClose() + 4_000
    const disturbed = calm ? Promise.resolve({}) : disturb(createRandom(seed, -number), isOver)
    const [kills] = await Promise.all([disturbed, people.work(isOver)])

    // The job decides what is not held. What is left is decided by people, who then end the session.
    const findUndecided = async () => (await readLots(session)).filter(({ state }) => state === null)
    await waitUntil('the job leaves closed lots', async () => (await findUndecided()).every(({ held }) => held))
    for (const instance of processes.all) instance.setClock(0)
    for (const { uuid } of await findUndecided())
      await people.ask({ verb: 'result', lot: uuid, state: random.pick(['sold', 'unsold']) })
    const outcome = await people.ask({ verb: 'finish', session })
    assert.ok(outcome && 'done' in outcome, `the session is not finished: ${JSON.stringify(outcome)}`)

    await checkAnswers(session, key)
    const histories = await readHistories(db, session)
    return { ...checkSale(sale, histories, people.attempts, await readJournal(db)), kills }
  }

  const told: Told[] = []
  try {
    await load(houseLines)
    const { key } = await createKey(db, (await findHouse(db, slug))!, [...permissions], 'chaos', new Date())
    await processes.start()
    for (let number = 1; number <= sales; number++) {
      const one = await Promise.race([closeSale(number, key), processes.failed])
      told.push(one)
      report(one, number)
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new Error(`seed ${seed}, sale ${told.length + 1}, see ${folder}: ${cause}`, { cause: error })
  } finally {
    await processes.stop()
    await proxy.close()
    await pool.end()
    await server.release()
  }
  await server.remove()
  return told
}
