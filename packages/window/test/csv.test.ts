import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { runCommand } from '../../../test/support/process.ts'
import { linesOf } from '../../../test/support/exports.ts'
import { live, openSharedStage, skip } from './support.ts'

const titles = [
  '=1+1',
  '"=1+1"',
  '=HYPERLINK("https://example.com"; "x")',
  '+31 6',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r\n=1',
  'zwei\nZeilen',
  'drei\r\nZeilen,\r"x"',
  '"',
  '""',
  ',',
  ';',
  "'=1",
  ' =1',
  'שלום "עולם", ١٢٣',
  '\u202Eإناء\u202C',
  '\uFEFFBOM',
  '花瓶 🏺',
  '＝1+1',
  'a\\"b',
]

// A load file of a house, such as one that a program of examples/ has made of a real catalogue.
const file = process.env.EXPORT_FILE
const parsed = (text: string) =>
  parse<Record<string, string>>(text, { bom: true, columns: true, record_delimiter: '\n' })

describe('Save as CSV', { skip }, async () => {
  const stage = await openSharedStage()

  /**
   * Asserts that the window saves the bytes that the command prints. Returns the rows of the file.
   */
  async function isSavedAsListed(house: string, key: string, session: string) {
    const words = ['lots', 'list', '--house', house, '--session', session, '--csv']
    const { code, stdout, stderr } = await runCommand({ DATA_DIR: stage.dataDir }, ...words)
    assert.equal(code, 0, stderr)
    const saved = await save(key, session)
    assert.equal(saved, stdout)
    return parsed(saved)
  }

  async function save(key: string, session: string): Promise<string> {
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.goto(`${stage.origin}/#/sessions/${session}`)
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save as CSV')])
    const saved = await readFile(await download.path(), 'utf8')
    await context.close()
    return saved
  }

  test('the window saves the bytes that the command prints, and a parser reads back every text: quotes, lines, formulas, right to left', async () => {
    const key = await stage.createSale(
      'csv',
      '=1+1,"S"',
      live,
      titles.map((title) => ({ title })),
    )
    const [session] = await stage.call<{ id: string }[]>('/sessions', 'GET', undefined, key)
    assert.deepEqual(
      (await isSavedAsListed('csv', key, session!.id)).map(({ title }) => title),
      titles.map((title) => (/^[=+\-@\t\r＝]/.test(title) ? `'${title}` : title)),
    )
  })

  test('seller and consignment are named by their numbers, a seller without one by its id, and are empty for a key that may not read them', async () => {
    await stage.load([
      { type: 'house', slug: 'csv-owners', name: 'Huis', default_locale: 'nl', currency: 'EUR' },
      { type: 'auction', ref: 'a', external_reference: 'a', title: 'Veiling', published: true },
      { type: 'session', ref: 's', auction: 'a', external_reference: 's', titles: { nl: 'Zitting' }, ...live },
      { type: 'seller', ref: 'numbered', seller_number: 118, profile_name: 'A' },
      { type: 'seller', ref: 'plain', profile_name: 'B' },
      { type: 'consignment', ref: 'c', number: '2026-9', seller: 'numbered' },
      { type: 'item', ref: 'i1', external_reference: 'i1', title: 'Vaas', seller: 'numbered', consignment: 'c' },
      { type: 'item', ref: 'i2', external_reference: 'i2', title: 'Klok', seller: 'plain' },
      { type: 'item', ref: 'i3', external_reference: 'i3', title: 'Bord' },
      ...[1, 2, 3].map((number) => ({
        type: 'lot',
        session: 's',
        item: `i${number}`,
        lot_number: number,
        active: true,
      })),
    ])
    const key = await stage.issueKey('csv-owners')
    const [session] = await stage.call<{ id: string }[]>('/sessions', 'GET', undefined, key)
    const rows = await isSavedAsListed('csv-owners', key, session!.id)
    assert.deepEqual(
      rows.map(({ seller, consignment }) => [seller!.slice(0, 4), consignment]),
      [
        ['118', '2026-9'],
        ['sel_', ''],
        ['', ''],
      ],
    )
    const blind = await stage.issueKey('csv-owners', { granted: ['auctions.read', 'lots.read'] })
    const [first] = parsed(await save(blind, session!.id))
    assert.deepEqual([first!['title'], first!['seller'], first!['consignment']], ['Vaas', '', ''])
  })

  test('many sellers are read in pages, and leaving the wall ends the save', async () => {
    const numbers = Array.from({ length: 120 }, (_, index) => index + 1)
    await stage.load([
      { type: 'house', slug: 'csv-many', name: 'Huis', default_locale: 'nl', currency: 'EUR' },
      { type: 'auction', ref: 'a', external_reference: 'a', title: 'Veiling', published: true },
      { type: 'session', ref: 's', auction: 'a', external_reference: 's', titles: { nl: 'Zitting' }, ...live },
      ...numbers.map((number) => ({ type: 'seller', ref: `s${number}`, seller_number: number, profile_name: 'A' })),
      ...numbers.map((number) => ({ type: 'item', ref: `i${number}`, title: 'Vaas', seller: `s${number}` })),
      ...numbers.map((number) => ({ type: 'lot', session: 's', item: `i${number}`, lot_number: number, active: true })),
    ])
    const key = await stage.issueKey('csv-many')
    const [session] = await stage.call<{ id: string }[]>('/sessions', 'GET', undefined, key)
    await isSavedAsListed('csv-many', key, session!.id)

    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    const asked: string[] = []
    let isSaved = false
    page.on('download', () => (isSaved = true))
    let released = Promise.withResolvers<void>()
    await page.route('**/sellers?**', async (route) => {
      asked.push(route.request().url())
      await released.promise
      await route.continue().catch(() => undefined)
    })
    await page.goto(`${stage.origin}/#/sessions/${session!.id}`)
    const begin = async () => {
      await page.click('text=Save as CSV')
      await page.locator('button[aria-disabled=true]', { hasText: 'Loading' }).waitFor()
    }
    const download = page.waitForEvent('download')
    await begin()
    await page.fill('#search', 'qqqqq')
    await page.getByText('0 of 120 lots').waitFor()
    await page.fill('#search', '')
    released.resolve()
    await download
    asked.length = 0
    isSaved = false
    released = Promise.withResolvers<void>()
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/sellers?'))
    await begin()
    await page.getByRole('link', { name: 'List', exact: true }).click()
    await ended
    released.resolve()
    await page.locator('.list tbody tr').nth(119).waitFor()
    assert.deepEqual([asked.length, isSaved], [1, false])
    await context.close()
  })

  test('the sales of a load file are saved as they are listed', { skip: !file }, async () => {
    const lines = linesOf(await readFile(file!, 'utf8'))
    await stage.load(lines)
    const house = lines[0]!['slug'] as string
    const key = await stage.issueKey(house)
    const sessions = await stage.call<{ id: string }[]>('/sessions', 'GET', undefined, key)
    assert.ok(sessions.length > 0)
    for (const { id } of sessions.slice(0, 4)) assert.ok((await isSavedAsListed(house, key, id)).length > 0)
  })
})
