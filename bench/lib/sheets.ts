import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { strToU8, Zip, ZipDeflate } from 'fflate'

const mapped = {
  Kavel: 'lot_number',
  Nr: 'external_reference',
  Titel: 'title',
  Beschrijving: 'description',
  Conditie: 'condition',
  Maten: 'dimensions',
  Gewicht: 'weight',
  Schatting: 'estimate',
  'Titel EN': 'title.en',
  'Beschrijving EN': 'description.en',
}
const others = Array.from({ length: 10 }, (_, index) => `Kolom ${index}`)
const headings = [...Object.keys(mapped), ...others]
const words = 'Delfts blauw met een voorstelling van vissers aan de waterkant in een lijst uit de achttiende eeuw. '

// A row has 1 KB in 20 columns.
const cellsOf = (row: number) => [
  String(row + 1),
  `M-${row}`,
  `Vaas ${row}`,
  `${row} ${words.repeat(2)}`.trim(),
  words.slice(0, 60),
  '12 x 34 cm',
  '2 kg',
  '400/600',
  `Vase ${row}`,
  `${row} ${words.repeat(2)}`.trim(),
  ...others.map((_, index) => `${(row * 7919 + index) % 100_000} ${words.slice(0, 40)}`),
]

const mapping = `separator: ";"
locale: nl
currency: EUR
decimal: ","
dates: d-m-y
time_zone: Europe/Amsterdam
range: "/"
all:
  auction: 2099-1
  auction.title: Voorjaar
  session: 2099-1/A
  session.title: Avond
  session.opens_at: 02-04-2099 19:00
  session.closes_at: 02-04-2099 23:00
  session.increment_strategy: Standaard
columns:
${Object.entries(mapped)
  .map(([heading, field]) => `  ${heading}: ${field}\n`)
  .join('')}`

/** Writes a CSV file of `count` rows, with its mapping. */
export async function writeCsv(path: string, count: number): Promise<void> {
  await writeFile(`${path}.mapping.yaml`, mapping)
  const file = createWriteStream(path)
  file.write(`${headings.join(';')}\n`)
  for (let row = 0; row < count; row++) if (!file.write(`${cellsOf(row).join(';')}\n`)) await once(file, 'drain')
  await finished(file.end())
}

/**
 * Writes the same rows as an XLSX file, with its mapping. Texts are in the shared list, as spreadsheet programs write
 * them.
 */
export async function writeXlsx(path: string, count: number): Promise<void> {
  await writeFile(`${path}.mapping.yaml`, mapping.replace(/^separator.*\n/, ''))
  const file = createWriteStream(path)
  const zip = new Zip((error, data) => {
    if (error) throw error
    file.write(data)
  })
  const add = (name: string, pieces: Iterable<string>) => {
    const part = new ZipDeflate(name, { level: 1 })
    zip.add(part)
    for (const piece of pieces) part.push(strToU8(piece))
    part.push(new Uint8Array(), true)
  }
  const base = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  add('xl/_rels/workbook.xml.rels', [
    `<Relationships><Relationship Id="r1" Type="${base}/worksheet" Target="sheet.xml"/>`,
    `<Relationship Id="r2" Type="${base}/sharedStrings" Target="strings.xml"/></Relationships>`,
  ])
  add('xl/workbook.xml', ['<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>'])
  const numbers = new Map<string, number>()
  const numberOf = (text: string) => {
    if (!numbers.has(text)) numbers.set(text, numbers.size)
    return numbers.get(text)!
  }
  const printRow = (cells: string[]) =>
    `<row>${cells.map((text) => `<c t="s"><v>${numberOf(text)}</v></c>`).join('')}</row>`
  function* printRows() {
    yield `<worksheet><sheetData>${printRow(headings)}`
    for (let row = 0; row < count; row++) yield printRow(cellsOf(row))
    yield '</sheetData></worksheet>'
  }
  add('xl/sheet.xml', printRows())
  function* printTexts() {
    yield '<sst>'
    for (const text of numbers.keys()) yield `<si><t>${text}</t></si>`
    yield '</sst>'
  }
  add('xl/strings.xml', printTexts())
  zip.end()
  await finished(file.end())
}
