import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LoadError } from './errors.ts'
import { JsonError, lineRules, readJson } from '../values/json.ts'
import { parseRecord } from './parser.ts'

const place = { file: 'sale.ndjson', line: 7 }
const mebibyte = 1024 * 1024

function refusalOf(read: () => unknown): [field: string, problem: string] {
  try {
    read()
  } catch (error) {
    if (error instanceof JsonError) return [error.path.join('.'), error.problem]
    assert.ok(error instanceof LoadError, String(error))
    assert.equal(error.line, 7)
    return [error.field, error.problem]
  }
  return assert.fail('not refused')
}
const refuse = (json: string | Buffer) => refusalOf(() => readJson(Buffer.from(json), lineRules))
const refuseRecord = (json: string) => refusalOf(() => parseRecord(place, Buffer.from(json)))

test('a value is read as JSON.parse reads it', () => {
  const values = [
    '{}',
    '[]',
    ' { "a" : [ 1 , -0, 2.5e-3, 1E2, true, false, null, "" ] }\r',
    '{"\\u0061\\n\\"":"\\ud83d\\ude00 é 😀 \\/ \\\\","":{"":[[{}]]}}',
    '{"__proto__":{"a":1},"constructor":2,"2":3,"1":4}',
    '"\\ud83d"',
    '123456789012345678901234567890',
    '1e400',
  ]
  for (const text of values) assert.deepEqual(readJson(Buffer.from(text), lineRules), JSON.parse(text), text)
})

test('text that is not JSON is refused, as over HTTP', () => {
  const broken = ['{"a":1}}', '[01]', '[+1]', '[.5]', '[1.]', '[1.e2]', '[--1]', '"\t"', '"\\x"', '"\\u12g4"', '"a\\"']
  broken.push(
    'nul',
    'NaN',
    '',
    '[1,]',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    '{1:1}',
    '[1 2]',
    '{"a" 1}',
    "'a'",
    '"a',
    '[',
    '{"a"',
  )
  for (const text of broken) assert.match(refuse(text)[1], /^the line is not valid JSON: /, text)
  assert.equal(refuse('{"a":1 x')[1], 'the line is not valid JSON: the character at byte 8 is wrong there')
  assert.equal(refuse('{"a":')[1], 'the line is not valid JSON: it ends too early')
})

test('a key that is given twice is refused at every depth, however it is written', () => {
  const twice: [json: string, field: string][] = [
    ['{"type":"item","title":"eerste","title":"tweede"}', 'title'],
    ['{"type":"item","type":"item"}', 'type'],
    ['{"type":"item","type":"lot"}', 'type'],
    ['{"type":"item","title":"a","t\\u0069tle":"a"}', 'title'],
    ['{"type":"item","translations":{"nl":{"title":"a"},"nl":{"title":"a"}}}', 'translations.nl'],
    ['{"type":"item","translations":[{"locale":"nl"},{"title":"a","title":null}]}', 'translations.1.title'],
    ['{"type":"item","estimate":{"low":{"amount":1,"amount":1,"currency":"EUR"}}}', 'estimate.low.amount'],
    ['{"type":"item","__proto__":1,"__proto__":2}', '__proto__'],
  ]
  for (const [json, field] of twice) assert.deepEqual(refuseRecord(json), [field, 'is given twice'])
})

test('a line is refused at the first value beyond its bounds, with the field', () => {
  const many = (element: string, count: number) => Array.from({ length: count }, () => element).join()
  const texts = 'brings the texts of the line beyond 2097152 characters'
  const hostile: [json: string | Buffer, field: string, problem: string][] = [
    [`{"categories":[${many('"a"', 20_000)}]}`, 'categories.9998', 'brings the line beyond 10000 values'],
    [`{${Array.from({ length: 20_000 }, (_, n) => `"${n}":1`).join()}}`, '9999', 'brings the line beyond 10000 values'],
    [`{"title":${'['.repeat(mebibyte)}`, `title${'.0'.repeat(7)}`, 'is nested too deeply (more than 8 levels)'],
    ['{"a":'.repeat(mebibyte), 'a.a.a.a.a.a.a.a', 'is nested too deeply (more than 8 levels)'],
    [`{"title":"${'a'.repeat(2 * mebibyte)}"}`, 'title', texts],
    [`{"title":"${String.raw`\u0061`.repeat(2 * mebibyte)}"}`, 'title', texts],
    [`{"title":"${'中'.repeat(4 * mebibyte)}"}`, 'title', texts],
    [`{"a":"${'a'.repeat(mebibyte)}","b":"${'a'.repeat(mebibyte)}"}`, 'b', texts],
    [`{"${'k'.repeat(3 * mebibyte)}":1}`, '', `the line ${texts}`],
    ['9'.repeat(mebibyte), '', 'the line is a number of more than 1000 characters'],
    [`{"number":${'9'.repeat(mebibyte)}}`, 'number', 'is a number of more than 1000 characters'],
  ]
  for (const [json, ...expected] of hostile) assert.deepEqual(refuse(json), expected)
})

test('what a record may hold is read whole', () => {
  const texts = Object.fromEntries(['title', 'description'].map((name) => [name, 'é'.repeat(64 * 1024)]))
  const steps = Array.from({ length: 1000 }, (_, n) => ({
    from: { amount: n, currency: 'EUR' },
    increment: { amount: n, currency: 'EUR' },
  }))
  const records = [
    { type: 'item', ...texts, translations: { nl: texts, en: texts } },
    { type: 'increment_strategy', steps },
    { type: 'consignment', private_notes: '\u0001'.repeat(mebibyte) },
  ]
  for (const record of records) assert.deepEqual(parseRecord(place, Buffer.from(JSON.stringify(record))), record)
})

test('an item has at most the categories and makers that it may have over HTTP', () => {
  for (const field of ['categories', 'makers']) {
    const item = (count: number) => JSON.stringify({ type: 'item', [field]: Array.from({ length: count }, () => 'a') })
    assert.ok(parseRecord(place, Buffer.from(item(100))))
    assert.deepEqual(refuseRecord(item(101)), [field, 'must not have more than 100 items'])
  }
  const rows = Array.from({ length: 101 }, () => ({ locale: 'nl' }))
  assert.deepEqual(refuseRecord(JSON.stringify({ type: 'item', translations: rows })), [
    'translations',
    'must not have more than 100 items',
  ])
})

test('a message shows a hundred characters of an unknown field', () => {
  const [field, problem] = refuseRecord(`{"type":"item","${'x'.repeat(mebibyte)}":1}`)
  assert.deepEqual([field, problem], [`${'x'.repeat(100)}…`, 'unknown field'])
})
