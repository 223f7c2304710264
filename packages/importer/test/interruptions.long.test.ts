import assert from 'node:assert/strict'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { picture, until } from '../../../test/support/pictures.ts'
import { itemLines, openHouse, sale, type Line } from './house.ts'
import { startImporter } from './program.ts'
import { openProxy } from './proxy.ts'

const house = await openHouse()
after(() => house.close())

const withoutLots = (lines: Line[]) => lines.filter(({ type }) => type !== 'lot')

async function countItems() {
  const references: string[] = []
  for await (const { external_reference } of house.catalogue.items.list()) references.push(external_reference!)
  return references.toSorted()
}

test('an import that is killed repeatedly ends with every record once and every picture processed', async () => {
  const count = 24
  const items = withoutLots(itemLines(count))
  const images: Line[] = []
  for (let index = 0; index < 6; index++) {
    await house.write(
      `pictures/${index}.jpg`,
      await picture(`#${(100_000 + index * 77_777).toString(16).padStart(6, '0')}`),
    )
    images.push({
      type: 'image',
      item: `item-${index}`,
      external_reference: `V-${index}-1`,
      file: `pictures/${index}.jpg`,
      public: true,
    })
  }
  const path = await house.write('killed.ndjson', [house.house, ...sale, ...items, ...images])
  let [kills, sent] = [0, 0]
  let kill: () => void
  // Each attempt gets a little further. The service has the request at which it is killed, or does not get it.
  const url = await openProxy(house.url, () => {
    if (++sent < 3 + kills * 12) return 'passed'
    kill()
    return kills % 2 === 0 ? 'held' : 'unanswered'
  })
  for (;;) {
    sent = 0
    const run = startImporter(house.key, ['apply', path, '--url', url, ...(kills % 2 === 0 ? [] : ['--resume'])])
    kill = () => run.kill('SIGKILL')
    const { code, stdout, stderr } = await run.outcome
    if (code === 0) break
    assert.equal(code, null, stdout + stderr)
    kills++
  }
  assert.ok(kills > 0)
  assert.deepEqual(await countItems(), items.map(({ external_reference }) => external_reference as string).toSorted())
  await house.end(0, 'verify', path)
  assert.match((await house.run('apply', path)).stdout, /^nothing was changed$/m)
})

test('a journal with an unfinished last line is read up to that line and continued behind it', async () => {
  const path = await house.write('torn.ndjson', [house.house, ...withoutLots(itemLines(3))])
  assert.equal((await house.run('apply', path)).code, 0)
  const journal = join(house.folder, 'torn.ndjson.journal')
  const lines = await readFile(journal, 'utf8')
  await writeFile(journal, lines.slice(0, -20))
  const stdout = await house.end(0, 'apply', path, '--resume')
  assert.match(stdout, /^nothing was changed$/m)
  await appendFile(journal, '{"line":')
  assert.equal((await house.run('apply', path, '--resume')).code, 0)
  const kept = (await readFile(journal, 'utf8')).split('\n').filter((line) => line.endsWith('}'))
  for (const line of kept) assert.ok(JSON.parse(line))
})

test('--resume asks for no record in the journal, but for records that changed in the source since', async () => {
  const items = withoutLots(itemLines(30))
  const path = await house.write('resumed.ndjson', [house.house, ...items])
  assert.equal((await house.run('apply', path)).code, 0)
  const resumed = await house.run('apply', path, '--resume')
  assert.match(resumed.stdout, /^nothing was changed$/m)
  assert.match(resumed.stdout, / 0 requests$/m)
  await house.write('resumed.ndjson', [house.house, ...items.with(4, { ...items[4]!, weight: '2 kg' })])
  assert.match((await house.run('apply', path, '--resume')).stdout, /^changed: 1 item$/m)
})

test('of two simultaneous runs of a source, only one reports each record as created', async () => {
  const lines = withoutLots(itemLines(8)).map((line, index): Line => ({
    ...line,
    external_reference: `at-once-${index}`,
  }))
  await house.write('at-once.jpg', await picture('#abcdef'))
  const images = lines.map(({ ref, external_reference }): Line => {
    const name = `${String(external_reference)}-1`
    return { type: 'image', item: ref, external_reference: name, file: 'at-once.jpg', public: true }
  })
  const path = await house.write('at-once.ndjson', [...lines, ...images])
  const runs = await Promise.all([1, 2].map(() => house.run('apply', path, '--json')))
  const counts = runs.map(({ stdout }) => {
    const report = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as {
      counts: { [type: string]: { created?: number } }
    }
    return [report.counts.item?.created ?? 0, report.counts.image?.created ?? 0]
  })
  const sums = [0, 1].map((type) => counts[0]![type]! + counts[1]![type]!)
  assert.deepEqual(
    [sums, runs.map(({ code }) => code)],
    [
      [8, 8],
      [0, 0],
    ],
  )
  assert.equal((await house.run('verify', path)).code, 0)
})

test('--resume ignores the work in another house', async () => {
  const path = await house.write('both.ndjson', itemLines(1).slice(0, 1))
  assert.equal((await house.run('apply', path)).code, 0)
  await house.command('houses', 'create', 'zuid', '--name', 'Zuid', '--locale', 'nl', '--currency', 'EUR')
  const made = await house.command('keys', 'create', '--house', 'zuid', '--all', '--json')
  const file = await house.write('zuid.key', (JSON.parse(made) as { key: string }).key)
  assert.match((await house.run('apply', path, '--resume', '--key-file', file)).stdout, /^created: 1 item$/m)
  assert.match((await house.run('apply', path, '--resume', '--key-file', file)).stdout, / 0 requests$/m)
})

test('the journal finds records by references with any characters', async () => {
  const line = itemLines(1)[0]!
  const items = ['Delft é', 'line\u2028separator', '日本 "12"', '𝔄'].map((external_reference) => ({
    ...line,
    ref: external_reference,
    external_reference,
  }))
  const path = await house.write('signs.ndjson', [house.house, ...items])
  assert.equal((await house.run('apply', path)).code, 0)
  assert.match((await house.run('apply', path, '--resume')).stdout, / 0 requests$/m)
})

test('a run waits for the rate limit instead of failing, and says so', async () => {
  const slow = await house.issueKey({ rate_limit: 10 })
  const path = await house.write('slow.ndjson', [house.house, ...withoutLots(itemLines(60))])
  const file = await house.write('slow.key', slow)
  const run = house.start('plan', path, '--key-file', file, '--json')
  let printed = ''
  run.stdout!.on('data', (text) => (printed += text))
  await until(async () => {
    assert.equal(run.exitCode, null, printed)
    return printed.includes('waiting for the rate limit')
  })
  run.kill()
  await run.outcome
})

test('an interrupted run finishes the requests under way, and says how to continue', async () => {
  const path = await house.write('interrupted.ndjson', [
    house.house,
    ...withoutLots(itemLines(400)).map((line) => ({
      ...line,
      external_reference: `I-${String(line.external_reference)}`,
    })),
  ])
  const url = await openProxy(house.url, (count) => {
    if (count === 60) run.kill('SIGINT')
    return 'passed'
  })
  const run = startImporter(house.key, ['apply', path, '--url', url])
  const { code, stdout: report, stderr } = await run.outcome
  assert.equal(code, 1)
  assert.match(report, /^created: \d+ items$/m)
  assert.match(stderr, /interrupted: go on with apply --resume/)
  const { stdout } = await startImporter(house.key, ['apply', path, '--resume', '--url', url]).outcome
  assert.match(stdout, /created: \d+ items/)
  assert.equal((await house.run('verify', path)).code, 0)
})
