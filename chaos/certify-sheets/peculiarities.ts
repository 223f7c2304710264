import { indexOf, type Made } from './made.ts'
import { printTyped, type Typed } from './table.ts'

/**
 * Gives a sheet a peculiarity. Returns false if a sheet of its kind cannot have it. Only a sheet with one that `isRefusable`
 * may have rows that are refused.
 */
type Peculiarity = { name: string; isRefusable?: true; give: (made: Made) => boolean | void }

const emptyRow = ({ table }: Made): Typed[] => table.rows[0]!.map(() => '')
const withTexts = (made: Made, texts: { [index: number]: Typed }): Typed[] =>
  emptyRow(made).map((_, index) => texts[index] ?? '')

function insert({ table }: Made, at: number, ...rows: Typed[][]): void {
  table.rows.splice(at, 0, ...rows)
}

const sumOf = (made: Made): Typed[] => {
  const total = made.items.reduce((sum, { low }) => sum + low, 0)
  const { language, table } = made
  const amount: Typed = table.kind === 'xlsx' ? { number: total, format: '#,##0' } : String(total)
  return withTexts(made, { [indexOf(made, 'title')]: language.sum, [indexOf(made, 'estimate.low')]: amount })
}

/** Peculiarities of sheets of houses. */
export const peculiarities: Peculiarity[] = [
  { name: 'none', give: () => true },
  {
    name: 'headings in two rows',
    give(made) {
      const { table, columns, language, settings } = made
      const [low, high] = [indexOf(made, 'estimate.low'), indexOf(made, 'estimate.high')]
      if (high !== low + 1) return false
      const [upper, below] = [[...table.rows[0]!], emptyRow(made)]
      ;[upper[low], upper[high], below[low], below[high]] = [
        language.estimate[0],
        '',
        language.estimate[1],
        language.estimate[2],
      ]
      table.rows.splice(0, 1, upper, below)
      columns.set('estimate.low', `${language.estimate[0]} ${language.estimate[1]}`)
      columns.set('estimate.high', `${language.estimate[0]} ${language.estimate[2]}`)
      settings['heading_rows'] = '2'
      return true
    },
  },
  {
    name: 'rows with less and less',
    give({ items, table }) {
      for (const item of items.slice(1)) {
        const kept = new Set([item.reference, item.title])
        item.row.forEach((cell, index) => {
          if (!kept.has(printTyped(cell))) item.row[index] = ''
        })
        Object.assign(item, { description: '', low: 0, high: 0, maker: '' })
      }
      return table.rows.length > 2
    },
  },
  {
    name: 'an empty tail',
    give: (made) => insert(made, made.table.rows.length, ...[1, 2, 3].map(() => emptyRow(made))),
  },
  {
    name: 'empty rows between',
    give: (made) => insert(made, 1 + made.random.below(made.items.length), emptyRow(made), emptyRow(made)),
  },
  {
    name: 'hidden rows',
    give({ table, random }) {
      table.hidden = [2 + random.below(table.rows.length - 1)]
      return table.kind === 'xlsx'
    },
  },
  {
    name: 'a hidden sheet in front, with more columns',
    give({ table, language: { headings } }) {
      const wide = [...Object.values(headings), 'Lot', 'Memo', 'Foto']
      table.others = [{ state: 'hidden', rows: [wide, wide.map((_, index) => `X-${index}`)] }]
      return table.kind === 'xlsx'
    },
  },
  { name: 'a total below', give: (made) => insert(made, made.table.rows.length, sumOf(made)) },
  { name: 'a subtotal between', give: (made) => insert(made, 2, sumOf(made)) },
  { name: 'headings again', give: (made) => insert(made, 3, [...made.table.rows[0]!]) },
  {
    name: 'headings again in another order',
    isRefusable: true,
    give: (made) => insert(made, 3, made.table.rows[0]!.toReversed()),
  },
  {
    name: 'a date in any column',
    isRefusable: true,
    give(made) {
      const { table, items, random } = made
      const row = random.pick(items).row
      row[random.below(row.length)] = {
        number: 46_000 + random.below(400),
        format: random.pick(['d-mmm', 'dd-mm-yyyy', 'h:mm']),
      }
      return table.kind === 'xlsx'
    },
  },
  {
    name: 'a line break without quotes',
    isRefusable: true,
    give({ table, items, random }) {
      const item = random.pick(items)
      const { row } = item
      const at = 1 + random.below(row.length - 2)
      item.row = row.slice(0, at + 1)
      table.rows.splice(table.rows.indexOf(row), 1, item.row, ['x', ...row.slice(at + 1)])
      return table.kind === 'csv'
    },
  },
  {
    name: 'a sheet of notes in front',
    give({ table }) {
      table.others = [{ state: 'visible', rows: [['Notities'], ['Bellen', '12'], ['Mailen', '13']] }]
      return table.kind === 'xlsx'
    },
  },
  {
    name: 'a cell merged over two rows',
    isRefusable: true,
    give(made) {
      const { table, items, random } = made
      const column = random.below(table.rows[0]!.length)
      items[1]!.row[column] = ''
      const letter = String.fromCharCode(65 + column)
      table.merged = [`${letter}2:${letter}3`]
      return table.kind === 'xlsx'
    },
  },
  {
    name: 'a filter',
    give({ table }) {
      table.behind = `<autoFilter ref="A1:F${table.rows.length}"/>`
      return table.kind === 'xlsx'
    },
  },
  {
    name: 'notes above',
    give(made) {
      const { random } = made
      const notes = random
        .shuffle(['Kunst & Antiek 2026', 'Stand: 1.3.2026', 'confidential'])
        .slice(0, 1 + random.below(3))
      insert(made, 0, ...notes.map((note) => withTexts(made, { 0: note })), emptyRow(made))
    },
  },
  {
    name: 'a note below',
    isRefusable: true,
    give(made) {
      const place = made.random.pick([0, indexOf(made, 'title')])
      insert(
        made,
        made.table.rows.length,
        emptyRow(made),
        withTexts(made, { [place]: '* all amounts without VAT, see page 2' }),
      )
    },
  },
  {
    name: 'remarks beside the table',
    give({ table, items, random }) {
      random.pick(items).row.push('', '', 'nakijken')
      return table.kind === 'xlsx'
    },
  },
  {
    name: 'words for none',
    give(made) {
      const { items, language, random } = made
      for (const item of items) {
        const word = random.pick(['-', '--', '?', language.none])
        for (const field of ['makers', 'description'] as const) item.row[indexOf(made, field)] = word
        Object.assign(item, { maker: '', description: '' })
      }
    },
  },
  {
    name: 'makers that nobody knows',
    give(made) {
      const { items, language, settings } = made
      for (const item of items.slice(0, 2)) {
        item.row[indexOf(made, 'makers')] = language.unknown
        item.maker = ''
      }
      settings['unknown_makers'] = 'none'
    },
  },
  {
    name: 'computed estimates',
    give(made) {
      const { table, items, random } = made
      const item = random.pick(items)
      const third = item.low + 1 / 3
      item.row[indexOf(made, 'estimate.low')] = { number: third, format: random.pick(['0', '#,##0']) }
      return table.kind === 'xlsx'
    },
  },
  {
    name: 'a range in one column',
    give(made) {
      const { items, columns, language, random, table } = made
      const [low, high] = [indexOf(made, 'estimate.low'), indexOf(made, 'estimate.high')]
      const signs = ['/', '-', ' – ', ' - ']
      for (const item of items) {
        item.row[low] = `${item.low}${random.pick(signs)}${item.high}`
        item.row.splice(high, 1)
      }
      const heading = language.estimate[0]
      for (const cells of table.rows)
        if (cells.includes(columns.get('title')!)) {
          cells[low] = heading
          cells.splice(high, 1)
        }
      columns.delete('estimate.low')
      columns.delete('estimate.high')
      columns.set('estimate', heading)
    },
  },
  {
    name: 'a line with the separator',
    give(made) {
      const { table } = made
      insert(made, 0, [`sep=${table.separator}`])
      return table.kind === 'csv' && table.separator !== '\t' && !table.encoding.startsWith('utf-16')
    },
  },
  {
    name: 'texts of several lines',
    give(made) {
      for (const item of made.items) {
        item.description = `${item.title}\n“${item.title}”; ${item.title}`
        item.row[indexOf(made, 'description')] = item.description
      }
    },
  },
  {
    name: 'a reference twice',
    isRefusable: true,
    give(made) {
      const [first, second] = made.items
      second!.row[0] = first!.reference
      second!.reference = first!.reference
    },
  },
  {
    name: 'blanks around cells',
    give(made) {
      for (const { row } of made.items)
        row.forEach((cell, index) => {
          if (typeof cell === 'string' && cell !== '') row[index] = `  ${cell} `
        })
    },
  },
  {
    name: 'no references',
    give(made) {
      const { table, items, columns, all } = made
      for (const cells of new Set([...table.rows, ...items.map(({ row }) => row)])) cells.shift()
      columns.delete('external_reference')
      all['external_reference'] = 'row'
    },
  },
  {
    name: 'an empty column in front',
    give({ table, items }) {
      for (const cells of new Set([...table.rows, ...items.map(({ row }) => row)])) cells.unshift('')
    },
  },
]
