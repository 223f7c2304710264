import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { everyType, openFixture, type Value } from '../../test/support/loading.ts'
import { LoadError } from './errors.ts'
import { parseRecord } from './parser.ts'

const fixture = await openFixture()
after(() => fixture.close())

const published = path.join(import.meta.dirname, '../../docs/load-format.schema.json')
const schema = JSON.parse(await readFile(published, 'utf8')) as Value
const allows = formats.default(new Ajv2020()).compile(schema)

const others = [null, true, -1, 0.5, 2 ** 31, 2 ** 53, '', '1', '100.1', '2021-02-29T00:00:00Z', [], {}]
const strange = ['2021-02-28T24:00:00Z', '2021-02-28T00:00:00', `itm_${'0'.repeat(36)}`, 'x'.repeat(2 ** 16 + 1)]

/** All variants of the value with one change: a value replaced, a field removed or a field added. */
function* changes(value: unknown): Generator {
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    const rebuild = (changed: [string, unknown][]) =>
      Array.isArray(value) ? changed.map(([, element]) => element) : Object.fromEntries(changed)
    for (const [at, [name, inner]] of entries.entries()) {
      yield rebuild(entries.toSpliced(at, 1))
      for (const changed of changes(inner)) yield rebuild(entries.with(at, [name, changed]))
    }
    yield rebuild([...entries, ['unknown', 1]])
  }
  yield* others
  yield* strange
}

function refusalOf(line: unknown): string | undefined {
  try {
    parseRecord({ file: 'file', line: 1 }, Buffer.from(JSON.stringify(line)))
    return undefined
  } catch (error) {
    assert.ok(error instanceof LoadError)
    return error.message
  }
}

test('the published schema accepts lines of every type with every field, and a load stores them', async () => {
  const lines = everyType(fixture.newHouse())
  for (const line of lines) assert.ok(allows(line), JSON.stringify(allows.errors))
  assert.equal((await fixture.load(lines)).lines, lines.length)
})

test('the loader refuses what the published schema refuses, and beyond that only days that do not exist', () => {
  let refused = 0
  for (const record of everyType(fixture.newHouse())) {
    for (const line of changes(record)) {
      const refusal = refusalOf(line)
      if (allows(line)) assert.match(refusal ?? 'must be an RFC 3339', /must be an RFC 3339/, JSON.stringify(line))
      else assert.ok(refusal !== undefined && ++refused, `${JSON.stringify(line)} ${JSON.stringify(allows.errors)}`)
    }
  }
  assert.ok(refused > 1_000, String(refused))
})
