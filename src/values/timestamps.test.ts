import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseTimestamp, wholeSeconds } from './timestamps.ts'

const read: [text: string, printed: string][] = [
  ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.000000Z'],
  ['2026-11-20t12:00:00z', '2026-11-20T12:00:00.000000Z'],
  ['2026-11-20T12:00:00+01:30', '2026-11-20T10:30:00.000000Z'],
  ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000000Z'],
  ['2026-11-20T12:00:00.1Z', '2026-11-20T12:00:00.100000Z'],
  ['2026-11-20T12:00:00.1234569Z', '2026-11-20T12:00:00.123456Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
  ['2000-02-29T00:00:00-00:00', '2000-02-29T00:00:00.000000Z'],
  ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000000Z'],
]

for (const [text, printed] of read) {
  test(`${text} is ${printed}`, () => assert.equal(parseTimestamp(text), printed))
}

const refused = [
  '',
  '2026-11-20',
  '2026-11-20T12:00:00',
  '2026-11-20T12:00Z',
  '2026-11-20 12:00:00Z',
  '20261120T120000Z',
]
  .concat(['2026-11-20T12:00:00+01', '2026-11-20T12:00:00+0100', '2026-11-20T12:00:00.Z', '2026-11-20T12:00:00,5Z'])
  .concat(['2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-02-29T00:00:00Z', '2100-02-29T00:00:00Z'])
  .concat(['2026-04-31T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T00:60:00Z'])
  .concat(['2026-01-01T00:00:60Z', '2026-01-01T00:00:00+24:00', '2026-01-01T00:00:00+00:60', ' 2026-01-01T00:00:00Z'])
  .concat(['2026-01-01T00:00:00Z\n', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])

for (const text of refused) {
  test(`${JSON.stringify(text)} is not a timestamp`, () => assert.equal(parseTimestamp(text), undefined))
}

test('every instant is read correctly, whatever the offset in the text', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0002-01-01'), max: new Date('9998-01-01'), noInvalidDate: true }),
      fc.integer({ min: -1439, max: 1439 }),
      (instant, offset) => {
        const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, -1)
        const two = (number: number) => String(number).padStart(2, '0')
        const sign = offset < 0 ? '-' : '+'
        const text = `${local}${sign}${two(Math.trunc(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
        assert.equal(parseTimestamp(text), instant.toISOString().replace('Z', '000Z'))
      },
    ),
  )
})

test('fractions of a second are truncated, never rounded', () => {
  assert.equal(wholeSeconds(parseTimestamp('2026-01-01T00:00:00.999999Z')!).toISOString(), '2026-01-01T00:00:00.000Z')
  assert.equal(wholeSeconds(parseTimestamp('1969-12-31T23:59:59.999Z')!).toISOString(), '1969-12-31T23:59:59.000Z')
})
