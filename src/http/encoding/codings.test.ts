import assert from 'node:assert/strict'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { chooseCoding, chooseCodingOf, withCoding, withoutCodings } from './codings.ts'

// Node 20 has no Zstandard.
const best = 'zstdCompress' in zlib ? 'zstd' : 'br'

test('a client gets the coding that it prefers, of equal ones our best, and none that it refuses', () => {
  const expected: Record<string, string | undefined> = {
    gzip: 'gzip',
    GZIP: 'gzip',
    'gzip, deflate': 'gzip',
    'gzip, deflate, br': 'br',
    'gzip, deflate, br, zstd': best,
    '*': best,
    'gzip;q=0, *': best,
    'gzip;q=0.5': 'gzip',
    'br;q=0.5, gzip;q=0.8, zstd;q=0.1': 'gzip',
    'br;q=0.001, identity;q=0': 'br',
    ' gzip ;\tq=0.3 , br;q=0.2': 'gzip',
    'gzip;q=0.000, br;q=0': undefined,
    'gzip;q=0.5, identity': undefined,
    'gzip;q=0.5, *;q=0.4, identity;q=0.6': undefined,
    identity: undefined,
    'identity;q=0': undefined,
    '*;q=0': undefined,
    '*;q=0, gzip;q=0.1': 'gzip',
    deflate: undefined,
    'compress, x-strange': undefined,
    '': undefined,
    ',,;, ;': undefined,
    'gzip;q=-1': undefined,
    'gzip;q=NaN': undefined,
    '"gzip"': undefined,
    'gzip br': undefined,
  }
  for (const [header, coding] of Object.entries(expected)) {
    assert.equal(chooseCoding(header), coding, header)
    assert.equal(chooseCoding(header), coding, `${header}, remembered`)
  }
  assert.equal(chooseCoding(undefined), undefined)
})

test('a long header is read like a short one', () => {
  const strange = Array.from({ length: 10_000 }, (_, at) => `c${at};q=0.5`).join(', ')
  assert.equal(chooseCoding(strange), undefined)
  assert.equal(chooseCoding(`${strange}, gzip`), 'gzip')
})

test('of some codings only one of these is chosen', () => {
  assert.equal(chooseCodingOf(['br', 'gzip'], 'gzip, br, zstd'), 'br')
  assert.equal(chooseCodingOf(['gzip'], 'br, zstd, *;q=0'), undefined)
})

test('a tag names its coding inside the quotes, and is found again without it', () => {
  for (const [coding, suffix] of [
    ['gzip', '.gz'],
    ['br', '.br'],
    ['zstd', '.zst'],
  ] as const) {
    assert.equal(withCoding('"x.1"', coding), `"x.1${suffix}"`)
    assert.equal(withCoding('W/"x"', coding), `W/"x${suffix}"`)
    assert.equal(withoutCodings(`"a${suffix}", W/"b${suffix}" ,"c"`), '"a", W/"b" ,"c"')
  }
  for (const foreign of ['"a.gzip"', '"a-gz"', '".gz.x"', '"a.gz;x"', 'a.gz', '*']) {
    assert.equal(withoutCodings(foreign), foreign)
  }
})
