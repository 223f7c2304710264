import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { parse } from 'yaml'
import { proposeMapping } from '../src/proposal/proposal.ts'
import { openSource } from '../src/run/source.ts'
import { readHeading } from '../src/proposal/vocabulary.ts'
import { houseSheets, type HouseSheet } from './house-sheets.ts'
import { openFolder, recordsOf } from './reading.ts'

const folder = await openFolder()

const toRows = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|'))

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function printXlsx(sheets: Record<string, string>): Uint8Array {
  const names = Object.keys(sheets)
  const printCell = (text: string, address: string) =>
    /^\d+(?:\.\d+)?$/.test(text)
      ? `<c r="${address}"><v>${text}</v></c>`
      : `<c r="${address}" t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`
  const printRow = (cells: string[], index: number) => {
    const printed = cells.map((text, column) =>
      text === '' ? '' : printCell(text, `${String.fromCharCode(65 + column)}${index + 1}`),
    )
    return `<row r="${index + 1}">${printed.join('')}</row>`
  }
  const relations = names.map(
    (_, index) =>
      `<Relationship Id="r${index}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="s${index}.xml"/>`,
  )
  const listed = names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index}"/>`)
  return zipSync({
    'xl/_rels/workbook.xml.rels': strToU8(`<Relationships>${relations.join('')}</Relationships>`),
    'xl/workbook.xml': strToU8(`<workbook><sheets>${listed.join('')}</sheets></workbook>`),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/s${index}.xml`,
        strToU8(`<worksheet><sheetData>${toRows(sheets[name]!).map(printRow).join('')}</sheetData></worksheet>`),
      ]),
    ),
  })
}

function printCsv(text: string, separator: string): string {
  const printCell = (cell: string) => (cell.includes(separator) ? `"${cell}"` : cell)
  const lines = toRows(text).map((cells) =>
    cells[0]!.startsWith('sep=') ? cells[0] : cells.map(printCell).join(separator),
  )
  return `${lines.join('\r\n')}\r\n`
}

type Mapping = Record<string, string> & { columns: Record<string, string | string[]> }

async function propose({ file, separator, sheets }: Omit<HouseSheet, 'fields'>) {
  const path = join(folder, file)
  await writeFile(path, separator ? printCsv(Object.values(sheets)[0]!, separator) : printXlsx(sheets))
  const { text, said } = await proposeMapping(path, file)
  const mapping = parse(text, { schema: 'failsafe' }) as Mapping
  const fields = Object.values(mapping.columns).map((field) => [field].flat()[0]!)
  return { path, text, said, mapping, fields }
}

for (const sheet of houseSheets)
  test(`every column of ${sheet.file} is proposed with its field, or without one`, async () => {
    const { fields, mapping } = await propose(sheet)
    const headings = Object.keys(mapping.columns)
    const pair = (list: string[]) => list.map((field, index) => `${headings[index]}: ${field}`)
    assert.deepEqual(pair(fields), pair(sheet.fields.split('|')))
  })

const csv = (text: string) => propose({ file: 'sheet.csv', separator: ';', sheets: { rows: text } })

test('a reserve is proposed without a field, and the proposal says why', async () => {
  const headings = ['Limit (€)', 'Prix de réserve']
  const { fields, said, text } = await csv(
    `Nr|Titel|${headings.join('|')}\nV-1|Vaas|${headings.map(() => 400).join('|')}\n`,
  )
  assert.deepEqual(fields, ['external_reference', 'title', ...headings.map(() => '')])
  for (const heading of headings) {
    assert.ok(said.some((line) => line.startsWith(`"${heading}" looks like a reserve, which is never published`)))
    assert.ok(text.includes(`# A reserve is never published: leave it without a field.\n  "${heading}": \n`), heading)
  }
  // The lower bound of an estimate is no reserve.
  const estimates = ['Schätzpreis min', 'Mindestschätzpreis', 'Estimación mínima', 'Min. schatting', 'Est. Min']
  for (const heading of estimates) assert.equal(readHeading(heading).candidates[0]?.field, 'estimate.low', heading)
})

test('a column of what pictures show is proposed in its language, beside a column of pictures', async () => {
  const rows = (picture: string) =>
    `Nr|Titel|Foto|Alt-tekst|Image description (en)\n1|Vaas|${picture}|Van voren gezien|Seen from the front`
  assert.deepEqual((await csv(rows('a.jpg'))).fields.slice(2), ['images', 'alt', 'alt.en'])
  assert.deepEqual((await csv(rows('geen'))).fields.slice(2), ['', '', ''])
})

test('both bounds of an estimate are found in each language, also beside a heading that is only a bound', async () => {
  for (const [low, high] of [
    ['Low Estimate', 'High Estimate'],
    ['LowEst', 'HighEst'],
    ['EST_LOW', 'EST_HIGH'],
    ['Lage schatting', 'Hoge schatting'],
    ['Taxatie van', 'Taxatie tot'],
    ['Schätzpreis von', 'Schätzpreis bis'],
    ['Unterer Schätzwert', 'Oberer Schätzwert'],
    ['Schätzpreis €', 'bis'],
    ['Schatting', 'Hoge schatting'],
    ['Estimation basse', 'Estimation haute'],
    ['Estimación desde', 'Estimación hasta'],
    ['Stima min.', 'Stima max.'],
    ['Estymacja od', 'Estymacja do'],
  ]) {
    const { fields } = await csv(`Nr|Titel|${low}|${high}\nV-1|Vaas|400|600\n`)
    assert.deepEqual(fields.slice(2), ['estimate.low', 'estimate.high'], low)
  }
  // A column that holds both is one estimate.
  const { fields } = await csv('Nr|Titel|Schätzpreis von-bis\nV-1|Vase|400-600\n')
  assert.equal(fields[2], 'estimate')
  // Beside both bounds, a third column is neither.
  const { fields: three } = await csv('Nr|Titel|Taxatie|Min. schatting|Max. schatting\nV-1|Vaas|400-600|400|600\n')
  assert.deepEqual(three.slice(2), ['', 'estimate.low', 'estimate.high'])
  const { fields: turned } = await csv('Nr|Titel|Taxatie|Max. schatting|Min. schatting\nV-1|Vaas|500|600|400\n')
  assert.deepEqual(turned.slice(2), ['', 'estimate.high', 'estimate.low'])
})

test('a column gets only a field that its cells fit, despite its heading', async () => {
  const { fields } = await csv(
    [
      'Nr|Code|Datum|Foto|Omschrijving|Inzet',
      'V-1|1012|1780|ja|Vaas|400',
      'V-2|1012|ca. 1850|nee|Kan|in overleg',
      'V-3|8911|12-04-1874|ja|Bord|80',
    ].join('\n'),
  )
  assert.deepEqual(fields, ['external_reference', '', '', '', 'title', 'starting_bid'])
  const times = await csv(
    'Nr|Datum|Tijd|Startdatum\n1|12 sept 2026|7:30 PM|12-09-2026\n2|zo. 12 april|19.30 uur|13-09-2026\n',
  )
  assert.deepEqual(times.fields, ['lot_number', 'session.opens_at', 'session.opens_at', ''])
})

test('a day of intake, payment or collection opens no session, and the value for an insurer is no estimate', async () => {
  const days = [
    'Date in',
    'Intake date',
    'Data ritiro',
    'Data consegna',
    'Datum uitbetaling',
    'Date paid',
    'Collection date',
  ]
  const others = ['Vorige taxatie', 'Taxatie verzekering', 'Previous estimate', 'Vendor min', 'Consignor notes']
  const headings = [...days, ...others]
  const cells = headings.map((heading) => (days.includes(heading) ? '12-09-2026' : '400'))
  const { fields } = await csv(`Nr|Titel|${headings.join('|')}\nV-1|Vaas|${cells.join('|')}\n`)
  assert.deepEqual(
    headings.filter((_, index) => fields[index + 2] !== ''),
    [],
  )
})

test('long texts, owners, files of pictures and premiums are found by the words of houses', async () => {
  const { fields } = await csv(
    [
      'Lot|Item ID|Lead line|Full description|BP%|Proprietario|Fotodatei',
      '1|V-1|Vase|A fine vase|25%|Rossi|v1.jpg',
      '2|V-2|Jug|A fine jug|25%|Rossi|v2.jpg',
    ].join('\n'),
  )
  const found = 'lot_number external_reference title description session.buyer_premium_percentage seller images'
  assert.deepEqual(fields, found.split(' '))
  for (const [heading, cell, field] of [
    ['Lange omschrijving', 'Met 2 oren', 'description'],
    ['Lange Beschreibung', 'Mit 2 Henkeln', 'description'],
    ['Länge (cm)', '12', 'dimensions'],
    ['Depositante', 'García', 'seller'],
  ] as const)
    assert.equal((await csv(`Nr|Titel|${heading}\nV-1|Vaas|${cell}\n`)).fields[2], field, heading)
})

test('abbreviations and column names of exports are found in their languages', async () => {
  const families: Record<string, [cell: string, headings: string]> = {
    dimensions: ['H. 12', 'Dims|Meas|Afm.|Dim.|Abm.|Med.|Wym.|Misure (cm) largh.|Dim. (cm) P.'],
    weight: ['98 g', 'Wt.|Gew.|Pds|Wgt|Tömeg'],
    condition: ['goed', 'Cond. report|CondRpt|Zust.|Erh.|Niveaux - étiq.|Füllstand'],
    categories: ['Zilver', 'Gebiet|Sammelgebiet|Afd.|Abt.|Rubr.'],
    makers: ['Rossi', 'Domaine / Château|Producteur|Manifattura|Weingut|Taller'],
    seller: ['1043', 'Inz.nr.|Inbr. nr.|Mandant|Einl.'],
    delivery_class: ['Pakket', 'ShipCode|Lieferart|Dostawa'],
    images: ['a.jpg', 'Abb.|Afb.|IMG|JPG'],
    'estimate.low': ['400', 'LoEst|Estimación de|Stima da'],
    'estimate.high': ['400', 'HiEst|Estimation à|Stima a'],
    'description.en': ['A vase', 'Katalogtext engl.|LotDesc EN|Omschr. Eng.'],
    session: ['1. Sitzung', 'Sitzung|Vacation|Ronde|Zitt.'],
    'session.opens_at': ['Tues 10 June 2025, 10.30am', 'Commences|Aanv.|Beg.|Uhrzeit'],
    '': ['02-07-2026', 'ModDate|Gewijz.|erf. am|Rg.-Nr.|Factuurnr.|Ship Y/N'],
  }
  for (const [field, [cell, headings]] of Object.entries(families))
    for (const heading of headings.split('|')) {
      const { fields } = await csv(
        `Nr|Titel|Beschreibung|${heading}\nV-1|Vase|Blau|${heading === 'Ship Y/N' ? 'Y' : cell}\n`,
      )
      assert.equal(fields[3], field, heading)
    }
  const references = ['Stamnr.', 'Int. Nr.', 'Intern nummer', 'Cod. scheda', 'Numero interno']
  for (const heading of references)
    assert.equal((await csv(`${heading}|Titel\nK-1|Vaas\n`)).fields[0], 'external_reference', heading)
  // A day within the name of a session does not make it a time.
  const { fields } = await csv('Nr|Titel|Vacation\nV-1|Vase|1re vac. – jeudi 5 juin 2025 à 14h\n')
  assert.equal(fields[2], 'session')
})

test('the proposal names a column with values and without a heading as not read', async () => {
  const { said, text } = await csv('Nr|Titel|Schätzpreis||Foto\nV-1|Vaas|400|600|a.jpg\nV-2|Kan|40|60|b.jpg\n')
  const sentence =
    'column D has no heading and is not read ("600", "60"): give it one in the sheet, or name it "column D" in the mapping'
  assert.ok(said.includes(sentence), said.join('\n'))
  assert.ok(text.includes(`# ${sentence}\n`))
  // It also names a column to the right of the last heading, such as the second one below a heading that spans two.
  const last = await propose({
    file: 'last.xlsx',
    sheets: { Lose: 'Nr|Titel|Schätzpreis\nV-1|Vaas|400|600|||som\nV-2|Kan|40|60' },
  })
  assert.ok(last.said.some((line) => line.startsWith('column G has no heading')))
  assert.ok(last.said.includes(sentence), last.said.join('\n'))
  assert.deepEqual(last.fields, ['external_reference', 'title', 'estimate'])
  const { said: others } = await csv('Nr|Titel||Foto\nV-1|Vaas||a.jpg\n')
  assert.ok(!others.some((line) => line.includes('no heading')))
})

test('the values decide which of two estimates is the low one, the meaning of single letters, and which column has pictures', async () => {
  for (const [headings, cells, fields] of [
    ['Taxe 1|Taxe 2', ['400|600', '40|60'], 'estimate.low estimate.high'],
    ['Richtprijs A|Richtprijs B', ['600|400', '60|40'], 'estimate.high estimate.low'],
    ['Est low|Estimate', ['£400|£600', '£1,200|£1,800'], 'estimate.low estimate.high'],
    ['Preis von|Preis bis', ['400|600', '40|60'], 'estimate.low estimate.high'],
    ['Low|High', ['400|600', '40|60'], 'estimate.low estimate.high'],
    ['Van|Tot', ['ma 12 mei|di 13 mei', 'wo 14 mei|do 15 mei'], ' '],
    ['H|B (cm)|D', ['30|20|10', '40|30|20'], 'dimensions dimensions dimensions'],
    ['H|Foto', ['30|a.jpg', '40|b.jpg'], ' images'],
    ['Bijlage', ['a.jpg', 'b.jpg'], 'images'],
  ] as const) {
    const { fields: found } = await csv(
      `Nr|Titel|${headings}\n${cells.map((row, index) => `V-${index}|Vaas|${row}`).join('\n')}\n`,
    )
    assert.deepEqual(found.slice(2), fields.split(' '), headings)
  }
})

test('one of two titles is the description, the name of a session is its reference, and texts without a known heading are titles', async () => {
  for (const [headings, row, fields] of [
    ['Lot|Titre|Désignation', '1|Vase|Vase en verre', 'lot_number title description'],
    ['Lot|Titre FR|Titre GB|Désignation', '1|Vase|Vase|En verre', 'lot_number title.fr title.en description'],
    ['Kavel|Titel|Naam', '1|Vaas|De Wit', 'lot_number title '],
    ['Kavel|Naam zitting|Titel', '1|Zilver|Vaas', 'lot_number session title'],
    ['Kavel|Zitting|Naam zitting|Titel', '1|A|Zilver|Vaas', 'lot_number session session.title title'],
    ['Kavel|Sneaker|Foto', '1|Air Max 90|a.jpg', 'lot_number title images'],
  ] as const) {
    const { fields: found } = await csv(`${headings}\n${row}\n${row.replace('1|', '2|').replace('Air', 'Jordan')}\n`)
    assert.deepEqual(found, fields.split(' '), headings)
  }
})

test('a column without a heading is read by its letter, and proposed by its letter if it has names of pictures', async () => {
  const rows = 'Nr|Titel|Photograph\nV-1|Vaas|a.jpg|b.jpg|groot\nV-2|Kan|c.jpg'
  for (const sheet of [
    { file: 'places.xlsx', sheets: { Lose: rows } },
    { file: 'places.csv', separator: ';', sheets: { rows } },
  ]) {
    const { path, text, mapping } = await propose(sheet)
    assert.deepEqual(mapping.columns, {
      Nr: 'external_reference',
      Titel: 'title',
      Photograph: 'images',
      'column D': 'images',
    })
    const filled = text.replace(/^decimal:/m, 'decimal: ","').replace(/^dates:/m, 'dates: d-m-y')
    await writeFile(`${path}.mapping.yaml`, `${filled}  column E: description\n`)
    const found = []
    for (const { record } of await recordsOf(await openSource(path)))
      if (record?.type === 'image') found.push(record.file)
      else if (record?.type === 'item') found.push(record.description)
    assert.deepEqual(found, ['groot', 'a.jpg', 'b.jpg', null, 'c.jpg'])
  }
})

test('currency, decimal sign and range are recognised in amounts with signs, dashes and words', async () => {
  for (const [cells, currency, decimal, range] of [
    [['€ 400 – € 600', '€ 1.200 – € 1.800', 'p.o.a.'], 'EUR', ',', '–'],
    [['£1,250', '£800 - £1,200', '-'], 'GBP', '.', '-'],
    [['600,- bis 800,- EUR', '90,- EUR'], 'EUR', ',', 'bis'],
    [['CHF 400.00/600.00'], 'CHF', '.', '/'],
  ] as const) {
    const { mapping, fields } = await csv(
      `Nr|Titel|Estimate\n${cells.map((cell, row) => `V-${row}|Vaas|${cell}`).join('\n')}\n`,
    )
    assert.deepEqual(
      [fields[2], mapping.currency, mapping.decimal, mapping.range],
      ['estimate', currency, decimal, range],
    )
  }
})

test('a filled-in proposal reads a sheet with titles and a separator line, and names the lines of the file', async () => {
  const text =
    'sep=;\nKavellijst|voorjaar\n\nKavel|Inv.nr.|Titel|Lage schatting|Hoge schatting\n1|V-1|Vaas|€ 400|€ 600\n2|V-2|Kan|€ 8O|€ 90\n'
  const { path, text: proposal, mapping } = await csv(text)
  assert.equal(mapping.heading_row, '4')
  const filled = proposal
    .replace(/^decimal:/m, 'decimal: ","')
    .replace(/^dates:/m, 'dates: d-m-y')
    .replace(/^all:/m, 'all:\n  session: "1"')
  await writeFile(`${path}.mapping.yaml`, filled)
  const source = await openSource(path)
  const items = []
  for (const { record, place, errors } of await recordsOf(source))
    if (record?.type === 'item') items.push([record.external_reference, place.line, errors.map(({ value }) => value)])
  assert.deepEqual(items, [
    ['V-1', 5, []],
    ['V-2', 6, ['€ 8O']],
  ])
})
