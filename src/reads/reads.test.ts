import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { listOperations, listUrls, readDocument, type ContractedOperation } from '../../test/support/contract.ts'
import { findWorkers } from '../../test/support/database.ts'
import { catalogueOf, houseLine, type Line } from '../../test/support/lines.ts'
import { startService, type Statement, type TestService } from '../../test/support/service.ts'
import { numberChanges } from '../changes/numbering.ts'
import type { House } from '../context.ts'
import { findHouse } from '../houses/locks.ts'
import { followedKinds } from '../kinds.ts'
import { memoize } from './selections.ts'

const { slug, ids, lines } = catalogueOf(1)
const rows = 1000
const bigTables = [
  'auctions',
  'sessions',
  'lots',
  'items',
  'item_translations',
  'images',
  'sellers',
  'categories',
  'makers',
].concat([
  'delivery_classes',
  'increment_strategies',
  'increment_steps',
  'consignments',
  'item_categories',
  'item_makers',
  'changes',
])

// More records of every kind than the 300 rows that a read may touch. Every filter finds some.
function* manyRecords(): Generator<Line> {
  const money = { amount: 100, currency: 'EUR' }
  for (let n = 0; n < rows; n++) {
    yield { type: 'seller', ref: `s${n}`, seller_number: n % 170 }
    yield { type: 'category', ref: `c${n}`, slug: `slug-${n % 170}`, names: { nl: 'C' } }
    yield { type: 'maker', ref: `m${n}`, name: `Maker ${n % 170}` }
    yield { type: 'delivery_class', ref: `d${n}`, name: `Class ${n % 170}` }
    const steps = [{ from: money, increment: money }]
    yield { type: 'increment_strategy', ref: `i${n}`, name: `Strategy ${n % 170}`, steps }
    yield { type: 'consignment', ref: `n${n}`, number: `N-${n % 170}`, seller: `s${n % 170}` }
    yield { type: 'auction', ref: `a${n}`, external_reference: `R-${n}`, title: `A ${n}`, published: n % 50 === 0 }
    const session = { type: 'session', auction: `a${n}`, kind: 'timed', external_reference: `R-${n}` }
    yield {
      ...session,
      ref: `z${n}`,
      // The sessions with many lots come last: a first page of sessions counts few.
      opens_at: n < 30 ? '2025-01-01T00:00:00Z' : '2026-01-01T00:00:00Z',
      published: n % 50 === 0,
      increment_strategy: `i${n}`,
    }
    const links = {
      seller: `s${n}`,
      categories: [`c${n}`],
      makers: [`m${n}`],
      delivery_class: `d${n}`,
      consignment: `n${n}`,
    }
    const translations = { nl: { title: 'I' }, en: { title: 'I' } }
    yield { type: 'item', ref: `t${n}`, external_reference: `R-${n}`, title: 'I', translations, ...links }
    yield { type: 'image', item: `t${n}`, public: true, external_reference: `R-${n}` }
    // Sessions with so many lots that a read of all of them is too large.
    const held = n < 130 ? ids.session : `z${Math.floor(n / 130)}`
    for (const lot_number of [2, 3, 4].map((first) => first + 3 * (n % 130)))
      yield { type: 'lot', session: held, item: `t${n}`, lot_number, active: n % 50 === 0 }
  }
}

// A worker of Citus plans each statement anew, with its values.
const onCitus = findWorkers().length > 0
const modes = onCitus ? (['custom'] as const) : (['custom', 'generic'] as const)

let service: TestService
let key: string
let reads: ContractedOperation[]

before(async () => {
  const records = [...lines, houseLine('other'), houseLine(slug), ...manyRecords()]
  service = await startService({ records })
  const house = (await findHouse(service.db, slug))!
  while (!(await numberChanges({ db: service.db, house })));
  await sql`analyze`.execute(service.db)
  key = await service.issueKey(slug)
  reads = listOperations(await readDocument(service)).filter(({ method }) => method === 'GET')
})

after(() => service.close())

const sent = new Map<string, Statement[]>()

async function statementsOf(url: string): Promise<Statement[]> {
  const known = sent.get(url)
  if (known) return known
  await service.get('/api/v2', key)
  service.statements.length = 0
  const reply = await service.get(url, key)
  assert.equal(reply.statusCode, 200, `${url} ${reply.payload}`)
  // Any read may store documents of items later.
  const statements = service.statements.filter(
    ({ text }) => !/catalogue\.api_keys|insert into catalogue\.item_documents/.test(text),
  )
  sent.set(url, statements)
  return statements
}

const urlsOf = (operation: ContractedOperation) => listUrls(service, key, operation, ids)

const searches = { searchLots: 6, searchItems: 6, searchStaffLots: 6, searchStaffItems: 6 }

// The fingerprint needs two transactions. On Citus each locks the house first.
const mostStatements = (operation: ContractedOperation) =>
  ({ listChanges: 1 + followedKinds.length, getFingerprint: onCitus ? 10 : 8, ...searches })[operation.name] ?? 2

test('no read sends more than two statements, whatever its limit and its expansions; the feed sends one more for each type, a search six', async () => {
  for (const operation of reads) {
    const urls = await urlsOf(operation)
    // The first one has all expansions.
    for (const url of new Set([...urls, urls[0]!.replace('limit=25', 'limit=100')])) {
      const { length } = await statementsOf(url)
      assert.ok(length <= mostStatements(operation), `${url} sent ${length}`)
    }
  }
})

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
  'Distributed Query'?: { Job: { Tasks: { 'Remote Plan': { Plan: Plan }[][] }[] } }
}

// The coordinator of Citus puts the plans of its workers inside its own.
function nodesOf(plan: Plan): Plan[] {
  const tasks = plan['Distributed Query']?.Job.Tasks ?? []
  const remote = tasks.flatMap((task) => task['Remote Plan'].flat().map(({ Plan }) => Plan))
  return [plan, ...(plan.Plans ?? []), ...remote].flatMap((node, index) => (index === 0 ? [node] : nodesOf(node)))
}

type Answer = { rows: unknown[] }
const planOf = ({ rows }: Answer) => (rows[0] as { 'QUERY PLAN': { Plan: Plan }[] })['QUERY PLAN'][0]!.Plan

/**
 * The plan of a statement, custom for these values or generic. With a thousand rows a scan may be cheaper than a
 * page of look-ups. Without scans, the planner shows whether the indexes suffice for larger tables.
 */
async function explain({ text, values }: Statement, mode: 'custom' | 'generic'): Promise<Plan> {
  const client = await service.pool.connect()
  const printArray = (values: unknown[]) =>
    `{${values.map((value) => JSON.stringify(typeof value === 'bigint' ? String(value) : value)).join()}}`
  const print = (value: unknown) => {
    if (value === null) return 'null'
    if (Array.isArray(value)) return client.escapeLiteral(printArray(value))
    return client.escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value))
  }
  try {
    await client.query('begin')
    if (onCitus) await client.query(`set local citus.propagate_set_commands = 'local'`)
    await client.query(`set local plan_cache_mode = force_${mode}_plan`)
    await client.query('set local enable_seqscan = off')
    const wanted = 'explain (analyze, timing off, format json)'
    if (onCitus) return planOf(await client.query(`${wanted} ${text}`, values))
    await client.query(`prepare examined as ${text}`)
    const literals = values.map(print).join(', ')
    const given = values.length > 0 ? `(${literals})` : ''
    return planOf(await client.query(`${wanted} execute examined${given}`))
  } finally {
    await client.query('rollback')
    if (!onCitus) await client.query('deallocate examined')
    client.release()
  }
}

test('every list and every filter walks an index: the rows that it reads do not grow with the house', async () => {
  // The fingerprint reads all records, a search all that match.
  const others = ['discover', 'discoverStaff', 'getFingerprint', ...Object.keys(searches)]
  for (const operation of reads.filter(({ name }) => !others.includes(name))) {
    // These have no index: the list is walked in its order until the page is full.
    const walked = /[?&](offered|without|held|result|open)=/
    for (const url of (await urlsOf(operation)).filter((each) => !walked.test(each))) {
      for (const statement of await statementsOf(url)) {
        for (const mode of modes) {
          const nodes = nodesOf(await explain(statement, mode))
          assert.ok(nodes.some((node) => node['Relation Name'] !== undefined))
          for (const node of nodes) {
            const where = `${url} (${mode}): ${node['Node Type']} on ${node['Relation Name']}`
            const big = bigTables.includes(node['Relation Name'] ?? '')
            assert.ok(!big || node['Node Type'] !== 'Seq Scan', where)
            const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
            // The lots of a session, and their images, are all read.
            const isOfLots = url.includes('counts') || (url.startsWith('/api/v2/images?') && url.includes('session='))
            const most = isOfLots ? 750 : 300
            assert.ok(read <= most, `${where} read ${read} rows`)
          }
        }
      }
    }
  }
})

test('documents are compiled once per house and settings, and only those of a few houses stay in memory', () => {
  const made: string[] = []
  const documents = memoize(({ house }) => {
    made.push(house.id)
    return { table: sql`x`, as: 'x', tag: sql`x`, joins: sql`${house.id}` }
  })
  const ask = (id: string) => documents({ house: { id } as House, mediaBase: '' })
  assert.equal(ask('1'), ask('1'))
  for (let n = 2; n <= 600; n++) {
    ask(`${n}`)
    ask('1')
  }
  assert.equal(made.length, 600)
  ask('2')
  assert.equal(made.at(-1), '2')
})
