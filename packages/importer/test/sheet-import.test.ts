import assert from 'node:assert/strict'
import { copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { after, test } from 'node:test'
import type { ItemId } from '@auction-catalogue/client'
import { picture } from '../../../test/support/pictures.ts'
import { openHouse, type Line } from './house.ts'
import { rowsOf, writeWorkbook } from './workbook.ts'

const house = await openHouse()
after(() => house.close())
const fixtures = join(import.meta.dirname, '../fixtures')

test('a sheet of a house is imported from CSV, and the same sheet as XLSX changes nothing', async () => {
  for (const name of await readdir(fixtures)) await copyFile(join(fixtures, name), join(house.folder, name))
  for (const [index, name] of ['V-118-1', 'V-118-2', 'V-119'].entries())
    await house.write(`fotos/${name}.jpg`, await picture(`#${index}${index}66ff`))
  await house.load([
    { type: 'seller', seller_number: 20114, profile_name: 'Nalatenschap' },
    { type: 'seller', seller_number: 20115, profile_name: 'Erven Van Dam' },
    { type: 'maker', name: 'De Grieksche A' },
    { type: 'maker', name: 'Jan Sluijters' },
    { type: 'maker', name: 'Kees van Dongen' },
    { type: 'category', slug: 'aardewerk', names: { nl: 'Aardewerk' } },
    { type: 'category', slug: 'schilderijen', names: { nl: 'Schilderijen' } },
    { type: 'category', slug: 'meubelen', names: { nl: 'Meubelen' } },
  ])
  const csv = join(house.folder, 'kavels.csv')
  const first = await house.end(0, 'apply', csv)
  assert.match(first, /^for staff to add: 4 lots$/m)
  const [vase] = (await house.catalogue.items.list({ external_reference: 'V-118', expand: ['images'] }).page()).data
  assert.equal(vase!.title, 'Delfts blauwe vaas')
  assert.equal(vase!.description, 'Met blauw-wit décor van chinoiserieën,\nonderaan gemerkt')
  assert.equal(vase!.translations.en!.title, 'Delft blue vase')
  assert.deepEqual(vase!.estimate, {
    low: { amount: 40_000, currency: 'EUR' },
    high: { amount: 60_000, currency: 'EUR' },
  })
  assert.deepEqual([vase!.images.length, vase!.makers.length, vase!.categories.length], [2, 1, 1])
  const [session] = (await house.catalogue.sessions.list({ external_reference: '2026-1/1' }).page()).data
  assert.equal(session!.opens_at, '2026-04-12T17:30:00.000Z')
  assert.equal(session!.settings.buyer_premium_percentage, '24.5')

  const second = await house.end(0, 'apply', join(house.folder, 'kavels.xlsx'))
  assert.match(second, /^nothing was changed$/m)

  const wrong = await house.end(1, 'apply', join(house.folder, 'kavels-fout.csv'))
  assert.match(wrong, /kavels-fout\.csv:4: column "Schatting" \(estimate\): "4OO\/600" is not an amount .*\[invalid\]/)
  // An uncorrected record is refused again.
  const again = await house.run('apply', join(house.folder, 'kavels-fout.csv.rejected.ndjson'))
  assert.match(again.stdout, /column "Schatting" \(estimate\): "4OO\/600" is not an amount .*\[invalid\]/)
})

test('a sheet is read in language, currency and time zone of the house, which staff may set, unless its mapping differs', async () => {
  const sheet = await house.write('zone.csv', 'Nr;Titel;Datum;Inzet\nZ-1;Kom;12 april 2099 19:30;45000\n')
  const columns =
    'Nr: [external_reference, session.title]\n  Titel: title\n  Datum: session.opens_at\n  Inzet: starting_bid'
  const all =
    'all: { auction: Z, auction.title: Z, session: Z/1, session.kind: live, session.closes_at: 13-04-2099 10:00, lot_number: "1" }'
  const write = (settings: string) =>
    house.write(
      'zone.csv.mapping.yaml',
      `separator: ";"\ndecimal: ","\ndates: d-m-y\n${settings}${all}\ncolumns:\n  ${columns}\n`,
    )
  await write('')
  const without = await house.run('apply', sheet)
  assert.equal(without.code, 2)
  assert.match(without.stderr, /^catalogue-import: the house has no time zone: name one in the mapping/)
  await house.command('houses', 'set', house.house.slug, '--time-zone', 'America/New_York')
  while ((await house.catalogue.discover()).house.time_zone === null) await setTimeout(50)
  await house.end(0, 'apply', sheet)
  const read = async () => (await house.catalogue.sessions.list({ external_reference: 'Z/1' }).page()).data[0]!.opens_at
  assert.equal(await read(), '2099-04-12T23:30:00.000Z')
  await write('time_zone: UTC\n')
  await house.end(0, 'apply', sheet)
  assert.equal(await read(), '2099-04-12T19:30:00.000Z')

  const [lot] = (await house.read('zone.csv.lots.csv')).trimEnd().split('\n').slice(1)
  assert.match(lot!, /,1,4500000$/)
  await house.write('zone.csv', 'Nr;Titel;Datum;Inzet;Schatting\nZ-1;Kom;12 april 2099 19:30;45000;450\n')
  await write(`time_zone: UTC\n`)
  const mapping = await house.read('zone.csv.mapping.yaml')
  await house.write('zone.csv.mapping.yaml', `${mapping}  Schatting: estimate\n`)
  const doubted = await house.end(1, 'apply', sheet)
  assert.match(
    doubted,
    /^zone\.csv:2: column "Inzet" \(starting_bid\): "45000" is EUR 45000\.00, above ten times the high estimate, EUR 450\.00: say --yes/m,
  )
  await house.end(0, 'apply', sheet, '--yes')
})

test('errors of the service and of the folder of pictures are reported with column and value', async () => {
  const rows = ['Nr;Titel;Schatting;Foto', 'R-1;Kom;"150,50";', 'R-2;Bord;100;weg.jpg', '']
  const sheet = await house.write('centen.csv', rows.join('\n'))
  const mapping = await readFile(join(fixtures, 'kavels.csv.mapping.yaml'), 'utf8')
  const columns = ['Nr: external_reference', 'Titel: title', 'Schatting: estimate', 'Foto: images']
  await house.write(
    'centen.csv.mapping.yaml',
    `${mapping.split('all:')[0]!.replace('windows-1252', 'utf-8')}columns:\n  ${columns.join('\n  ')}\n`,
  )
  const { stdout } = await house.run('apply', sheet)
  assert.match(stdout, /^centen\.csv:2: column "Schatting" \(estimate\.low\.amount\): "150,50" .*multiple of 100/m)
  assert.match(stdout, /^centen\.csv:3: column "Foto" \(file\): "weg\.jpg" there is no file fotos\/weg\.jpg/m)
  const verified = await house.run('verify', sheet)
  assert.match(verified.stdout, /^centen\.csv:2: item R-1 is not in the catalogue \[missing\]$/m)
})

test('plan, apply and verify say which cells they read as empty, and programs get the same', async () => {
  const sheet = await house.write('geen.csv', 'Nr;Titel;Inbrenger\nG-1;Kom;-\nG-2;Kan;Brak\n')
  await house.write(
    'geen.csv.mapping.yaml',
    'separator: ";"\ncolumns: { Nr: external_reference, Titel: title, Inbrenger: seller }\n',
  )
  for (const mode of ['plan', 'apply', 'verify']) {
    const lines = (await house.end(0, mode, sheet)).split('\n')
    assert.deepEqual(lines.slice(0, 2), [
      '3 rows: 1 of headings (line 1), 2 records (lines 2-3)',
      'read as none: column "Inbrenger": "-" once, "Brak" once (line 3)',
    ])
  }
  const report = JSON.parse((await house.end(0, 'plan', sheet, '--json')).trimEnd().split('\n').at(-1)!) as object
  assert.deepEqual((report as { read_as_none: object }).read_as_none, [
    { column: 'Inbrenger', word: '-', count: 1, lines: [2] },
    { column: 'Inbrenger', word: 'Brak', count: 1, lines: [3] },
  ])
})

test('an emptied title is refused, and in a verification differs, also as a translation and in the load format', async () => {
  const sheet = await house.write(
    'titels.csv',
    'Nr;Titel;Titel EN;Staat\nT-1;Vaas;Vase;gaaf\nT-2;Kan;Jug;\nT-3;Bord;;\n',
  )
  const map = (titel: string) =>
    house.write(
      'titels.csv.mapping.yaml',
      `separator: ";"\ncolumns: { Nr: external_reference, Titel: ${titel}, Titel EN: title.en, Staat: condition }\n`,
    )
  await map('title')
  await house.end(0, 'apply', sheet)
  await house.write('titels.csv', 'Nr;Titel;Titel EN;Staat\nT-1;;;barst\nT-2;Kan;;\nT-3;Bord;;\n')
  const why = 'is empty, and the item in the catalogue has "Vaas": it can be changed, not cleared'
  for (const [title, field] of [
    ['title', 'title'],
    ['title.nl', 'translations.nl.title'],
  ] as const) {
    await map(title)
    const refusal = `titels.csv:2: column "Titel" (${field}): "" ${why} [required]`
    const planned = (await house.end(1, 'plan', sheet)).split('\n')
    assert.deepEqual(
      planned.filter((line) => line.startsWith('titels.csv')),
      [refusal],
    )
    // The title in another language can be cleared.
    assert.ok(planned.includes('  titels.csv:3: item: translations.en.title'), planned.join('\n'))
    const verified = (await house.end(1, 'verify', sheet)).split('\n')
    const differences = verified.filter((line) => line.startsWith('titels.csv:2'))
    assert.ok(differences.includes(refusal) && differences.some((line) => line.includes('(condition)')))
  }
  assert.match(await house.end(1, 'apply', sheet), /^changed: 1 item$/m)
  const item = { type: 'item', external_reference: 'T-1', condition: 'gaaf' }
  const file = (fields: object) => house.write('titels.ndjson', [house.house, { ...item, ...fields }])
  const refused = await house.end(2, 'apply', await file({ title: null }))
  assert.ok(refused.includes(`titels.ndjson:2: title: ${why} [required]`), refused)
  await house.end(0, 'verify', await file({}))
  await house.end(0, 'verify', await file({ title: null, translations: { nl: { title: 'Vaas' } } }))
})

test('bounds in the wrong order, and a row without a reference, are refused with column and value', async () => {
  const sheet = await house.write('grenzen.csv', 'Nr;Titel;van;tot\nB-1;Kom;600;400\n;Kan;400;600\n')
  await house.write(
    'grenzen.csv.mapping.yaml',
    'separator: ";"\ndecimal: ","\ncolumns: { Nr: external_reference, Titel: title, van: estimate.low, tot: estimate.high }\n',
  )
  const lines = (await house.end(2, 'apply', sheet)).split('\n').filter((line) => line.startsWith('grenzen.csv'))
  assert.deepEqual(lines, [
    'grenzen.csv:2: column "van, tot" (estimate): "600, 400" estimate must not have a low bound above the high one. [low_exceeds_high]',
    'grenzen.csv:3: column "Nr" (external_reference): "" is missing: give the item a reference of its own, by which it is found again [required]',
  ])
})

test('an error in a time of a session names the column, and what depends on it has one line', async () => {
  const rows = [
    'Nr;Titel;Kavel;Open;Sluit',
    ...[1, 2, 3].map((lot) => `S-${lot};Kom;${lot};12-04-2099 19:30;11-04-2099 20:00`),
  ]
  const sheet = await house.write('tijden.csv', rows.join('\n'))
  const columns =
    'Nr: external_reference\n  Titel: title\n  Kavel: lot_number\n  Open: session.opens_at\n  Sluit: session.closes_at'
  const all = 'auction: T-1\n  auction.title: Veiling\n  session: T-1/1\n  session.title: Zitting'
  await house.write('tijden.csv.mapping.yaml', `separator: ";"\ndates: d-m-y\nall:\n  ${all}\ncolumns:\n  ${columns}\n`)
  const { stdout } = await house.run('plan', sheet)
  const faults = stdout.split('\n').filter((line) => /^tijden|not brought in/.test(line))
  assert.equal(faults.length, 2, stdout)
  assert.match(faults[0]!, /^tijden\.csv:2: column "Sluit" \(timed\.first_closes_at\): "11-04-2099 20:00" .*later/)
  assert.equal(faults[1], '3 lots not brought in: session/T-1/1 was not brought in (lines 2, 3, 4)')
})

test('the visible sheets of a workbook that are not read are named, also where the mapping names one', async () => {
  const sheet = join(house.folder, 'delen.xlsx')
  const part = (reference: string) =>
    rowsOf([
      ['Nr', 'Titel'],
      [reference, 'Kom'],
    ])
  const formatted = '<row r="1"><c r="A1" s="1"/><c r="B1"><v></v></c></row>'
  const sheets = [part('D-1'), part('D-2'), part('D-3'), formatted, rowsOf([['bellen']])]
  await writeWorkbook(sheet, sheets, {}, '', ['', '', 'hidden'])
  const columns = 'columns:\n  Nr: external_reference\n  Titel: title\n'
  for (const [named, unread] of [
    ['', ['S1', 'S4']],
    ['sheet: S1\n', ['S0', 'S4']],
    ['sheet: S2\n', ['S0', 'S1', 'S4']],
  ] as const) {
    await house.write('delen.xlsx.mapping.yaml', named + columns)
    const said = `2 rows: 1 of headings (line 1), 1 record (line 2)\nsheets that are not read: ${unread
      .map((name) => `"${name}"`)
      .join(', ')}\n`
    for (const mode of ['plan', 'apply', 'verify']) assert.ok((await house.end(0, mode, sheet)).startsWith(said), mode)
    const report = (await house.end(0, 'plan', sheet, '--json')).trimEnd().split('\n').at(-1)!
    assert.deepEqual((JSON.parse(report) as { unread_sheets: string[] }).unread_sheets, unread)
  }
})

/** The titles of the items of the missing lots of a run. */
async function offered(source: string): Promise<string[]> {
  const lots = (await house.read(`${source}.lots.csv`)).trimEnd().split('\n').slice(1)
  const items = lots.map((line) => house.catalogue.items.get(line.split(',')[1] as ItemId))
  return (await Promise.all(items)).map(({ title }) => title)
}

test('rejected rows are written in the load format: once corrected, each row has its item and its lot', async () => {
  const [headings] = (await readFile(join(fixtures, 'kavels.csv'), 'latin1')).split('\r\n')
  const session = ';;;;;;;;2026-1/1;12-04-2026;19:30;'
  const rows = [`21e;V-221;;;${session}`, `22;;Kom;;${session}`, `23;;Vaas;;${session}`]
  const sheet = await house.write('rijen.csv', [headings, ...rows, ''].join('\n'))
  const mapping = join(fixtures, 'kavels.csv.mapping.yaml')
  await house.end(1, 'apply', sheet, '--mapping', mapping)

  const rejected = (await house.read('rijen.csv.rejected.ndjson')).trimEnd().split('\n')
  const lines = rejected.map((line) => JSON.parse(line) as Line)
  assert.deepEqual(
    lines.map(({ type }) => type),
    ['house', 'item', 'lot', 'item', 'lot', 'item', 'lot'],
  )
  const mends: Record<number, object> = {
    1: { title: 'Bord' },
    2: { lot_number: 21 },
    3: { external_reference: 'V-222' },
    5: { external_reference: 'V-223' },
  }
  const mended = lines.map((line, at) => ({ ...line, ...mends[at] }))
  await house.end(0, 'apply', await house.write('rijen.csv.rejected.ndjson', mended))
  assert.deepEqual(await offered('rijen.csv.rejected.ndjson'), ['Bord', 'Kom', 'Vaas'])
})

test('a line that was not JSON can be corrected in the file of rejected records', async () => {
  const source = `${JSON.stringify(house.house)}\n{"type":"item","external_reference":"V-301" "title":"Kan"}\n`
  await house.run('apply', await house.write('torn/torn.ndjson', Buffer.from(source)))
  const file = join(house.folder, 'torn/torn.ndjson.rejected.ndjson')
  const unmended = await house.run('apply', file)
  assert.match(unmended.stdout, /rejected\.ndjson:2: .*is not valid JSON/)
  const rejected = await house.read('torn/torn.ndjson.rejected.ndjson')
  await house.write(
    'torn/torn.ndjson.rejected.ndjson',
    Buffer.from(rejected.replace(String.raw`\"V-301\" `, String.raw`\"V-301\", `)),
  )
  await house.end(0, 'apply', file)
  assert.equal((await house.catalogue.items.list({ external_reference: 'V-301' }).page()).data.length, 1)
})

test('a line with a repeated key, or beyond the bounds of `load`, is refused; a file that is no UTF-8 is refused whole', async () => {
  const lines = [
    '{"type":"item","external_reference":"V-311","title":"Kan","title":"Kom"}',
    '{"type":"item","external_reference":"V-312","title":"Kan","type":"lot"}',
    `{"type":"item","external_reference":"V-313","title":"Kan","makers":[${'1,'.repeat(20_000)}1]}`,
    `{"type":"item","external_reference":"V-314","title":"Kan","weight":${'['.repeat(9)}${']'.repeat(9)}}`,
    '{"type":"item","external_reference":"V-315","title":"Kan"}',
  ]
  const source = [JSON.stringify(house.house), ...lines].join('\n')
  const report = await house.end(1, 'apply', await house.write('twice.ndjson', Buffer.from(source)))
  assert.match(report, /^twice\.ndjson:2: title: is given twice/m)
  assert.match(report, /^twice\.ndjson:3: type: is given twice/m)
  assert.match(report, /^twice\.ndjson:4: makers\.\d+: brings the line beyond 10000 values/m)
  assert.match(report, /^twice\.ndjson:5: weight[.0]+: is nested too deeply/m)
  const references = ['V-311', 'V-312', 'V-313', 'V-314', 'V-315']
  const pages = references.map((external_reference) => house.catalogue.items.list({ external_reference }).page())
  assert.deepEqual(
    (await Promise.all(pages)).map(({ data }) => data.length),
    [0, 0, 0, 0, 1],
  )
  const latin = await house.write('latin.ndjson', Buffer.from(source.replace('"Kan"', '"Café"'), 'latin1'))
  assert.match((await house.run('apply', latin)).stderr, /latin\.ndjson cannot be read to its end: .*utf-8/)
})

test('a lookup that fails after an import leaves the item unchanged, and is reported with its cell', async () => {
  const mapping = (await readFile(join(fixtures, 'kavels.csv.mapping.yaml'), 'utf8')).split('all:')[0]!
  const columns = 'columns:\n  Nr: external_reference\n  Titel: title\n  Schatting: estimate\n'
  await house.write('opzoeken.csv.mapping.yaml', mapping.replace('windows-1252', 'utf-8') + columns)
  const write = (title: string, estimate: string) =>
    house.write('opzoeken.csv', `Nr;Titel;Schatting\nV-401;${title};${estimate}\nV-402;Kan;500\n`)
  await house.end(0, 'apply', await write('Vaas', '400/600'))
  const second = await house.end(1, 'apply', await write('Vaasje', '#N/B'))
  assert.match(second, /^nothing was changed$/m)
  assert.match(second, /^opzoeken\.csv:2: column "Schatting" \(estimate\): "#N\/B" is an error in the spreadsheet/m)
  const [vase] = (await house.catalogue.items.list({ external_reference: 'V-401' }).page()).data
  assert.deepEqual([vase!.title, vase!.estimate?.low?.amount, vase!.estimate?.high?.amount], ['Vaas', 40_000, 60_000])
})

test('rows that a run did not try because it gave up are counted as such, with the lines of rows alone', async () => {
  await house.write(
    'op.csv.mapping.yaml',
    'separator: ";"\ndecimal: ","\ncolumns:\n  Nr: external_reference\n  Titel: title\n  Taxatie: estimate\n',
  )
  const wrong = (number: number) => `G-${number};"Vaas\nmet goud";veel\n`
  const rows = ['Nr;Titel;Taxatie\n', 'G-1;Kan;300\n', wrong(2), 'G-3;Kom;300\n', wrong(4), 'G-5;Bord;300\n']
  const path = await house.write('op.csv', rows.join(''))
  const report = await house.end(1, 'apply', path, '--max-errors', '0')
  assert.match(
    report,
    /^6 rows: 1 of headings \(line 1\), 1 record \(line 2\), 1 refused \(line 3\), 3 not tried \(lines 5-8\)$/m,
  )
  assert.match(report, /^given up after 1 rejections, on line 3: correct the source and run it again/m)
  assert.match(report, /op\.csv\.rejected\.ndjson: correct .*op\.csv and apply it again$/m)
  assert.match(
    await house.end(1, 'apply', path),
    /^6 rows: 1 of headings \(line 1\), 3 records \(lines 2, 5, 8\), 2 refused \(lines 3, 6\)$/m,
  )
})
