import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { runCommand } from '../../test/support/process.ts'
import { catalogueOf, houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { findHouse, listHouses } from '../houses/locks.ts'
import { followedKinds, kinds, type Followed } from '../kinds.ts'
import { examine, type Finding } from './records.ts'

const sound = catalogueOf(1)
const item = (number: number, fields: Record<string, unknown> = {}): Line => {
  return { type: 'item', id: uuid(number), ref: `item ${number}`, title: 'I', ...fields }
}
const image = (of: number, fields: Record<string, unknown> = {}): Line => {
  return { type: 'image', item: `item ${of}`, public: true, ...fields }
}
const session = { type: 'session', kind: 'live', auction: 'auction' }
const lot = { type: 'lot', session: 'session', item: 'item 1' }
const nameless = { id: null, ref: 'nameless' }
const twice = [
  { locale: 'fr', title: 'a' },
  { locale: 'fr', title: 'b' },
]

/**
 * A house with one valid record of every kind, and the `broken` lines, which doctor reports as `findings`. An archived
 * record is refused only where another record expands it: at `through`.
 */
type Case = { name: string; broken: Line[]; findings: [type: string, record: string | null][]; through?: string }

const cases: Case[] = [
  { name: 'a seller without a public id', broken: [{ type: 'seller', id: null }], findings: [['seller', null]] },
  { name: 'a seller without a number', broken: [{ type: 'seller', id: uuid(50) }], findings: [['seller', 'sel']] },
  {
    name: 'an archived seller, which no read shows',
    broken: [{ type: 'seller', id: null, archived: true }],
    findings: [],
  },
  {
    name: 'an item of an archived seller without a public id',
    broken: [{ type: 'seller', ...nameless, archived: true }, item(50, { seller: 'nameless' })],
    findings: [['item', 'itm']],
  },
  { name: 'a category', broken: [{ type: 'category', id: null, slug: 'c' }], findings: [['category', null]] },
  {
    name: 'a category below one without a public id',
    broken: [
      { type: 'category', ...nameless, slug: 'c' },
      { type: 'category', id: uuid(50), slug: 'd', parent: 'nameless' },
    ],
    findings: [
      ['category', null],
      ['category', 'cat'],
    ],
  },
  { name: 'a maker', broken: [{ type: 'maker', id: null, name: 'M' }], findings: [['maker', null]] },
  {
    name: 'a delivery class',
    broken: [{ type: 'delivery_class', id: null, name: 'D' }],
    findings: [['delivery_class', null]],
  },
  {
    name: 'an increment strategy and its session',
    broken: [
      { type: 'increment_strategy', ...nameless, name: 'S' },
      { ...session, id: uuid(50), increment_strategy: 'nameless' },
    ],
    findings: [
      ['increment_strategy', null],
      ['session', 'ses'],
    ],
  },
  { name: 'a consignment', broken: [{ type: 'consignment', id: uuid(50) }], findings: [['consignment', 'con']] },
  { name: 'an auction', broken: [{ type: 'auction', id: null, title: 'A' }], findings: [['auction', null]] },
  {
    name: 'a session without a public id, and its auction',
    broken: [
      { type: 'auction', ref: 'another', id: uuid(50), title: 'A' },
      { ...session, auction: 'another', id: null },
    ],
    findings: [
      ['auction', 'auc'],
      ['session', null],
    ],
  },
  {
    name: 'an item without a public id, and its lot',
    broken: [item(0, nameless), { ...lot, item: 'nameless', id: uuid(50) }],
    findings: [
      ['item', null],
      ['lot', 'lot'],
    ],
  },
  { name: 'an item with a locale twice', broken: [item(50, { translations: twice })], findings: [['item', 'itm']] },
  {
    name: 'a lot of an archived item with a locale twice',
    broken: [item(49, { translations: twice, archived: true }), { ...lot, item: 'item 49', id: uuid(50) }],
    findings: [
      ['item', 'itm'],
      ['lot', 'lot'],
    ],
    through: '/lots?expand[]=item',
  },
  {
    name: 'an archived item with an image without a public id, which an unarchived lot expands',
    broken: [item(49, { archived: true }), image(49, { id: null }), { ...lot, item: 'item 49', id: uuid(50) }],
    findings: [['item', 'itm']],
    through: '/lots?expand[]=item',
  },
  {
    name: 'an archived item whose lots are archived, which no read shows',
    broken: [
      item(49, { archived: true }),
      image(49, { id: null }),
      { ...lot, item: 'item 49', id: uuid(50), archived: true },
    ],
    findings: [],
  },
  {
    name: 'an archived auction without a title, which its session expands',
    broken: [
      { type: 'auction', ref: 'another', id: uuid(50), archived: true },
      { ...session, auction: 'another', id: uuid(51) },
    ],
    findings: [['auction', 'auc']],
    through: '/sessions?expand[]=auction',
  },
  {
    name: 'an archived auction without a session, which no read shows',
    broken: [{ type: 'auction', id: uuid(50), archived: true }],
    findings: [],
  },
  {
    name: 'a public image without a public id, and its item',
    broken: [item(50), image(50, { id: null })],
    findings: [
      ['item', 'itm'],
      ['image', null],
    ],
  },
  {
    name: 'two private images with one public id',
    broken: [item(51), image(51, { id: uuid(50), public: false }), image(51, { id: uuid(50), public: false })],
    findings: [
      ['image', 'img'],
      ['image', 'img'],
    ],
  },
  {
    name: 'an image of an archived item, which no read shows',
    broken: [item(51, { archived: true }), image(51, { id: null })],
    findings: [],
  },
  { name: 'a lot', broken: [{ ...lot, id: null, lot_number: 9 }], findings: [['lot', null]] },
  { name: 'an archived lot, which no read shows', broken: [{ ...lot, id: null, archived: true }], findings: [] },
]

let service: TestService

before(async () => {
  const houses = cases.flatMap(({ broken }, index) => {
    // Refs belong to the file: each house has its own.
    const own = (line: Line): Line => {
      const text = JSON.stringify(line).replaceAll(
        /"(nameless|another|auction|session|item \d+)"(?!:)/g,
        (_, ref) => `"${ref} ${index}"`,
      )
      return { ...(JSON.parse(text) as Line), type: line.type }
    }
    const base: Line[] = [
      { type: 'auction', ref: 'auction', id: uuid(1), title: 'A' },
      { ...session, ref: 'session', id: uuid(2) },
      item(1),
      { ...lot, id: uuid(3), lot_number: 1 },
    ]
    return [houseLine(`case-${index}`), ...[...base, ...broken].map(own)]
  })
  service = await startService({ records: [...sound.lines, ...houses] })
})

after(() => service.close())

function sketch({ type, record }: Finding): [string, string | null] {
  return [type, record.startsWith('row ') ? null : record.slice(0, 3)]
}

for (const [index, { name, findings, through }] of cases.entries()) {
  test(`the doctor reports what the interface refuses: ${name}`, async () => {
    const found = await examine(service.db, [(await findHouse(service.db, `case-${index}`))!])
    assert.deepEqual(new Set(found.map(sketch).map(String)), new Set(findings.map(String)))
    assert.equal(found.length, findings.length)
    const key = await service.issueKey(`case-${index}`)
    if (through !== undefined) {
      await service.refused(`/api/v2${through}`, key, 500, 'integrity-unavailable')
      return
    }
    for (const type of followedKinds) {
      const path = kinds[type].plural
      const expected = findings.some(([each]) => each === type) ? 500 : 200
      assert.equal((await service.get(`/api/v2/${path}`, key)).statusCode, expected, path)
    }
    for (const { type, record } of found.filter((each) => each.type !== 'image' && !each.record.startsWith('row '))) {
      await service.refused(`/api/v2/${kinds[type as Followed].plural}/${record}`, key, 500, 'integrity-unavailable')
    }
  })
}

test('the command prints one entry per record, changes nothing, and exits with 1 only if it found any', async () => {
  const { connection, dataDir } = service
  const address = 'host' in connection ? `/${connection.database}?host=${connection.host}&user=${connection.user}` : ''
  const url = 'host' in connection ? `postgres://localhost${address}` : connection.connectionString
  const settings = { DATABASE_URL: url, DATA_DIR: dataDir }
  const before = await sql`select sum(revision) from catalogue.items`.execute(service.db)
  const broken = await runCommand(settings, 'doctor', '--json')
  assert.equal(broken.code, 1, broken.stderr)
  const entries = JSON.parse(broken.stdout) as Finding[]
  assert.deepEqual(entries, await examine(service.db, await listHouses(service.db)))
  assert.equal(entries.length, cases.flatMap(({ findings }) => findings).length)
  for (const entry of entries) assert.deepEqual(Object.keys(entry), ['type', 'record', 'problem'])
  const healthy = await runCommand(settings, 'doctor', '--house', sound.slug, '--json')
  assert.deepEqual([healthy.code, JSON.parse(healthy.stdout)], [0, []])
  const unknown = await runCommand(settings, 'doctor', '--house', 'nonsense')
  assert.notEqual(unknown.code, 0)
  assert.match(unknown.stderr, /nonsense/)
  assert.deepEqual((await sql`select sum(revision) from catalogue.items`.execute(service.db)).rows, before.rows)
})
