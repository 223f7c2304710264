// A sheet becomes a proposed mapping. `survey.ts` finds the headings and samples the cells of each column. `guesses.ts`
// chooses a field for each column: words of the heading (`vocabulary.ts` and the tables of words) suggest fields, and the
// cells must fit (`values.ts`). `notation.ts` recognises currency, decimal sign and dates. This file writes the text of the
// mapping with messages for the user.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { locales, textNames } from '@auction-catalogue/client'
import type { Cell } from '../source/cells.ts'
import { guessFields, type Guess } from './guesses.ts'
import { isTooLong, nameByPlace, printLetters } from '../source/headings.ts'
import { fields as allFields } from '../mapping/mapping.ts'
import { guessNotation, type Notation } from './notation.ts'
import { escapeControls } from '../report/output.ts'
import type { SheetFormat } from '../source/sheet.ts'
import { surveySheet, type Questions } from './survey.ts'
import { fits, type Samples } from './values.ts'

const quote = (text: string) => JSON.stringify(text)

/** The first three values of a column, shortened. */
const printExamples = (cells: Cell[], joint: string) =>
  [...new Set(cells.map((cell) => String(cell).replaceAll(/\s+/g, ' ').slice(0, 60)))]
    .slice(0, 3)
    .map(quote)
    .join(joint)

/** Messages about the columns that the user must read before using the mapping. */
function sayOfColumns(columns: Samples[], guesses: Guess[]): string[] {
  const said: string[] = []
  const headings = columns.map(({ heading }) => heading)
  for (const [index, { heading, cells }] of columns.entries())
    if (heading === '' && cells.length > 0)
      said.push(
        `column ${printLetters(index)} has no heading and is not read (${printExamples(cells, ', ')}): give it one in the sheet, or name it "${nameByPlace(index)}" in the mapping`,
      )
  const fields = guesses.map(({ field }) => field)
  for (const [index, { isReserve }] of guesses.entries())
    if (isReserve)
      said.push(`${quote(headings[index]!)} looks like a reserve, which is never published: leave it without a field`)
  const number = fields.indexOf('lot_number')
  if (!fields.includes('external_reference') && number >= 0 && fits('external_reference', columns[number]!))
    said.push(`no column looks like a reference: ${quote(headings[number]!)} may do, if it is unique`)
  else if (!fields.includes('external_reference'))
    said.push(
      'no column looks like a reference, which an item needs: "external_reference: row" under "all:" makes one of the number of the row, if the sheet never changes its order',
    )
  if (!fields.some((field) => field?.startsWith('title')))
    said.push('no column looks like a title, which a new item needs')
  if (number < 0 && fields.includes('starting_bid'))
    said.push('no column looks like a lot number, which a starting bid needs: name one, or no starting bid')
  if (number >= 0 && !fields.includes('session'))
    said.push('no column looks like a session, which a lot needs: name one for all rows')
  return said
}

/** Finds the folder of a sheet's pictures: the folder of the sheet, or one inside it. */
async function findFolder(directory: string, picture: string): Promise<string> {
  const entries = await readdir(directory, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return ['.', ...folders].find((folder) => existsSync(join(directory, folder, picture))) ?? '.'
}

function printColumns(columns: Samples[], guesses: Guess[]): string[] {
  const fields = guesses.map(({ field }) => field)
  return columns.flatMap(({ heading, cells }, index) => {
    if (heading === '') return []
    const { field = '', isReserve } = guesses[index]!
    // A session and an auction need a title, which most sheets lack.
    const needsTitle = (field === 'session' || field === 'auction') && !fields.includes(`${field}.title`)
    return [
      '',
      `  # ${cells.length === 0 ? 'empty' : printExamples(cells, '   ')}`,
      ...(isReserve ? ['  # A reserve is never published: leave it without a field.'] : []),
      `  ${quote(heading)}: ${needsTitle ? `[${field}, ${field}.title]` : field}`,
    ]
  })
}

function printSettings(
  format: SheetFormat,
  questions: Questions,
  fields: (string | undefined)[],
  notation: Notation,
  pictures: string,
): string[] {
  const has = (...names: string[]) => fields.some((field) => names.includes(field ?? ''))
  const line = (key: string, value: string | undefined, comment: string) =>
    `${key}: ${value === undefined ? '' : quote(value)}`.padEnd(32) +
    `# ${value === undefined ? 'FILL IN: ' : ''}${comment}`
  const offer = (setting: string, comment: string) => `# ${setting}`.padEnd(32) + `# ${comment}`
  const { sheet, encoding, separator, heading_row, heading_rows } = format
  const { unknownMaker } = notation
  return [
    ...(sheet === undefined
      ? [
          line('encoding', questions.encoding ? undefined : encoding, questions.encoding ?? 'of the file'),
          line('separator', separator, 'between columns'),
        ]
      : [line('sheet', sheet, 'which sheet')]),
    ...(heading_row === undefined ? [] : [`heading_row: ${heading_row}`.padEnd(32) + '# the line of the headings']),
    ...(heading_rows === 2 ? ['heading_rows: 2'.padEnd(32) + '# the headings stand in two rows'] : []),
    ...(questions.heading_rows === undefined ? [] : [line('heading_rows', undefined, questions.heading_rows)]),
    offer('locale: nl', `the language of titles and texts, unless it is that of the house: ${locales.join(', ')}`),
    notation.currency === undefined
      ? offer('currency: EUR', 'of all amounts, unless it is that of the house')
      : line('currency', notation.currency, 'of all amounts, as the sheet shows it'),
    has('estimate', 'estimate.low', 'estimate.high', 'starting_bid')
      ? line('decimal', notation.decimal, 'the sign before the decimals, "," or "."')
      : offer('decimal: ","', 'the sign before the decimals of amounts'),
    has('session.opens_at', 'session.closes_at')
      ? line('dates', notation.dates, 'd-m-y, m-d-y or y-m-d')
      : offer('dates: d-m-y', 'the order of dates of sessions'),
    ...(unknownMaker === undefined
      ? []
      : [line('unknown_makers', undefined, `none, or keep: whether ${quote(unknownMaker)} is a maker`)]),
    offer('time_zone: Europe/Amsterdam', 'of times, unless it is that of the house'),
    line('list', notation.list ?? ';', 'between several values in a cell'),
    line('range', notation.range ?? '/', 'between the bounds of an estimate'),
    line('pictures', pictures, 'the folder of the pictures, relative to the sheet'),
  ]
}

// A proposed mapping, and messages about what was recognised.
type Proposal = { text: string; said: string[] }

/**
 * Proposes a mapping for a sheet, with examples of each column. The user fills in what the sheet does not show. Locale,
 * currency and time zone are those of the house, unless the mapping says otherwise.
 * @throws Unusable if the sheet cannot be read
 */
export async function proposeMapping(path: string, name: string): Promise<Proposal> {
  const { format, questions, placed, columns, said } = await surveySheet(path)
  const guesses = guessFields(columns)
  const headings = columns.map(({ heading }) => heading)
  for (const heading of new Set(headings.filter((each, index) => each !== '' && headings.indexOf(each) < index)))
    said.push(`several columns are called ${quote(heading)}: the mapping names all but the first by their letters`)
  for (const [index, column] of columns.entries())
    if (headings.indexOf(column.heading) < index && column.heading !== '') column.heading = nameByPlace(index)
    else if (column.heading === '' && guesses[index]!.field !== undefined) {
      column.heading = nameByPlace(index)
      said.push(`${column.heading} has no heading, and names of pictures: the mapping names it by its letter`)
    } else if (isTooLong(column.heading)) {
      said.push(
        `${quote(column.heading.slice(0, 60))}… is too long a heading: the mapping calls it "${nameByPlace(index)}"`,
      )
      column.heading = nameByPlace(index)
    }
  const notation = guessNotation(columns, guesses)
  said.push(...sayOfColumns(columns, guesses), ...notation.said)

  const cell = columns.find((_, index) => guesses[index]!.field === 'images')?.cells[0]
  const picture =
    cell === undefined
      ? undefined
      : String(cell)
          .split(notation.list ?? ';')[0]!
          .trim()
  const pictures = picture === undefined ? '.' : await findFolder(dirname(path), picture)
  if (pictures !== '.') said.push(`pictures: ${quote(picture!)} is in the folder ${quote(pictures)}`)

  const text = [
    `# How ${escapeControls(name)} is read. Proposed by catalogue-import: change what is wrong.`,
    ...said.map((sentence) => `# ${escapeControls(sentence)}`),
    '',
    ...printSettings(
      format,
      questions,
      guesses.map(({ field }) => field),
      notation,
      pictures,
    ),
    '',
    ...(placed > 0 ? ['cell_pictures: read'.padEnd(32) + `# or ignore: the ${placed} pictures in its cells`, ''] : []),
    '# What is the same for all rows, by its field: session, session.title, auction, ...',
    'all:',
    '',
    '# Columns with the fields that they become, and examples. A column without a field is not imported; a list such as',
    '# [session, session.title] uses a column twice; columns of one field are joined. The fields are:',
    `#   ${allFields.join(', ')}`,
    `#   and ${new Intl.ListFormat('en-GB').format(textNames)} with a locale: title.en`,
    'columns:',
    ...printColumns(columns, guesses),
    '',
  ].join('\n')
  return { text, said }
}
