import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Catalogue, type ManagedImage } from '@auction-catalogue/client'
import { createTestDatabase } from '../../../test/support/database.ts'
import { closeInTheEnd } from '../../../test/support/ending.ts'
import { urlOf } from '../../../test/support/address.ts'
import { openInside } from '../../../test/support/inside.ts'
import { findPort, runCommand, startProcess } from '../../../test/support/process.ts'
import { runImporter, startImporter } from './program.ts'

/** A line of the load format. */
export type Line = { type: string; [field: string]: unknown }

/** The lines of a file in the load format. */
export const toText = (lines: Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

async function startShared() {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'catalogue-import-'))
  const port = await findPort()
  const settings = {
    DATABASE_URL: urlOf(database.connection),
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: '0',
  }
  const inside = await openInside(settings)
  const service = await startProcess(settings)
  closeInTheEnd(async () => {
    await service.stop()
    await inside.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  return { settings, inside, url: `http://127.0.0.1:${port}` }
}

let shared: ReturnType<typeof startShared> | undefined
let houses = 0

/**
 * A house of its own with one increment strategy, in the service that the files of this process share, a folder for
 * sources, and the importer.
 */
export async function openHouse() {
  const { settings, inside, url } = await (shared ??= startShared())
  const folder = await mkdtemp(join(tmpdir(), 'catalogue-sources-'))
  const command = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand(settings, ...words)
    assert.equal(code, 0, stderr)
    return stdout
  }
  const slug = `noord-${++houses}`
  const house = { type: 'house', slug, name: `Noord-${houses}`, default_locale: 'nl', currency: 'EUR' }
  const strategy = {
    type: 'increment_strategy',
    name: 'Standaard',
    steps: [{ from: { amount: 0, currency: 'EUR' }, increment: { amount: 500, currency: 'EUR' } }],
  }
  /** Loads lines, for records that exist before an import. */
  const load = (lines: Line[]) => inside.load([house, ...lines])
  const issueKey = (grant?: Parameters<typeof inside.issueKey>[1]) => inside.issueKey(slug, grant)
  await load([strategy])
  const key = await issueKey()
  const catalogue = new Catalogue({ url, key })
  const run = (...words: string[]) => runImporter(key, [...words, '--url', url])

  return {
    url,
    key,
    folder,
    house,
    catalogue,
    command,
    load,
    issueKey,
    /** Writes a file of the source, with its folders. */
    async write(name: string, content: string | Buffer | Line[]): Promise<string> {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, Array.isArray(content) ? toText(content) : content)
      return path
    },
    read: async (name: string) => readFile(join(folder, name), 'utf8'),
    /** Runs the importer to its end. */
    run,
    /** Runs the importer, which must end with this exit code. Returns what it printed. */
    async end(code: number, ...words: string[]): Promise<string> {
      const outcome = await run(...words)
      assert.equal(outcome.code, code, outcome.stdout + outcome.stderr)
      return outcome.stdout
    },
    /** The images of the house by their references. */
    async images(): Promise<Map<string, ManagedImage>> {
      const found = new Map<string, ManagedImage>()
      for await (const image of catalogue.images.listAll()) found.set(image.external_reference!, image)
      return found
    },
    start: (...words: string[]) => startImporter(key, [...words, '--url', url]),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The lines for an auction with one live session far in the future. */
export const sale: Line[] = [
  { type: 'auction', ref: 'sale', external_reference: '2099-1', title: 'Voorjaarsveiling' },
  {
    type: 'session',
    ref: 'evening',
    auction: 'sale',
    external_reference: '2099-1/1',
    titles: { nl: 'Avondzitting' },
    kind: 'live',
    opens_at: '2099-04-02T19:00:00+02:00',
    live: { closes_at: '2099-04-02T22:00:00+02:00' },
  },
]

/** Lines for so many items, each with its lot. */
export function itemLines(count: number): Line[] {
  return Array.from({ length: count }, (_, index): Line[] => [
    {
      type: 'item',
      ref: `item-${index}`,
      external_reference: `V-${index}`,
      title: `Vaas ${index}`,
      description: 'Delfts blauw',
      translations: { en: { title: `Vase ${index}` } },
      estimate: { low: { amount: 40_000, currency: 'EUR' }, high: { amount: 60_000, currency: 'EUR' } },
    },
    {
      type: 'lot',
      session: 'evening',
      item: `item-${index}`,
      lot_number: index + 1,
      active: true,
      starting_bid: { amount: 20_000, currency: 'EUR' },
    },
  ]).flat()
}

/** Lines for so many items without lots, with references that begin with the prefix. */
export const itemsOf = (prefix: string, count: number): Line[] =>
  itemLines(count)
    .filter(({ type }) => type === 'item')
    .map((line) => ({ ...line, external_reference: `${prefix}-${String(line.external_reference)}` }))
