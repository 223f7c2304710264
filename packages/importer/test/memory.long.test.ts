import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { writeCsv, writeXlsx } from '../../../bench/lib/sheets.ts'
import { itemLines, openHouse, sale, type Line } from './house.ts'
import { toldHouse } from './program.ts'

const house = await openHouse()
after(() => house.close())

const source = (name: string) => JSON.stringify(new URL(`../src/${name}.ts`, import.meta.url).href)

/** Runs a program in its own process. `held()` in it collects the garbage and returns the bytes that remain. */
async function measure(program: string): Promise<number[]> {
  const held = `
    const held = async () => {
      for (let round = 0; round < 3; round++) {
        await new Promise(setImmediate)
        gc()
      }
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--input-type=module',
    '--eval',
    held + program,
  ])
  return JSON.parse(stdout) as number[]
}

const [few, many] = [2_000, 20_000]

for (const [format, write] of [
  ['CSV', writeCsv],
  ['XLSX', writeXlsx],
] as const)
  test(`a row of ${format} that was read leaves at most a quarter of its size in memory`, async () => {
    const path = join(house.folder, `long.${format.toLowerCase()}`)
    await write(path, many)
    const [read, early, late] = await measure(`
      const { openSource } = await import(${source('run/source')})
      const source = await openSource(${JSON.stringify(path)})
      let [count, early] = [0]
      for await (const { record, errors } of source.records(undefined, async () => (${JSON.stringify(toldHouse)})))
        if (record.type === 'lot' && errors.length === 0 && ++count === ${few}) early = await held()
      console.log(JSON.stringify([count, early, await held()]))`)
    assert.equal(read, many)
    const bytes = (late! - early!) / (many - few)
    assert.ok(bytes < 256, `${bytes} bytes a row`)
  })

test('an item that was compared with its lot leaves less than 450 bytes in memory', async () => {
  const verify = async (count: number) => {
    // Each call has a sale of its own, because the importer reads all lots of a session.
    const lines = [...sale, ...itemLines(count)].map((line): Line => {
      const { external_reference: reference } = line
      return typeof reference === 'string' ? { ...line, external_reference: `${count}/${reference}` } : line
    })
    await house.load(lines)
    const path = await house.write(`${count}.ndjson`, [house.house, ...lines])
    const [items, lots, bytes] = await measure(`
      const { openSource } = await import(${source('run/source')})
      const { Importer } = await import(${source('run/importer')})
      const { Journal } = await import(${source('run/journal')})
      const { Slots } = await import(${source('run/slots')})
      const { Catalogue } = await import('@auction-catalogue/client')
      const { signal } = new AbortController()
      const importer = new Importer({
        mode: 'verify',
        isResumed: false,
        maxErrors: 0,
        source: await openSource(${JSON.stringify(path)}),
        catalogue: new Catalogue(${JSON.stringify({ url: house.url, key: house.key })}),
        journal: await Journal.open(${JSON.stringify(`${path}.journal`)}, false, ''),
        slots: new Slots(),
        signal,
        tell() {},
      })
      const { counts } = await importer.run()
      const bytes = await held()
      console.log(JSON.stringify([counts.item.same, counts.lot.same, bytes, importer.totals.item]))`)
    assert.deepEqual([items, lots], [count, count])
    return bytes!
  }
  const [few, many] = [500, 4_000]
  const [early, late] = [await verify(few), await verify(many)]
  const bytes = (late - early) / (many - few)
  assert.ok(bytes < 450, `${bytes} bytes an item`)
})
