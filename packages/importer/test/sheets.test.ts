import assert from 'node:assert/strict'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkRecord } from '../src/run/checks.ts'
import { recognizeEncoding } from '../src/source/encodings.ts'
import { findReferences } from '../src/source/folder.ts'
import { readMapping, type House } from '../src/mapping/mapping.ts'
import { Unusable } from '../src/misfit.ts'
import { proposeMapping } from '../src/proposal/proposal.ts'
import type { Records, SourceRecord } from '../src/records.ts'
import { openSource } from '../src/run/source.ts'
import { toldHouse } from './program.ts'
import { openFolder, recordsOf } from './reading.ts'

const fixtures = join(import.meta.dirname, '../fixtures')
const folder = await openFolder()

const read = async (path: string) => recordsOf(await openSource(path))
const records = (read: SourceRecord[]) => read.map(({ record }) => record)

test('a Dutch sheet gives the same records as CSV in Windows-1252 and as XLSX, all of them valid in the load format', async () => {
  const [csv, xlsx] = [await read(join(fixtures, 'kavels.csv')), await read(join(fixtures, 'kavels.xlsx'))]
  assert.deepEqual(records(csv), records(xlsx))
  for (const { record, errors } of csv) assert.deepEqual([...errors, ...checkRecord(record!)], [])
  const [, , session] = records(csv)
  assert.deepEqual(session, {
    type: 'session',
    ref: 'session/2026-1/1',
    auction: 'auction/2026-1',
    external_reference: '2026-1/1',
    titles: { nl: '2026-1/1' },
    kind: 'timed',
    opens_at: '2026-04-12T17:30:00.000Z',
    timed: { first_closes_at: '2099-04-15T18:00:00.000Z' },
    settings: { buyer_premium_percentage: '24.5' },
  })
  const items = records(csv).filter((record) => record?.type === 'item')
  assert.deepEqual(items[0]!.estimate, {
    low: { amount: 40_000, currency: 'EUR' },
    high: { amount: 60_000, currency: 'EUR' },
  })
  assert.equal(items[0]!.description, 'Met blauw-wit décor van chinoiserieën,\nonderaan gemerkt')
  assert.deepEqual(items[1]!.makers, ['maker/Jan Sluijters', 'maker/Kees van Dongen'])
  assert.equal(items[3]!.title, 'Kast — „Lodewijk XVI”')
  const images = records(csv).filter((record) => record?.type === 'image')
  assert.deepEqual(
    images.map(({ item, external_reference, file }) => [item, external_reference, file]),
    [
      ['item/V-118', 'V-118-1', 'fotos/V-118-1.jpg'],
      ['item/V-118', 'V-118-2', 'fotos/V-118-2.jpg'],
      ['item/V-119', 'V-119', 'fotos/V-119.jpg'],
    ],
  )
})

test('an invalid cell is reported with file, line, column and value, and its record is refused', async () => {
  const wrong = (await read(join(fixtures, 'kavels-fout.csv'))).filter(({ errors }) => errors.length > 0)
  assert.deepEqual(
    wrong.map(({ place, errors }) => [place.file, place.line, errors[0]!.column, errors[0]!.value]),
    [
      ['kavels-fout.csv', 4, 'Schatting', '4OO/600'],
      ['kavels-fout.csv', 5, 'Schatting', '1,250.50'],
    ],
  )
  assert.match(wrong[0]!.errors[0]!.message, /decimal sign "," in whole EUR, such as 1\.250$/)
  for (const { record } of wrong) assert.equal(checkRecord(record!)[0]!.field, 'estimate')
})

test('a mapping is proposed with the recognised notation and examples of each column, and asks for the rest', async () => {
  const csv = await proposeMapping(join(fixtures, 'kavels.csv'), 'kavels.csv')
  assert.match(csv.said.join('\n'), /encoding windows-1252, because it is not UTF-8/)
  assert.match(csv.said.join('\n'), /separator ";": 100 %/)
  assert.match(csv.said.join('\n'), /day and month cannot be told apart/)
  for (const line of [
    'dates:                          # FILL IN',
    '# locale: nl',
    '# time_zone: Europe/Amsterdam',
    'decimal: ","',
    '  # "V-118"   "V-119"   "V-120"\n  "Inv.nr.": external_reference',
    '"Titel EN": title.en',
    '"Schatting": estimate',
    `"Foto's": images`,
    '"Aanvang": session.opens_at',
  ])
    assert.ok(csv.text.includes(line), `${line}\n${csv.text}`)

  const xlsx = await proposeMapping(join(fixtures, 'kavels.xlsx'), 'kavels.xlsx')
  assert.match(xlsx.text, /^sheet: "Kavels"/m)
  const sheet = join(folder, 'kavels.csv')
  await copyFile(join(fixtures, 'kavels.csv'), sheet)
  const mapping = join(folder, 'kavels.csv.mapping.yaml')
  await writeFile(mapping, csv.text)
  await assert.rejects(readMapping(mapping), /dates must be one of d-m-y/)
  const filled = csv.text.replace(/^dates:/m, 'dates: d-m-y')
  await writeFile(mapping, filled)
  const errors = (await read(sheet)).flatMap((each) => each.errors)
  assert.deepEqual(errors, [])
})

test('a proposal recognises short and long texts, dates with names of months, and the folder of the pictures', async () => {
  const sheet = join(folder, 'lijst.csv')
  await mkdir(join(folder, 'fotos'))
  await writeFile(join(folder, 'fotos', 'a.jpg'), '')
  const headings = 'Kavelnr.;Objectnummer;Inzender;Omschrijving kort;Lange omschrijving;Veilingdatum;Foto'
  await writeFile(sheet, `${headings}\n1;2027-1;De Wit;Vaas;Delfts;vrijdag 2 april 2027;"b.jpg, a.jpg"\n`)
  const wrong = await proposeMapping(sheet, 'lijst.csv')
  assert.match(wrong.text, /^pictures: "\."/m)
  await writeFile(sheet, `${headings}\n1;2027-1;De Wit;Vaas;Delfts;vrijdag 2 april 2027;"a.jpg, b.jpg"\n`)
  const { text, said } = await proposeMapping(sheet, 'lijst.csv')
  for (const line of [
    'dates: "d-m-y"',
    'pictures: "fotos"',
    '"Inzender": seller',
    '"Omschrijving kort": title',
    '"Lange omschrijving": description',
  ])
    assert.ok(text.includes(line), `${line}\n${text}`)
  assert.ok(said.includes('no column looks like a session, which a lot needs: name one for all rows'))
})

const minimal = 'separator: ";"\ndecimal: ","\ndates: d-m-y\n'

test('what a mapping does not say of language, currency and time zone is that of the house, and the mapping wins', async () => {
  const path = join(folder, 'huis.csv')
  await writeFile(path, 'Nr;Titel;Inzet;Rubriek;Datum\n1;Vaas;450,50;Glas;12 april 2099 19:30\n')
  const columns =
    'all: { session: S }\ncolumns:\n  Nr: [lot_number, external_reference]\n  Titel: [title, session.title]\n  Inzet: starting_bid\n  Rubriek: categories\n  Datum: session.opens_at\n'
  const readWith = async (settings: string, house: Partial<House>) => {
    await writeFile(`${path}.mapping.yaml`, minimal + settings + columns)
    const records = await recordsOf(await openSource(path), { ...toldHouse, ...house })
    assert.deepEqual(
      records.flatMap(({ errors }) => errors),
      [],
    )
    const { session, category, lot } = Object.fromEntries(records.map(({ record }) => [record!.type, record])) as {
      [Type in 'session' | 'category' | 'lot']: Records[Type]
    }
    return [Object.keys(session.titles!), session.opens_at, Object.keys(category.names!), lot.starting_bid]
  }
  const told = await readWith('', {})
  assert.deepEqual(told, [['nl'], '2099-04-12T17:30:00.000Z', ['nl'], { amount: 45_050, currency: 'EUR' }])
  const english = { locale: 'en', currency: 'GBP', time_zone: 'Europe/London' } as const
  const other = await readWith('', english)
  assert.deepEqual(other, [['en'], '2099-04-12T18:30:00.000Z', ['en'], { amount: 45_050, currency: 'GBP' }])
  const said = 'locale: nl\ncurrency: EUR\ntime_zone: Europe/Amsterdam\n'
  assert.deepEqual(await readWith(said, { ...english, time_zone: null }), told)
  await assert.rejects(readWith('', { time_zone: null }), {
    name: 'Unusable',
    message: 'the house has no time zone: name one in the mapping, such as "time_zone: Europe/Amsterdam"',
  })
})

test('a starting bid that is a hundred times off its estimate is refused with its lot, unless it is confirmed', async () => {
  const path = join(folder, 'inzet.csv')
  const rows = [
    '800/1200;40000',
    '800/1200;12000',
    '800;8001',
    '800;8',
    '800;7,99',
    ';1',
    ';999999',
    'p.o.a.;999999',
    '9OO;999999',
  ]
  await writeFile(path, `Nr;Titel;Schatting;Inzet\n${rows.map((row, index) => `${index};Vaas;${row}`).join('\n')}\n`)
  const columns =
    'all: { session: S }\ncolumns:\n  Nr: [lot_number, external_reference]\n  Titel: title\n  Schatting: estimate\n  Inzet: starting_bid\n'
  await writeFile(`${path}.mapping.yaml`, minimal + columns)
  const wrong = async (isConfirmed: boolean) => {
    const records = await recordsOf(await openSource(path, undefined, isConfirmed))
    return records.flatMap(({ errors, place, record }) =>
      errors.map(({ message, value }) => `${place.line} ${record?.type} ${value}: ${message}`),
    )
  }
  const unreadable = '10 item 9OO: is not an amount with the decimal sign "," in whole EUR, such as 1.250'
  assert.deepEqual(await wrong(false), [
    '2 lot 40000: is EUR 40000.00, above ten times the high estimate, EUR 1200.00: say --yes if it is right',
    '4 lot 8001: is EUR 8001.00, above ten times the high estimate, EUR 800.00: say --yes if it is right',
    '6 lot 7,99: is EUR 7.99, below a hundredth of the low estimate, EUR 800.00: say --yes if it is right',
    unreadable,
  ])
  assert.deepEqual(await wrong(true), [unreadable])
})

test('an unknown key, field or column in a mapping is refused with its name', async () => {
  const path = join(folder, 'wrong.yaml')
  const good = await readFile(join(fixtures, 'kavels.csv.mapping.yaml'), 'utf8')
  const refuse = async (text: string, message: RegExp) => {
    await writeFile(path, text)
    await assert.rejects(readMapping(path), (error) => error instanceof Unusable && message.test(error.message))
  }
  await refuse(good.replace('decimal:', 'decimals:'), /decimals is unknown/)
  await refuse(good.replace('title.en', 'title.xx'), /Titel EN: title\.xx is not a field/)
  await refuse(good.replace("decimal: ','", "decimal: ';'"), /decimal must be "," or "\."/)
  await refuse(good.replace('Europe/Amsterdam', 'Amsterdam'), /time_zone must be such as/)
  await refuse('columns: [', /columns/)
  await refuse('', /is not a mapping/)
  await refuse(good.replace('auction.title: Voorjaarsveiling', 'auction.title:'), /all: auction\.title needs a value/)
  await writeFile(path, good.replace('Titel:', 'Title:'))
  const refuseRows = async (message: RegExp) => {
    const source = await openSource(join(fixtures, 'kavels.csv'), path)
    await assert.rejects(recordsOf(source), message)
  }
  await refuseRows(/no column "Title": it has "Kavelnr"/)
  await writeFile(path, good.replace('Zitting: [session, session.title]', 'Zitting:'))
  await refuseRows(/the mapping has lots, and no session: name one/)
})

test('a sheet with blank rows, blank cells behind the last heading and an unclosed cell is read as far as possible', async () => {
  const path = join(folder, 'messy.csv')
  await writeFile(path, ' ;\u00a0;\n\nNr;Titel\n ; ;\nV-1;Vaas;;;\n;;\nV-2;Kan;3\n')
  const settings =
    'separator: ";"\nlocale: nl\ncurrency: EUR\ndecimal: ","\ndates: d-m-y\ntime_zone: Europe/Amsterdam\n'
  await writeFile(
    `${path}.mapping.yaml`,
    `${settings}all:\n  auction: 2026.10\n  auction.title: 0012\ncolumns:\n  Nr: external_reference\n  Titel: title\n`,
  )
  const rows = await read(path)
  const auction = { type: 'auction', ref: 'auction/2026.10', external_reference: '2026.10', title: '0012' }
  assert.deepEqual(rows[1]!.record, auction)
  assert.deepEqual(
    rows.slice(2).map(({ record, errors }) => [record?.ref, errors.map(({ message }) => message)]),
    [
      ['item/V-1', []],
      [undefined, ['the row has 3 cells, and there are 2 headings: put a text with a separator between quotes']],
    ],
  )
  assert.match((await proposeMapping(path, 'messy.csv')).text, /"Nr"/)
  await writeFile(path, `Nr;Titel\n${'V-1;"Vaas"\n'.repeat(3)}V-2;"${'x'.repeat(300_000)}"\n`)
  assert.match((await proposeMapping(path, 'messy.csv')).text, /^separator: ";"/m)
  await writeFile(path, 'Nr;Titel;Titel\nV-1;Vaas;Kan\n')
  const doubled = await proposeMapping(path, 'messy.csv')
  assert.ok(
    doubled.said.includes('several columns are called "Titel": the mapping names all but the first by their letters'),
  )
  assert.match(doubled.text, /^  "Titel": title$[^]*^  "column C": description$/m)
  await writeFile(path, 'Nr;Titel\nV-1;"Vaas\n')
  await assert.rejects(proposeMapping(path, 'messy.csv'), (error) => error instanceof Unusable)
})

test('rows below the headings are read with the lines of the file, also below titles', async () => {
  const path = join(folder, 'titles.csv')
  const mapping = (row: string) =>
    writeFile(
      `${path}.mapping.yaml`,
      `separator: ";"\n${row}locale: nl\ncurrency: EUR\ndecimal: ","\ndates: d-m-y\ntime_zone: Europe/Amsterdam\ncolumns:\n  Nr: external_reference\n  Prijs: estimate\n`,
    )
  const readPlaces = async () =>
    (await read(path))
      .slice(1)
      .map(({ record, place, errors }) => [
        (record as { external_reference: string }).external_reference,
        place.line,
        errors.map(({ value }) => value),
      ])
  const places = [
    ['V-1', 5, []],
    ['V-2', 7, ['4OO']],
  ]
  await writeFile(path, 'sep=;\r\nVeiling; "voorjaar";\r\n\r\nNr;Prijs\r\nV-1;400\r\n;\r\nV-2;4OO\r\n')
  await mapping('heading_row: 4\n')
  assert.deepEqual(await readPlaces(), places)
  await mapping('heading_row: 3\n')
  await assert.rejects(read(path), /has no row that begins on line 3/)
  await mapping('heading_row: 9\n')
  await assert.rejects(read(path), /has no row that begins on line 9/)
  await mapping('heading_row: four\n')
  await assert.rejects(read(path), /heading_row must be the line of the headings/)
  // The `sep=` line may end with another line break than the rows.
  await writeFile(path, 'sep=;\n\r\n\r\nNr;Prijs\r\nV-1;"400"\r\n;\r\nV-2;"4OO"\r\n')
  await mapping('heading_row: 4\n')
  assert.deepEqual(await readPlaces(), places)
  // Without titles, the `sep=` line is still no row.
  await writeFile(path, 'sep=;\n\n\nNr;Prijs\nV-1;400\n\nV-2;4OO\n')
  await mapping('')
  assert.deepEqual(await readPlaces(), places)
})

test('a session is live or timed, and a mapping whose value for all rows is another word is refused', async () => {
  const path = join(folder, 'kavels.csv')
  await copyFile(join(fixtures, 'kavels.csv'), path)
  const good = await readFile(join(fixtures, 'kavels.csv.mapping.yaml'), 'utf8')
  const sessionOf = async (kind: string) => {
    await writeFile(`${path}.mapping.yaml`, good.replace(/session\.kind: .*/, `session.kind: ${kind}`))
    return (await read(path)).find(({ record }) => record?.type === 'session')!
  }
  assert.match(good, /session\.kind: /)
  const live = await sessionOf('Live')
  assert.deepEqual([(live.record as { kind: string }).kind, live.errors], ['live', []])
  await assert.rejects(
    sessionOf('zaal'),
    /"all" of the mapping: kind: "zaal" is not a kind of session: write live or timed/,
  )
})

test('encodings are recognised by their bytes', async () => {
  const path = join(folder, 'text')
  const recognize = async (bytes: Buffer) => {
    await writeFile(path, bytes)
    return (await recognizeEncoding(path)).encoding
  }
  const text = 'Tête de Zoë; prix 5 €'
  assert.equal(await recognize(Buffer.from(text)), 'utf-8')
  assert.equal(await recognize(Buffer.from(`\ufeff${text}`)), 'utf-8')
  assert.equal(await recognize(Buffer.from(text, 'utf16le')), 'utf-16le')
  assert.equal(await recognize(Buffer.from(text, 'utf16le').swap16()), 'utf-16be')
  assert.equal(await recognize(Buffer.from('Tête de Zoë', 'latin1')), 'windows-1252')
  assert.equal(await recognize(Buffer.from('T\x90te de Marthe; l\xd5\x8et\x8e', 'latin1')), 'macintosh')
  // The first letter beyond ASCII may come after the first piece.
  assert.equal(await recognize(Buffer.from(`${'x'.repeat(200_000)}é`, 'latin1')), 'windows-1252')
})

test("a picture's name gives the references with which it may begin, the longest first", () => {
  assert.deepEqual([...findReferences('V-118/02')], ['V-118/02', 'V-118', 'V'])
  assert.deepEqual([...findReferences('V-118-1 (copy)')], ['V-118-1 (copy)', 'V-118-1 (copy', 'V-118-1', 'V-118', 'V'])
})
