import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { proposeMapping } from '../src/proposal/proposal.ts'
import { mappingOf, openSource } from '../src/run/source.ts'
import { mapSheet, readSheet, openFolder, recordsOf } from './reading.ts'
import { writeWorkbook, rowsOf } from './workbook.ts'

const folder = await openFolder()

/** The fields of the proposal, and the items that are read once it is filled in. */
async function readAsProposed(name: string) {
  const path = join(folder, name)
  const { text } = await proposeMapping(path, name)
  const { columns } = parse(text, { schema: 'failsafe' }) as { columns: Record<string, string> }
  const settings = { locale: 'nl', currency: 'EUR', decimal: '","', dates: 'd-m-y', time_zone: 'Europe/Amsterdam' }
  const filled = Object.entries(settings).reduce(
    (mapping, [key, value]) => mapping.replace(new RegExp(`^${key}: .*$`, 'm'), `${key}: ${value}`),
    text.replace(/^all:/m, 'all:\n  session: "1"'),
  )
  await writeFile(`${path}.mapping.yaml`, filled)
  const items = []
  const source = await openSource(path)
  for (const { record, place, errors } of await recordsOf(source)) {
    assert.deepEqual(errors, [])
    if (record?.type !== 'item') continue
    const { external_reference, title, dimensions, estimate, translations } = record
    const bounds = [estimate?.low, estimate?.high].map((bound) => bound?.amount)
    items.push({ line: place.line, external_reference, title, dimensions, bounds, translations })
  }
  return { columns, items }
}

const vase = { external_reference: 'V-1', title: 'Vase', bounds: [40_000, 60_000], translations: undefined }

test('headings in two rows are proposed and read together if the upper one stands above the first of its columns', async () => {
  const write = (text: string) => writeFile(join(folder, 'two.csv'), text)
  for (const [upper, low, high] of [
    ['Schätzpreis (€)', 'von', 'bis'],
    ['Estimate', 'Low', 'High'],
    ['Schatting', 'laag', 'hoog'],
    ['Estimation', 'basse', 'haute'],
    ['Stima', 'min.', 'max.'],
  ]) {
    const bounds = { [`${upper} ${low}`]: 'estimate.low', [`${upper} ${high}`]: 'estimate.high' }
    // The other headings may stand in the upper row or in the lower one.
    await write(`Nr;Titel;${upper};;Foto\n;;${low};${high};\nV-1;Vase;400;600;\n`)
    assert.deepEqual(await readAsProposed('two.csv'), {
      columns: { Nr: 'external_reference', Titel: 'title', ...bounds, Foto: 'images' },
      items: [{ ...vase, line: 3, dimensions: undefined }],
    })
    await write(`Losliste\n\n;;${upper};;;\nNr;Titel;${low};${high};Foto;Telefon\nV-1;Vase;400;600;;030\n`)
    assert.deepEqual(await readAsProposed('two.csv'), {
      columns: { Nr: 'external_reference', Titel: 'title', ...bounds, Foto: 'images', Telefon: '' },
      items: [{ ...vase, line: 5, dimensions: undefined }],
    })
  }
  await write('Nr;Titel;Schätzpreis;;Maße;\n;;;bis;(cm);\nV-1;Vase;400;600;30;\n')
  assert.deepEqual((await readAsProposed('two.csv')).items, [{ ...vase, line: 3, dimensions: '30' }])
})

test('a merged heading reaches over its columns, and no further', async () => {
  const rows = [
    'Frühjahrsauktion 2027|||||||||||',
    'Nr.|Titel|Schätzpreis||Afmetingen|||Inbrenger|||Foto|Limit',
    '||von|bis|h|b|d|Nr.|Naam|Referentie||',
    'V-1|Vase|400|600|30|20|10|12|De Wit|W-7||380',
  ].map((row) => row.split('|'))
  const merged = ['A1:L1', 'A2:A3', 'B2:B3', 'C2:D2', 'E2:G2', 'H2:J2', 'K2:K3', 'L2:L3']
  const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')
  await writeWorkbook(join(folder, 'merged.xlsx'), [
    `${rowsOf(rows)}</sheetData><mergeCells>${merges}</mergeCells><sheetData>`,
  ])
  assert.deepEqual(await readAsProposed('merged.xlsx'), {
    columns: {
      'Nr.': 'external_reference',
      Titel: 'title',
      'Schätzpreis von': 'estimate.low',
      'Schätzpreis bis': 'estimate.high',
      'Afmetingen h': 'dimensions',
      'Afmetingen b': 'dimensions',
      'Afmetingen d': 'dimensions',
      'Inbrenger Nr.': 'seller',
      'Inbrenger Naam': '',
      'Inbrenger Referentie': '',
      Foto: 'images',
      Limit: '',
    },
    items: [{ ...vase, line: 4, dimensions: '30 x 20 x 10' }],
  })
})

test('a lower heading with another meaning than the upper one keeps its meaning', async () => {
  const text = [
    'Lote;;Pieza;Maten;;Medidas (cm);;;Depositante;;Foto',
    'Nº;Referencia;Título;Gewicht (gr);Ø (mm);Alto;Ancho;Fondo;Nº contrato;Nombre;',
    '1;V-1;Vase;3,48;22;72;64;70;D-1;De Wit;a.jpg',
  ]
  await writeFile(join(folder, 'others.csv'), text.join('\n'))
  const { columns } = parse((await proposeMapping(join(folder, 'others.csv'), 'others.csv')).text, {
    schema: 'failsafe',
  }) as { columns: Record<string, string> }
  assert.deepEqual(
    Object.values(columns),
    'lot_number external_reference title weight dimensions dimensions dimensions dimensions consignment seller images'.split(
      ' ',
    ),
  )
})

test('a language above titles and texts is their language, and a row below the headings is no heading', async () => {
  const text =
    'Nr;Nederlands;;English;;Schatting\n;Titel;Omschrijving;Title;Description;\nV-1;Kan;Blauw;Jug;Blue;400/600\n'
  await writeFile(join(folder, 'languages.csv'), text)
  const { columns, items } = await readAsProposed('languages.csv')
  assert.deepEqual(Object.values(columns), [
    'external_reference',
    'title.nl',
    'description.nl',
    'title.en',
    'description.en',
    'estimate',
  ])
  const translations = { nl: { title: 'Kan', description: 'Blauw' }, en: { title: 'Jug', description: 'Blue' } }
  assert.deepEqual(
    items.map((item) => item.translations),
    [translations],
  )
  for (const row of ['A;Titel;;40', 'V;Vase;H;40', 'Kunst;;H;'] as const) {
    await writeFile(join(folder, 'one.csv'), `Nr;Titel;Maße;Schätzpreis\n${row}\nV-2;Kom;30;50\n`)
    assert.deepEqual(Object.keys((await readAsProposed('one.csv')).columns), ['Nr', 'Titel', 'Maße', 'Schätzpreis'])
  }
  await writeFile(join(folder, 'title.csv'), 'Veiling 12 mei\nKenmerk;Titel;Schatting\nV-1;Vaas;40\n')
  assert.deepEqual(Object.keys((await readAsProposed('title.csv')).columns), ['Kenmerk', 'Titel', 'Schatting'])
})

test('a heading that is too long for a mapping is named by the letter of its column, and read', async () => {
  const path = join(folder, 'long.csv')
  const short = `Titel ${'x'.repeat(1016)}`
  for (const [title, named] of [
    [short, short],
    [`${short}x`, 'column B'],
    [`Titel${'\n'.repeat(600)}x`, 'column B'],
  ] as const) {
    await writeFile(path, `Ref;"${title}";Maten;\nV-1;Vase;9 cm;\n`)
    const said = await mapSheet(path)
    assert.equal(
      said.some((line) => line.endsWith('… is too long a heading: the mapping calls it "column B"')),
      named === 'column B',
    )
    const mapping = await readFile(mappingOf(path), 'utf8')
    assert.deepEqual(Object.keys((parse(mapping) as { columns: object }).columns), ['Ref', named, 'Maten'])
    const filled = mapping.replace(/^( {2}"column B"): *(title)?$/m, '$1: title')
    await writeFile(mappingOf(path), filled)
    const { items } = await readSheet(path)
    assert.deepEqual([items[0]!.external_reference, items[0]!.title], ['V-1', 'Vase'])
  }
})
