import { sql } from 'kysely'
import { percentile } from '../../test/support/statistics.ts'
import { openClient } from '../../test/support/client.ts'
import { numberChanges } from '../../src/changes/numbering.ts'
import { openBenchData } from '../lib/data.ts'
import { startCatalogue } from '../lib/processes.ts'
import { spread } from '../lib/report.ts'

// Measures a read of the whole feed of changes, page by page on one connection, and lists of the same records to
// compare; the fingerprint; and the bytes of a record in the feed, after one load and after many changes.
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

type Page = { data: unknown[]; has_more?: boolean; next_cursor: string | null }

const data = await openBenchData()
const { db, house } = data

async function number(): Promise<void> {
  while (!(await numberChanges({ db, house })));
}

async function measureStorage(): Promise<string> {
  await sql`vacuum catalogue.changes`.execute(db)
  await sql`vacuum catalogue.change_marks`.execute(db)
  const { rows } = await sql<{
    records: number
    bytes: number
    heap: number
    key: number
    walk: number
    marks: number
  }>`
    select count(*)::int as records, pg_relation_size('catalogue.changes')::float8 as heap,
      pg_relation_size('catalogue.changes_pkey')::float8 as key, pg_relation_size('catalogue.changes_by_place')::float8 as walk,
      pg_total_relation_size('catalogue.change_marks')::float8 as marks,
      pg_total_relation_size('catalogue.changes')::float8 as bytes from catalogue.changes`.execute(db)
  const { records, bytes, heap, key, walk, marks } = rows[0]!
  const each = (part: number) => (part / records).toFixed(1)
  return `${each(bytes)} bytes a record (table ${each(heap)}, key ${each(key)}, walk ${each(walk)}; marks beside ${each(marks)})`
}

// Changes a share of the lots and items, with marks as writes make them.
async function change(share: number): Promise<void> {
  for (const [kind, table] of [[2, 'lots'] as const, [3, 'items'] as const]) {
    await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`
      with changed as (update ${sql.table(`catalogue.${table}`)} set revision = revision + 1
        where house_id = ${house.id} and random() < ${share} returning id)
      insert into catalogue.change_marks (house_id, kind, record_id) select ${house.id}, ${kind}, id from changed`.execute(
        tx,
      )
    })
  }
  await number()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

console.log(`\n## Changes, ${data.lots} lots with their items\n`)
console.log(`Numbering what is marked: ${((await timed(number)) / 1000).toFixed(1)} s.`)
console.log(`Storage now: ${await measureStorage()}.`)
const service = await startCatalogue(data.dataDir)
const client = openClient(service.url, data.key)
try {
  async function walk(path: string, parameter: string) {
    const pages: number[] = []
    let records = 0
    for (let next: string | null = ''; next !== null;) {
      let page: Page
      const at = next === '' ? '' : `&${parameter}=${next}`
      pages.push(await timed(async () => (page = await client.read<Page>(`${path}${at}`))))
      records += page!.data.length
      next = page!.has_more === false ? null : page!.next_cursor
    }
    const total = pages.reduce((sum, each) => sum + each, 0)
    const median = (part: number[]) => percentile(part, 0.5).toFixed(2)
    const ends = `${median(pages.slice(1, 101))} and ${median(pages.slice(-101, -1))}`
    return `| ${path} | ${records} | ${((1000 * records) / total).toFixed(0)} | ${ends} |`
  }
  console.log('\n| one connection | records | records a second | median ms of the first and of the last 100 pages |')
  console.log('| --- | ---: | ---: | ---: |')
  for (let round = 0; round < rounds; round++) {
    for (const path of ['lots?limit=100', 'items?limit=100']) console.log(await walk(path, 'cursor'))
    for (const path of ['changes?limit=100&expand[]=record', 'changes?limit=100'])
      console.log(await walk(path, 'after'))
  }
  const proofs: number[] = []
  for (let round = 0; round < rounds * 2; round++) proofs.push(await timed(() => client.read('changes/fingerprint')))
  console.log(`\nFingerprint: ${spread(proofs, 0)} ms.`)
} finally {
  client.close()
  await service.stop()
}
for (const [share, times] of [[0.1, 10] as const, [1, 1] as const]) {
  for (let time = 0; time < times; time++) {
    await change(share)
    await sql`vacuum catalogue.changes`.execute(db)
  }
  console.log(`Storage after ${times} times ${100 * share} % were changed: ${await measureStorage()}.`)
}
await data.close()
