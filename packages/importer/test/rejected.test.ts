import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openHouse, type Line } from './house.ts'

const house = await openHouse()
after(() => house.close())

const settings = 'separator: ";"\ndates: d-m-y\ntime_zone: UTC\n'
const refusals = (report: string) => [...report.matchAll(/^\S+?:\d+: (.*\[\w+\])$/gm)].map(([, refusal]) => refusal)
const countItems = async () => (await house.catalogue.items.list().page()).data.length

/** Applies a sheet, and twice its rejected lines as they are: each is refused for the same reasons, and nothing is made. */
async function refuseAgain(name: string, text: string, mapping: string): Promise<Line[]> {
  await house.write(`${name}.mapping.yaml`, settings + mapping)
  const first = refusals(await house.end(1, 'apply', await house.write(name, text)))
  const before = await countItems()
  for (let time = 0; time < 2; time++) {
    const again = await house.run('apply', `${house.folder}/${name}.rejected.ndjson`)
    assert.deepEqual([again.code === 0, refusals(again.stdout)], [false, first])
  }
  assert.equal(await countItems(), before)
  const lines = (await house.read(`${name}.rejected.ndjson`)).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Line)
}

test('what a sheet has wrong is refused again until it is corrected', async () => {
  const rows = [
    'A-1;Vaas;1;A/1;12-04-2099 10:00',
    'A-1;Kan;2;A/1;12-04-2099 10:00',
    'A-2;Kom;3;A/1;12-04-2099 10:00;over',
    'A-3;Bord;4;A/1;13-04-2099 10:00',
    'A-4;Schaal;1;A/1;12-04-2099 10:00',
  ]
  const columns =
    'all: { auction: A, auction.title: A, session.title: A, session.closes_at: 20-04-2099 10:00 }\n' +
    'columns: { Nr: external_reference, Titel: title, Kavel: lot_number, Zitting: session, Open: session.opens_at }\n'
  const text = ['Nr;Titel;Kavel;Zitting;Open', ...rows, ''].join('\n')
  const lines = await refuseAgain('fout.csv', text, columns)
  const items = lines.filter(({ type }) => type === 'item')
  assert.deepEqual(
    items.map(({ title }) => title),
    ['Kan', 'Bord'],
  )
  // Another title does not make a second row with the same reference right.
  const twin = { ...items[0], title: 'Kan met oor' }
  const file = (item: object) => house.write('goed.ndjson', [lines[0]!, item as Line])
  assert.match(await house.end(2, 'apply', await file(twin)), /the source has A-1 twice \[duplicate\]$/m)
  assert.match(await house.end(0, 'apply', await file({ ...twin, external_reference: 'A-9' })), /^created: 1 item$/m)
  assert.equal((await house.catalogue.items.list({ external_reference: 'A-1' }).page()).data[0]!.title, 'Vaas')
})

test('a text alone in its row, and a text without its picture, are refused again', async () => {
  await refuseAgain(
    'alleen.csv',
    'Titel;Maat;Staat\nVaas;10 cm;gaaf\nGlas;;\n',
    'all: { external_reference: row }\ncolumns: { Titel: title, Maat: dimensions, Staat: condition }\n',
  )
  await refuseAgain(
    'tekst.csv',
    'Nr;Titel;Foto;Tekst\nT-1;Vaas;;Van voren\n',
    'columns: { Nr: external_reference, Titel: title, Foto: images, Tekst: alt }\n',
  )
})

test('what the service refused is tried again', async () => {
  const line = { type: 'item', external_reference: 'L-1', title: 'Lamp' }
  const source = await house.write('later.ndjson', [
    house.house,
    { ...line, estimate: { low: { amount: 150, currency: 'EUR' } } },
  ])
  await house.end(2, 'apply', source)
  const [first, rejected] = (await house.read('later.ndjson.rejected.ndjson'))
    .split('\n')
    .map((each) => JSON.parse(each || '{}') as Line)
  assert.equal('digest' in (rejected!.rejection as object), false)
  await house.end(
    0,
    'apply',
    await house.write('later.ndjson.rejected.ndjson', [first!, { ...rejected!, estimate: null }]),
  )
})
