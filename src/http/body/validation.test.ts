import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type, type TSchema } from 'typebox'
import { describeFieldError } from '../../sentences.ts'
import { Problem } from '../../problems.ts'
import { parseJson } from './json.ts'
import { fieldError, parseBody } from './validation.ts'

const shape = Type.Object(
  {
    name: Type.String({ maxLength: 3, pattern: '\\S' }),
    bytes: Type.Optional(Type.String({ 'x-max-bytes': 4 })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 2147483647 })),
    flag: Type.Optional(Type.Boolean()),
    at: Type.Optional(Type.String({ format: 'date-time' })),
    share: Type.Optional(Type.String({ format: 'percentage' })),
    list: Type.Optional(Type.Array(Type.String({ pattern: '^.{36}$' }), { uniqueItems: true })),
    names: Type.Optional(
      Type.Union([
        Type.Array(Type.String(), { minItems: 1 }),
        Type.Unsafe<'all'>({ type: 'string', enum: ['all'] }),
        Type.Null(),
      ]),
    ),
    inner: Type.Optional(
      Type.Union([Type.Object({ count: Type.Integer() }, { additionalProperties: false }), Type.Null()]),
    ),
  },
  { additionalProperties: false },
)

function errorsOf(
  body: unknown,
  method: 'POST' | 'PATCH' = 'POST',
  rules?: Parameters<typeof parseBody>[3],
  schema: TSchema = shape,
): string[] {
  try {
    parseBody(schema, body, method, rules)
    return []
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.errors!.map(({ field, code }) => `${field} ${code}`)
  }
}

test('every error of a body is found, not only the first', () => {
  const id = '0'.repeat(35)
  const cases: [body: unknown, errors: string[]][] = [
    [{ name: 'abc', inner: null, list: [] }, []],
    [{ name: '🖼🖼🖼' }, []],
    [{ name: 'a', names: 'all' }, []],
    [{ name: 'a', names: ['all'] }, []],
    [{ name: 'a', names: null }, []],
    [{ name: 'a', names: 'any' }, ['names invalid']],
    [{ name: 'a', names: [] }, ['names too_short']],
    [{ name: 'a', names: [1] }, ['names.0 wrong_type']],
    [{ name: 'a', names: { all: true } }, ['names wrong_type']],
    [{ name: '🖼🖼🖼🖼', bytes: 'ééé' }, ['name too_long', 'bytes too_long']],
    [{ name: '', at: '2026-02-29T00:00:00Z', share: '-1' }, ['name blank', 'at invalid', 'share out_of_range']],
    [
      { count: 0, flag: 'true', inner: { count: '1', other: {} } },
      ['name required', 'count out_of_range', 'flag wrong_type', 'inner.count wrong_type', 'inner.other unknown_field'],
    ],
    [
      { name: 'a', list: [`${id}a`, `${id}A`, null, null, 'x', 'x'] },
      ['list.1 duplicate', 'list.2 wrong_type', 'list.3 wrong_type', 'list.4 invalid', 'list.5 invalid'],
    ],
    [
      { name: 'a', inner: [], list: {}, at: 5, flag: {} },
      ['inner wrong_type', 'list wrong_type', 'at wrong_type', 'flag wrong_type'],
    ],
  ]
  for (const [body, errors] of cases) assert.deepEqual(errorsOf(body), errors)
  for (const body of [null, [], 'x', 5, true, undefined]) assert.deepEqual(errorsOf(body), [' wrong_type'])
})

test('a message names the field and says what would be valid', () => {
  const body = { name: '🖼🖼🖼🖼', bytes: 'ééé', count: 0, flag: 'true', at: 'now', share: '101', inner: { count: 1.5 } }
  assert.deepEqual(
    refuse(body).errors!.map((error) => describeFieldError(error)),
    [
      'name must have at most 3 characters',
      'bytes must have at most 4 bytes of UTF-8',
      'count must be from 1 to 2147483647',
      'flag must be true or false',
      'at must be an RFC 3339 timestamp with an offset',
      'share must be from "0" to "100"',
      'inner.count must be an integer, written without a fraction or an exponent',
    ],
  )
  assert.equal(describeFieldError(refuse([]).errors![0]!), 'the body must be an object')
})

test('a null that cannot clear a field is wrong_type on POST and not_clearable on PATCH, in arrays wrong_type on both', () => {
  const body = { name: null, inner: { count: null }, list: [null] }
  assert.deepEqual(errorsOf(body), ['name wrong_type', 'inner.count wrong_type', 'list.0 wrong_type'])
  assert.deepEqual(errorsOf(body, 'PATCH'), ['name not_clearable', 'inner.count not_clearable', 'list.0 wrong_type'])
})

test('rules run on bodies of any shape; of two errors in one field the one of the shape is reported', () => {
  const rules = () => [fieldError('name', 'invalid'), fieldError('', 'required')]
  assert.deepEqual(errorsOf({ name: 5 }, 'POST', rules), ['name wrong_type', ' required'])
  assert.deepEqual(errorsOf({ name: 'a' }, 'POST', rules), ['name invalid', ' required'])
})

test('bodies are read strictly: input that JSON.parse would guess at or lose is refused', () => {
  const refused = [
    '{"a":1,"a":2}',
    '{"a":1,"a":1}',
    '{"x":{"a":{},"\\u0061":{}}}',
    '{"a":1}}',
    '[01]',
    '[+1]',
    '[.5]',
    '[1.]',
    '"\t"',
    'nul',
    '',
    '[1,]',
    '{"a":}',
    '\uFEFF\uFEFF1',
    '['.repeat(300_000),
    `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  ]
  for (const text of refused) {
    assert.throws(
      () => parseJson(Buffer.from(text)),
      (error) => error instanceof Problem && error.code === 'malformed-json',
      text.slice(0, 20),
    )
  }
  assert.throws(() => parseJson(Buffer.from([0x22, 0xff, 0x22])), Problem)
  assert.throws(() => parseJson(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), Problem)
})

test('integers keep their value or are out of range; any other notation is not an integer', () => {
  const count = (text: string) => errorsOf(parseJson(Buffer.from(`{"name":"a","count":${text}}`)))
  for (const text of ['1', '2147483647']) assert.deepEqual(count(text), [])
  for (const text of ['0', '-0', '-5', '2147483648', '9223372036854775808', '9'.repeat(500), `-${'9'.repeat(500)}`])
    assert.deepEqual(count(text), ['count out_of_range'])
  for (const text of ['1.0', '1e0', '1E2', '1.5', '"1"', '-0.0', '1e400', '[]', '{}', 'true'])
    assert.deepEqual(count(text), ['count wrong_type'])
})

function refuse(body: unknown, schema: TSchema = shape): Problem {
  try {
    parseBody(schema, body, 'POST')
  } catch (error) {
    if (error instanceof Problem) return error
  }
  return assert.fail('not refused')
}

test('at most a hundred errors are listed, and values after the hundredth error are not checked', () => {
  let looks = 0
  const list: unknown[] = []
  for (let index = 0; index < 10_000; index++)
    Object.defineProperty(list, index, { enumerable: true, get: () => (looks++, 0) })
  const { errors, message } = refuse({ name: 'a', list })
  assert.equal(errors!.length, 100)
  assert.equal(errors![99]!.field, 'list.99')
  assert.match(message, /list\.99\. There are more errors: only the first 100 are listed\.$/)
  assert.equal(looks, 101)
  const hundred = refuse({ name: 'a', ...Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x${at}`, 0])) })
  assert.equal(hundred.errors!.length, 100)
  assert.doesNotMatch(hundred.message, /more/)
})

test('a message shows a hundred characters of an unknown name', () => {
  const { errors, message } = refuse({ name: 'a', ['y'.repeat(500_000)]: 0, inner: { count: 1, ['z'.repeat(101)]: 0 } })
  assert.deepEqual(
    errors!.map(({ field }) => field),
    [`${'y'.repeat(100)}…`, `inner.${'z'.repeat(100)}…`],
  )
  assert.ok(message.length < 300)
  assert.throws(
    () => parseJson(Buffer.from(`{"${'k'.repeat(1000)}":1,"${'k'.repeat(1000)}":2}`)),
    (error) =>
      error instanceof Problem && error.message.includes(`"${'k'.repeat(100)}…"`) && error.message.length < 200,
  )
  for (const text of [`[${'1'.repeat(100_000)}.]`, `"\\u${'x'.repeat(100_000)}"`, `{${'x'.repeat(100_000)}:1}`])
    assert.throws(
      () => parseJson(Buffer.from(text)),
      (error) => error instanceof Problem && error.message.length <= 201,
    )
})

test('an array with too many elements is too long, whatever the elements are', () => {
  const schema = Type.Object({ list: Type.Array(Type.String(), { maxItems: 2 }) })
  assert.deepEqual(errorsOf({ list: ['a', 'b'] }, 'POST', undefined, schema), [])
  assert.deepEqual(errorsOf({ list: [0, 0, 0] }, 'POST', undefined, schema), ['list too_long'])
})

test('a text of white space or invisible characters alone is blank', () => {
  for (const name of ['\u0085', '\u200b', '\u3164', ' \u00ad']) assert.deepEqual(errorsOf({ name }), ['name blank'])
  assert.deepEqual(errorsOf({ name: '\0' }), ['name invalid'])
})
