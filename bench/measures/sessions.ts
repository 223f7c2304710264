import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { permissions } from '../../src/context.ts'
import { createKey } from '../../src/houses/api-keys.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { load } from '../../src/load/loader.ts'
import { openFileStore } from '../../src/media/file-store.ts'
import { openBenchData } from '../lib/data.ts'
import { startCatalogue } from '../lib/processes.ts'
import { spread } from '../lib/report.ts'

// Measures a page of 25 sessions of 500 lots with and without their counts, one request after the other, built anew each
// time; and a switch of 5,000 lots of one session, rehearsed and carried out.
const requests = 40
const lotsOfSession = 5_000

function* bigSession(slug: string): Generator<object> {
  yield { type: 'house', slug, name: 'Big', default_locale: 'nl', currency: 'EUR' }
  yield { type: 'auction', ref: 'auction', external_reference: 'A', title: 'A' }
  const timed = { first_closes_at: '2099-05-08T10:00:00Z', group_size: 1, interval_seconds: 60 }
  const session = { external_reference: 'S', kind: 'timed', opens_at: '2099-05-01T10:00:00Z', timed }
  yield { type: 'session', ref: 'session', auction: 'auction', ...session }
  for (let number = 1; number <= lotsOfSession; number++) {
    yield { type: 'item', ref: `item ${number}`, external_reference: `${number}`, title: `Vaas ${number}` }
    yield { type: 'lot', session: 'session', item: `item ${number}`, lot_number: number }
  }
}

const data = await openBenchData()
const slug = `big-${randomUUID()}`
const media = openFileStore({ dataDir: data.dataDir, publicUrl: 'http://localhost', keyring: ['unused by this load'] })
const stream = Readable.from(Array.from(bigSession(slug), (line) => Buffer.from(`${JSON.stringify(line)}\n`)))
await load({ db: data.db, media, now: new Date() }, { name: slug, stream, directory: data.dataDir })
const big = await createKey(data.db, (await findHouse(data.db, slug))!, [...permissions], null, new Date())
const service = await startCatalogue(data.dataDir, { ANSWER_CACHE_MIB: '0', RATE_LIMIT_PER_MINUTE: '0' })

async function ask(key: string, path: string, body?: object): Promise<{ text: string; milliseconds: number }> {
  const begun = performance.now()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const init = body ? { method: 'PATCH', body: JSON.stringify(body), headers } : { headers }
  const reply = await fetch(`${service.url}/api/v2/${path}`, init)
  const text = await reply.text()
  assert.equal(reply.status, 200, text)
  return { text, milliseconds: performance.now() - begun }
}

console.log(`\n## Sessions, ${data.lots} lots\n`)
for (const query of ['sessions', 'sessions?expand[]=counts']) {
  const times: number[] = []
  for (let request = 0; request < requests; request++) times.push((await ask(data.key, query)).milliseconds)
  console.log(`A page of 25, \`${query}\`: ${spread(times, 1)} ms.`)
}
const ids: string[] = []
for (let cursor: string | null = ''; cursor !== null;) {
  const page = JSON.parse((await ask(big.key, `lots?limit=100${cursor && `&cursor=${cursor}`}`)).text) as {
    data: { id: string; session: string }[]
    next_cursor: string | null
  }
  ids.push(...page.data.map(({ id }) => id))
  cursor = page.next_cursor
}
const { id } = (JSON.parse((await ask(big.key, 'sessions')).text) as { data: { id: string }[] }).data[0]!
for (const lots of [ids, 'all'])
  for (const query of ['?dry_run=true', '']) {
    const active = lots !== 'all'
    const { text, milliseconds } = await ask(big.key, `sessions/${id}/lots${query}`, { active, lots })
    assert.equal(text, JSON.stringify({ data: { changed: lotsOfSession, unchanged: 0 } }))
    const what = `${lots === 'all' ? 'all' : 'named'}${query === '' ? '' : ', rehearsed'}`
    console.log(`A switch of ${lotsOfSession} lots, ${what}: ${milliseconds.toFixed(0)} ms.`)
  }
await service.stop()
await data.close()
