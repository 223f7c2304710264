import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBytes, printBytes } from './bytes.ts'
import { isLocale, locales, normalizeLocale } from './locales.ts'
import { isCurrency } from './money.ts'
import { parsePercentage } from './percentages.ts'
import { byteLength, isBlank, isStorable, shorten } from './text.ts'

test('percentages from 0 to 100 lose only their trailing zeros', () => {
  const read = { '0': '0', '0.0': '0', '22.50': '22.5', '22.5000': '22.5', '100': '100', '100.0000': '100', '7': '7' }
  const more = { '0.0001': '0.0001', '99.9999': '99.9999', '10': '10', '007': '7' }
  for (const [text, printed] of Object.entries({ ...read, ...more })) assert.equal(parsePercentage(text), printed)
  for (const text of ['', '-1', '+1', '100.0001', '101', '1.00000', '.5', '5.', '1e1', ' 1', '1 ', '1,5', '١', 'NaN']) {
    assert.equal(parsePercentage(text), undefined, text)
  }
})

test('a translation is in one of nine languages, with its exact code', () => {
  assert.equal(locales.length, 9)
  for (const locale of locales) assert.ok(isLocale(locale))
  for (const text of ['', 'NL', 'nl-NL', 'en-GB', 'pt', 'n', 'constructor']) assert.ok(!isLocale(text), text)
})

test('a house’s locale may name a country, which is ignored', () => {
  for (const text of ['nl', 'nl-NL', 'nl_BE', 'NL']) assert.equal(normalizeLocale(text), 'nl')
  for (const text of ['', 'pt-BR', '-nl', 'nld']) assert.equal(normalizeLocale(text), undefined, text)
})

test('a currency is an ISO 4217 code, old ones included', () => {
  for (const code of ['EUR', 'USD', 'GBP', 'NLG', 'JPY']) assert.ok(isCurrency(code), code)
  for (const code of ['', 'eur', 'EURO', 'XX', 'QQQ', '€', 'EUR ']) assert.ok(!isCurrency(code), code)
})

test('a text is blank without a visible character, and can be stored without NUL and lone surrogates', () => {
  const white = ['', ' ', '\t\n', '\u0085', '\u00A0\u3000', '\u1680\u2028']
  const invisible = [
    '\uFEFF',
    '\u200B',
    '\u00AD',
    '\u2060',
    '\u3164',
    '\u{E0020}',
    '\uFE0F',
    '\u0001',
    '\u2800',
    '\u202E',
  ]
  for (const text of [...white, ...invisible, white.join('') + invisible.join('')])
    assert.ok(isBlank(text), JSON.stringify(text))
  for (const text of ['a', ' . ', '🎨', '👩‍🎨', '1', '\u0301', '字', '\u200Ba'])
    assert.ok(!isBlank(text), JSON.stringify(text))
  for (const text of ['', 'é🎨', '\u0001']) assert.ok(isStorable(text))
  for (const text of ['\0', 'a\0b', '\uD800', '\uDC00\uD800']) assert.ok(!isStorable(text))
  assert.deepEqual(['', 'a', 'é', '€', '🎨'].map(byteLength), [0, 1, 2, 3, 4])
})

test('a message shows a client’s text up to a number of characters, and cuts none of them in half', () => {
  for (const text of ['', 'x'.repeat(100), '🎨'.repeat(100)]) assert.equal(shorten(text), text)
  assert.equal(shorten('x'.repeat(101)), `${'x'.repeat(100)}…`)
  assert.equal(shorten(`x${'🎨'.repeat(1_000_000)}`), `x${'🎨'.repeat(99)}…`)
})

test('bytes are read in common notations, and ambiguous ones are refused', () => {
  const read: [text: string, bytes: number][] = [
    ['0', 0],
    ['50000000000', 50_000_000_000],
    ['50GB', 50_000_000_000],
    ['50 gb', 50_000_000_000],
    ['1.5 GiB', 1_610_612_736],
    ['1,25 MB', 1_250_000],
    ['640 kB', 640_000],
    ['7 B', 7],
  ]
  for (const [text, bytes] of read) assert.equal(parseBytes(text), bytes, text)
  const wrong = [
    '',
    'GB',
    '-1',
    '-1GB',
    '1.5',
    '1,500 MB',
    '1.500.000',
    '50G',
    '50 XB',
    '1e9',
    '99999 TB',
    'NaN',
    '5 0GB',
  ]
  for (const text of wrong) assert.equal(parseBytes(text), undefined, text)
})

test('bytes are printed in the unit with the shortest number', () => {
  const shown: [bytes: number, text: string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1 MB'],
    [8_906_104, '8.9 MB'],
    [50_000_000_000, '50 GB'],
    [1_234_000_000_000_000, '1234 TB'],
  ]
  for (const [bytes, text] of shown) assert.equal(printBytes(bytes), text)
})
