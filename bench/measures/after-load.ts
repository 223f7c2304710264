import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { percentile } from '../../test/support/statistics.ts'
import { measure, visit } from '../lib/client.ts'
import { openBenchData } from '../lib/data.ts'
import { findSessions, sessionPage, walkPages, type Work } from '../lib/pages.ts'
import { startCatalogue, type ServerProcess } from '../lib/processes.ts'

// Measures what the work after a load costs a storefront, and how long it takes: making documents ready, and numbering the
// feed. The state after a load is made by taking both away. BENCH_SECONDS (6), BENCH_MINUTES (10).
const seconds = Number(process.env.BENCH_SECONDS ?? 6)
const minutes = Number(process.env.BENCH_MINUTES ?? 10)
const data = await openBenchData()
const { db, house } = data

async function forget(): Promise<void> {
  await sql`truncate catalogue.item_documents`.execute(db)
  await sql`delete from catalogue.changes where house_id = ${house.id}`.execute(db)
  await sql`delete from catalogue.change_marks where house_id = ${house.id}`.execute(db)
  await sql`insert into catalogue.change_marks (house_id, kind, record_id)
    select house_id, 3, id from catalogue.items where house_id = ${house.id}`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

async function countLeft() {
  const { rows } = await sql<{ documents: number; marks: number }>`
    select ((select count(*) from catalogue.items where house_id = ${house.id} and not archived)
        - (select count(*) from catalogue.item_documents where house_id = ${house.id}))::int as documents,
      (select count(*) from catalogue.change_marks where house_id = ${house.id})::int as marks`.execute(db)
  return rows[0]!
}

const pages = {
  known: (await findSessions(data, 16)).map((session) => sessionPage(session, 100)),
  unknown: await walkPages(data, 25),
}
const urlsOf = (of: Work[], { url }: ServerProcess) => of.map(({ service }) => `${url}/api/v2/${service}`)

/** Answers a second, of known and of unknown pages. */
async function measureBoth(service: ServerProcess) {
  await visit(urlsOf(pages.known, service), data.key)
  // A process that stood still has its next batch due: it does that one meanwhile.
  await measure(urlsOf(pages.known, service), data.key, 1)
  const known = await measure(urlsOf(pages.known, service), data.key, seconds)
  const unknown = await measure(urlsOf(pages.unknown, service), data.key, seconds)
  pages.unknown.push(...pages.unknown.splice(0, Math.ceil(unknown.answers / 16)))
  return { known: known.perSecond, unknown: unknown.perSecond }
}

try {
  await forget()
  const quiet = await startCatalogue(data.dataDir, { WORKER: 'in-process', RATE_LIMIT_PER_MINUTE: '100000000' })
  const begun = performance.now()
  const ends: Record<string, number> = {}
  for (let left = await countLeft(); left.documents + left.marks > 0; left = await countLeft()) {
    for (const [name, count] of Object.entries(left)) if (count === 0) ends[name] ??= (performance.now() - begun) / 1000
    await sleep(1_000)
  }
  const all = ((performance.now() - begun) / 1000).toFixed(0)
  console.log(`\n${data.lots} lots, no requests: complete after ${all} s ${JSON.stringify(ends)}`)
  await quiet.stop()

  await forget()
  const [working, idle] = [
    await startCatalogue(data.dataDir, { WORKER: 'in-process', RATE_LIMIT_PER_MINUTE: '100000000' }),
    await startCatalogue(data.dataDir, { RATE_LIMIT_PER_MINUTE: '100000000' }),
  ]
  // The one that works stands still while the other is measured.
  const kept: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
  const until = performance.now() + minutes * 60_000
  while (performance.now() < until) {
    const beside = await measureBoth(working)
    process.kill(working.pid, 'SIGSTOP')
    const alone = await measureBoth(idle)
    process.kill(working.pid, 'SIGCONT')
    for (const name of ['known', 'unknown'] as const) kept[name].push(beside[name] / alone[name])
  }
  const left = await countLeft()
  for (const name of ['known', 'unknown'] as const)
    console.log(
      `${name} pages beside it keep ${percentile(kept[name], 0.5).toFixed(2)} of their pace (${kept[name].length} rounds)`,
    )
  console.log(`left after ${minutes} minutes of which half had traffic: ${JSON.stringify(left)}`)
  await working.stop()
  await idle.stop()
} finally {
  await data.close()
}
