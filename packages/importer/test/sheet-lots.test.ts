import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openHouse } from './house.ts'

const house = await openHouse()
after(() => house.close())

const head = 'Ref;Titel;Maker;Kavel;Inzet\n'
const mapping = `separator: ";"
decimal: ","
all:
  auction: V
  auction.title: Veiling
  session: V/1
  session.title: Zitting
  session.kind: live
  session.opens_at: 12-04-2099 10:00
  session.closes_at: 13-04-2099 10:00
dates: d-m-y
time_zone: Europe/Amsterdam
columns:
  Ref: external_reference
  Titel: title
  Maker: makers
  Kavel: lot_number
  Inzet: starting_bid
`
await house.write('kavels.csv.mapping.yaml', mapping)
const write = (rows: string) => house.write('kavels.csv', head + rows)

test('of two rows with one lot number the first has the lot, also if its item takes longer, and the second is refused', async () => {
  // The item of the first row waits for its makers.
  const makers = Array.from({ length: 20 }, (_, index) => `Maker ${index}`)
  await house.load(makers.map((name) => ({ type: 'maker', name })))
  const path = await write(`A-1;Vaas;${makers.join('|')};7;\nA-2;Kan;;7;\n`)
  await house.write('kavels.csv.mapping.yaml', `list: "|"\n${mapping}`)
  for (const mode of ['plan', 'apply'])
    assert.match(
      await house.end(1, mode, path),
      /^kavels\.csv:3: column "Kavel" \(lot_number\): "7" the session has two lots 7: line 2 has the other \[duplicate\]$/m,
    )
  const [first] = (await house.catalogue.items.list({ external_reference: 'A-1' }).page()).data
  const [, ...lots] = (await house.read('kavels.csv.lots.csv')).trimEnd().split('\n')
  assert.deepEqual(
    lots.map((line) => line.split(',').slice(1)),
    [[first!.id, '7', '']],
  )
  await house.write('kavels.csv.mapping.yaml', mapping)
})

test('a lot number or a starting bid that is taken out of a sheet is never equal while the lot has it', async () => {
  const path = await write('B-1;Vaas;;1;300\nB-2;Kan;;2;300\nB-3;Kom;;3;\nB-4;Bord;;;\n')
  await house.end(0, 'apply', path)
  await house.command('lots', 'add', '--file', join(house.folder, 'kavels.csv.lots.csv'))
  for (const mode of ['apply', 'verify']) await house.end(0, mode, path)
  await write('B-1;Vaas;;;\nB-2;Kan;;2;\nB-3;Kom;;3;\nB-4;Bord;;;\n')
  for (const mode of ['plan', 'apply', 'verify']) {
    const report = await house.end(1, mode, path)
    assert.match(
      report,
      /^kavels\.csv:2: column "Kavel" \(lot_number\): "" is 1 in the catalogue: only staff can take a lot out \[differs\]$/m,
    )
    // Staff may have set the bid, so that only a verification says that it differs.
    if (mode !== 'verify') continue
    assert.match(
      report,
      /^kavels\.csv:3: column "Inzet" \(starting_bid\): "" is EUR 300\.00 in the catalogue: only staff can change it \[differs\]$/m,
    )
    assert.match(report, /^5 rows: 1 of headings \(line 1\), 2 records \(lines 4-5\), 2 refused \(lines 2, 3\)$/m)
  }
  // A row may name its session, and lose it together with its lot number.
  await house.write(
    'kavels.csv.mapping.yaml',
    mapping
      .replace('session: V/1', 'session.title: Zitting')
      .replace('  session.title: Zitting\n', '')
      .replace('Maker: makers', 'Maker: session'),
  )
  await write('B-1;Vaas;;;\nB-2;Kan;V/1;2;300\nB-3;Kom;V/1;3;\nB-4;Bord;;;\n')
  for (const mode of ['apply', 'verify'])
    assert.match(
      await house.end(1, mode, path),
      /^kavels\.csv:2: column "Kavel" \(lot_number\): "" is 1 in the catalogue/m,
    )
})

test('verify names the lots of a session that the sheet does not have', async () => {
  await house.write('kavels.csv.mapping.yaml', mapping)
  const path = await write('B-1;Vaas;;1;300\nB-3;Kom;;3;\n')
  const report = await house.end(0, 'verify', path)
  assert.match(report, /^the session ses_\S+ has lots that the source does not name: 2$/m)
  assert.doesNotMatch(await house.end(0, 'plan', path), /does not name/)
})
