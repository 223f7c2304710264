import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseAmount, type DecimalSign } from './amounts.ts'
import type { Cell } from './cells.ts'
import { fields as allFields, locales } from './mapping.ts'
import { escapeControls } from './output.ts'
import { isXlsx, listSheets, openSheet, recognizeCsv } from './sheet.ts'

// Words of headings in the languages of the locales, the more telling first.
const words: [field: string, pattern: RegExp][] = [
  ['lot_number', /^(kavel|lot|los)\s*-?\s*(nr|nummer|no|number|num[ée]ro)?\.?$|^(nr|no|num[ée]ro)\.?$/i],
  [
    'external_reference',
    /referen|\bref\b|inventar|inv\.?\s*nr|object\s*(nr|nummer|id)|artikel\s*(nr|nummer)|^id$|code/i,
  ],
  ['estimate.low', /(schatting|taxatie|estimate|estimation|schätz\w*).*(laag|low|van|min|basse|unter)/i],
  ['estimate.high', /(schatting|taxatie|estimate|estimation|schätz\w*).*(hoog|high|tot|max|haute|ober)/i],
  ['estimate', /schatting|taxatie|richtprijs|estimat|schätz|stima|estimación/i],
  ['starting_bid', /inzet|startbod|startprijs|starting|mise\s*à\s*prix|limit|aufruf/i],
  ['images', /foto|photo|image|afbeelding|bild|picture|immagin/i],
  ['dimensions', /afmeting|maten|formaat|dimension|size|ma(ß|ss)e|gr(ö|oe)(ß|ss)e/i],
  ['weight', /gewicht|weight|poids|peso/i],
  ['condition', /conditie|staat|condition|état|zustand/i],
  ['seller', /verkoper|inbrenger|inzender|seller|vendeur|einlieferer|vendor/i],
  ['makers', /maker|kunstenaar|artist|artiste|auteur|künstler|autor/i],
  ['categories', /rubriek|categor|catégor|kategorie/i],
  ['delivery_class', /aflever|levering|delivery|livraison|versand/i],
  ['consignment', /consign|inbreng|contract|dépôt/i],
  ['session.opens_at', /aanvang|begin|opens|ouverture|datum|date|zeit|tijd|uur/i],
  ['session', /zitting|sessie|session|vacation|sitzung/i],
  ['auction', /veiling|auction|vente|auktion/i],
  ['title', /titel|title|titre|naam|name|bezeichnung|\bkorte?\b|\bshort\b/i],
  ['description', /omschrijving|beschrijving|description|beschreibung|tekst|text/i],
]

const quote = (text: string) => JSON.stringify(text)

// Date and time of an opening may be in two columns, and pictures in many.
const repeatable = new Set(['images', 'session.opens_at'])
const translatable = ['title', 'description', 'condition', 'dimensions', 'weight']

function proposeField(heading: string, taken: Set<string>): string | undefined {
  const ending = /[\s.(_-]([a-z]{2})\)?$/i.exec(heading)
  const locale = ending?.[1]?.toLowerCase() ?? ''
  if (locales.includes(locale)) {
    const text = words.find(
      ([field, pattern]) => translatable.includes(field) && pattern.test(heading.slice(0, ending!.index)),
    )
    if (text !== undefined) return `${text[0]}.${locale}`
  }
  const found = words.find(
    ([field, pattern]) => pattern.test(heading) && (!taken.has(field) || repeatable.has(field)),
  )?.[0]
  if (found !== undefined) taken.add(found)
  return found
}

// A session and an auction need a title, which most sheets do not have.
const withTitle = (field: string | undefined) =>
  field === 'session' || field === 'auction' ? `[${field}, ${field}.title]` : field

function countFits(samples: Cell[], decimal: DecimalSign): number {
  return samples.filter((cell) => {
    try {
      for (const part of String(cell).split(/[/–-]|tot/)) parseAmount(part, decimal, 'EUR')
      return true
    } catch {
      return false
    }
  }).length
}

/** The folder in which a picture of a sheet is: that of the sheet, or one in it. */
async function findFolder(directory: string, picture: string): Promise<string> {
  const entries = await readdir(directory, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return ['.', ...folders].find((folder) => existsSync(join(directory, folder, picture))) ?? '.'
}

/** What a sheet looks like: the text of a proposed mapping, and what was recognised. */
export type Proposal = { text: string; said: string[] }

/**
 * Looks at a sheet and proposes its mapping, with examples of each column. What cannot be seen in a sheet (locale, currency,
 * time zone, and what cannot be told apart) is left for a person to fill in.
 * @throws Unusable when the sheet cannot be read
 */
export async function proposeMapping(path: string, name: string): Promise<Proposal> {
  const xlsx = isXlsx(path)
  const recognized = xlsx ? undefined : await recognizeCsv(path)
  const sheets = xlsx ? await listSheets(path) : []
  const format = recognized?.format ?? { sheet: sheets[0]! }
  const said = recognized?.said ?? [`sheet "${sheets[0]}" of ${sheets.map((sheet) => `"${sheet}"`).join(', ')}`]
  const sheet = await openSheet(path, format)
  const samples = sheet.headings.map((): Cell[] => [])
  let rows = 0
  for await (const { cells } of sheet.rows()) {
    rows++
    for (const [index, cell] of cells.entries())
      if (cell !== null && cell !== '' && samples[index] && samples[index].length < 200) samples[index].push(cell)
  }
  said.push(`${rows} rows and ${sheet.headings.length} columns`)

  const twice = sheet.headings.filter((heading, index) => heading !== '' && sheet.headings.indexOf(heading) < index)
  for (const heading of new Set(twice)) said.push(`several columns are called ${quote(heading)}: rename all but one`)
  const taken = new Set<string>()
  const proposed = sheet.headings.map((heading) => proposeField(heading, taken))
  if (!taken.has('external_reference')) {
    const number = proposed.indexOf('lot_number')
    if (number >= 0)
      said.push(`no column looks like a reference: ${quote(sheet.headings[number]!)} may do, if it is unique`)
  }
  if (!taken.has('title')) said.push('no column looks like a title, which a new item needs')
  if (taken.has('lot_number') && !taken.has('session'))
    said.push('no column looks like a session, which a lot needs: name one for all rows')
  const of = (...fields: string[]) => samples.filter((_, index) => fields.includes(proposed[index] ?? '')).flat()
  const amounts = of('estimate', 'estimate.low', 'estimate.high', 'starting_bid')
  const texts = amounts.filter((cell) => typeof cell === 'string')
  const [comma, point] = [countFits(texts, ','), countFits(texts, '.')]
  const decimal = comma > point ? ',' : point > comma ? '.' : undefined
  if (texts.length > 0)
    said.push(`amounts: ${comma} of ${texts.length} can be read with a decimal comma, ${point} with a decimal point`)
  const symbol = texts.map((text) => /[€£$]/.exec(text)?.[0]).find((sign) => sign !== undefined)
  const currency = symbol && { '€': 'EUR', '£': 'GBP', $: 'USD' }[symbol]
  const dates = of('session.opens_at').map(String)
  const first = dates.map((text) => /^(\d{1,2})[-./ ](\d{1,2})[-./ ]\d{4}/.exec(text)).filter((match) => match !== null)
  const order = first.some((match) => Number(match[1]) > 12)
    ? 'd-m-y'
    : first.some((match) => Number(match[2]) > 12)
      ? 'm-d-y'
      : dates.some((text) => /^\d{4}-/.test(text))
        ? 'y-m-d'
        : first.length === 0 && dates.some((text) => /\d\.?\s+\p{L}{3}/u.test(text))
          ? 'd-m-y'
          : undefined
  if (dates.length > 0) said.push(order ? `dates: ${order}` : 'dates: day and month cannot be told apart')
  const range = of('estimate')
    .map((cell) => /\d\s*([/–-]|tot)\s*\d/.exec(String(cell))?.[1])
    .find((sign) => sign !== undefined)
  const list = of('images')
    .map((cell) => /[;,|]/.exec(String(cell))?.[0])
    .find((sign) => sign !== undefined)

  const picture = of('images')
    .map((cell) =>
      String(cell)
        .split(list ?? ';')[0]!
        .trim(),
    )
    .find((text) => text !== '')
  const pictures = picture === undefined ? '.' : await findFolder(dirname(path), picture)
  if (pictures !== '.') said.push(`pictures: ${quote(picture!)} is in the folder ${quote(pictures)}`)

  const line = (key: string, value: string | undefined, comment: string) =>
    `${key}: ${value === undefined ? '' : quote(value)}`.padEnd(32) +
    `# ${value === undefined ? 'FILL IN: ' : ''}${comment}`
  const columns = sheet.headings.flatMap((heading, index) => {
    if (heading === '' || sheet.headings.indexOf(heading) < index) return []
    const examples = [
      ...new Set(samples[index]!.map((cell) => String(cell).replaceAll(/\s+/g, ' ').slice(0, 60))),
    ].slice(0, 3)
    return [
      '',
      `  # ${samples[index]!.length === 0 ? 'empty' : examples.map(quote).join('   ')}`,
      `  ${quote(heading)}: ${withTitle(proposed[index]) ?? ''}`,
    ]
  })
  const text = [
    `# How ${escapeControls(name)} is read. Proposed by catalogue-import: change what is wrong.`,
    ...said.map((sentence) => `# ${escapeControls(sentence)}`),
    '',
    ...(xlsx
      ? [line('sheet', format.sheet, 'which sheet')]
      : [line('encoding', format.encoding, 'of the file'), line('separator', format.separator, 'between columns')]),
    line('locale', undefined, `the language of titles and texts: ${locales.join(', ')}`),
    line('currency', currency, 'of all amounts, which is the currency of the house'),
    line('decimal', decimal, 'the sign before the decimals, "," or "."'),
    line('dates', order, 'd-m-y, m-d-y or y-m-d'),
    line('time_zone', undefined, 'of times, such as Europe/Amsterdam'),
    line('list', list ?? ';', 'between several values in a cell'),
    line('range', range ?? '/', 'between the bounds of an estimate'),
    line('pictures', pictures, 'the folder of the pictures, relative to the sheet'),
    '',
    '# What is the same for all rows, by its field: session, session.title, auction, ...',
    'all:',
    '',
    '# Columns with the fields that they become, and examples. A column without a field is not imported; a list such as',
    '# [session, session.title] uses a column twice; columns of one field are joined. The fields are:',
    `#   ${allFields.join(', ')}`,
    `#   and title, description, condition, dimensions and weight with a locale: title.en`,
    'columns:',
    ...columns,
    '',
  ].join('\n')
  return { text, said }
}
