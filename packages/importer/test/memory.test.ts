import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'

const folder = await mkdtemp(join(tmpdir(), 'importer-memory-'))
after(() => rm(folder, { recursive: true }))

test('a long sheet with dates and lots is read in little memory', async () => {
  const path = join(folder, 'long.csv')
  const count = 20_000
  const rows = Array.from({ length: count }, (_, row) => `V-${row},${row + 1},${'Delfts blauw '.repeat(50)}`)
  await writeFile(path, `Nr,Kavel,Titel\n${rows.join('\n')}\n`)
  const mapping = `locale: nl
currency: EUR
decimal: ","
dates: d-m-y
time_zone: Europe/Amsterdam
all:
  auction: 2099-1
  session: 2099-1/A
  session.opens_at: vrijdag 3 april 2099 19:00
  session.closes_at: 03-04-2099 23:00
columns:
  Nr: external_reference
  Kavel: lot_number
  Titel: title
`
  await writeFile(`${path}.mapping.yaml`, mapping)
  const program = `
    const { openSource } = await import(${JSON.stringify(new URL('../src/run/source.ts', import.meta.url).href)})
    const source = await openSource(${JSON.stringify(path)})
    let count = 0
    for await (const { record, errors } of source.records()) if (record.type === 'lot' && errors.length === 0) count++
    console.log(JSON.stringify([count, process.resourceUsage().maxRSS]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  const [read, kibibytes] = JSON.parse(stdout) as [number, number]
  assert.equal(read, count)
  assert.ok(kibibytes < 150 * 1024, `${kibibytes} KiB`)
})
