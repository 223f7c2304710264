import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormattedNumber } from '../src/source/cells.ts'
import fc from 'fast-check'
import type { DecimalSign } from '@auction-catalogue/client/amounts'
import { isNoAmount, parseAmount, printMoney, splitRange } from '../src/mapping/amounts.ts'
import { Misfit } from '../src/misfit.ts'

// ISO 4217 gives HUF two decimals, although prices have none.
const currencies = { JPY: 0, EUR: 2, HUF: 2, KWD: 3 }
const signs = fc.constantFrom<DecimalSign>(',', '.')
const currency = fc.constantFrom(...(Object.keys(currencies) as (keyof typeof currencies)[]))
const group = (whole: number, thousand: string) => String(whole).replaceAll(/\B(?=(\d{3})+$)/g, thousand)

test('an amount with the decimals of its currency or none, and with or without separated thousands, is read to the cent', () => {
  fc.assert(
    fc.property(
      fc.nat(2 ** 31),
      fc.nat(999),
      signs,
      currency,
      fc.constantFrom('other', '', ' ', '\u00a0', '\u202f', "'", '’'),
      fc.boolean(),
      (whole, part, sign, code, thousand, isWhole) => {
        const digits = currencies[code]
        const decimals = isWhole || digits === 0 ? '' : String(part).padStart(3, '0').slice(0, digits)
        const other = sign === ',' ? '.' : ','
        const text = group(whole, thousand === 'other' ? other : thousand) + (decimals && sign + decimals)
        const amount = whole * 10 ** digits + Number(decimals.padEnd(digits, '0'))
        assert.equal(parseAmount(text, sign, code), amount, text)
        if (decimals !== '') return
        // The same with an empty part.
        assert.equal(parseAmount(`${text}${sign}-`, sign, code), amount)
      },
    ),
  )
})

test('an amount with any other number of decimals is refused', () => {
  fc.assert(
    fc.property(fc.nat(9999), fc.stringMatching(/^\d{1,6}$/), signs, currency, (whole, decimals, sign, code) => {
      fc.pre(decimals.length !== currencies[code])
      assert.throws(() => parseAmount(`${whole}${sign}${decimals}`, sign, code), Misfit)
    }),
  )
})

test('three decimals are refused with both possible readings', () => {
  for (const [text, sign, example] of [
    ['1,000', ',', '1.250,50'],
    ['1.000', '.', '1,250.50'],
  ] as const)
    assert.throws(() => parseAmount(text, sign, 'EUR'), {
      name: 'Misfit',
      message: `could be 1000, or 1 and decimals, of which EUR has 2: write an amount with the decimal sign "${sign}" in EUR, such as ${example}`,
    })
  assert.throws(() => parseAmount('1,500', ',', 'JPY'), /could be 1500, or 1 and decimals, of which JPY has 0/)
  assert.equal(parseAmount('1,500', ',', 'KWD'), 1500)
  assert.equal(parseAmount('1.500', ',', 'KWD'), 1_500_000)
})

test('the example beside a refused amount is an amount, and one beside an estimate is a multiple of 100 minor units', () => {
  for (const sign of [',', '.'] as const)
    for (const code of Object.keys(currencies))
      for (const isEstimate of [true, false]) {
        const refused = () => parseAmount('1.2.3', sign, code, isEstimate)
        assert.throws(refused, ({ message }: Misfit) => {
          const amount = parseAmount(/such as (.*)$/.exec(message)![1]!, sign, code, isEstimate)
          return !isEstimate || amount % 100 === 0
        })
      }
  assert.throws(() => parseAmount('12,5', ',', 'EUR', true), {
    message: 'is not an amount with the decimal sign "," in whole EUR, such as 1.250',
  })
})

test('a text with other signs than those of an amount, or none, is no amount', () => {
  for (const text of ['500¹', '₁500', '①500', '1,250.50', '12.345.6', '4OO', '-5', '', '£ 5', '400/600'])
    assert.throws(() => parseAmount(text, ',', 'EUR'), Misfit, text)
})

test('an amount is printed with its currency and all of its decimals', () => {
  for (const [amount, currency, text] of [
    [45_050, 'EUR', 'EUR 450.50'],
    [450, 'JPY', 'JPY 450'],
    [450, 'KWD', 'KWD 0.450'],
  ] as const)
    assert.equal(printMoney({ amount, currency }), text)
})

test('a number of a workbook has at most the decimals of its currency, and is neither negative nor rounded', () => {
  assert.equal(parseAmount(12.5, ',', 'EUR'), 1250)
  assert.equal(parseAmount(1.255, '.', 'KWD'), 1255)
  for (const number of [12.345, -5, 1e21, 1e-7, Number.NaN, Infinity])
    assert.throws(() => parseAmount(number, ',', 'EUR'), Misfit, String(number))
  assert.throws(() => parseAmount(0.5, ',', 'JPY'), Misfit)
})

test('any dash divides bounds if the mapping names a dash, but a dash for no cents does not', () => {
  assert.deepEqual(splitRange('€ 400 – € 600', '-', ','), ['€ 400', '€ 600'])
  assert.deepEqual(splitRange('1.250,- - 1.500,-', '-', ','), ['1.250', '1.500'])
  assert.deepEqual(splitRange("1'250.--–1'500.–", '–', '.'), ["1'250", "1'500"])
  assert.deepEqual(splitRange('400/600', '/', ','), ['400', '600'])
  assert.deepEqual(splitRange('-5', '-', ','), ['', '5'])
})

test('a range with another sign than that of the mapping is divided where only a range can be meant', () => {
  for (const text of [
    '800/1200',
    '800-1200',
    '800 – 1200',
    '800 t/m 1200',
    '800 bis 1200',
    '800 à 1200',
    '800 to 1200',
    '800~1200',
    '800−1200',
    '800‑1200',
    '８００―１２００',
  ])
    for (const range of ['-', '/', 'tot']) assert.deepEqual(splitRange(text, range, ','), ['800', '1200'], text)
})

test('the signs and words of currencies in nine languages are read, and any other is named', () => {
  for (const [text, decimal, code, amount] of [
    ['¥20,000', '.', 'CNY', 2_000_000],
    ['¥20,000', '.', 'JPY', 20_000],
    ['20,000元', '.', 'CNY', 2_000_000],
    ['ＲＭＢ２０，０００', '.', 'CNY', 2_000_000],
    ['RMB 20,000', '.', 'CNY', 2_000_000],
    ['US$ 1,250', '.', 'USD', 125_000],
    ['$1250 USD', '.', 'USD', 125_000],
    ['HK$1,250.00', '.', 'HKD', 125_000],
    ['1 250 euros', ',', 'EUR', 125_000],
    ['1\u2009250 €', ',', 'EUR', 125_000],
    ['1\u202f250,50 €', ',', 'EUR', 125_050],
    ['SFr. 800', '.', 'CHF', 80_000],
    ["Fr. 1'250.—", '.', 'CHF', 125_000],
    ['125 000 Ft.', ',', 'HUF', 12_500_000],
    ['1.250 zł', ',', 'PLN', 125_000],
    ['EUR 1.250,-', ',', 'EUR', 125_000],
    ['€ 1.250,-', ',', 'EUR', 125_000],
    ['1 250,00', ',', 'EUR', 125_000],
  ] as const)
    assert.equal(parseAmount(text, decimal, code), amount, text)
  assert.throws(() => parseAmount('US$ 1,250', '.', 'EUR'), /is in another currency than EUR/)
  assert.throws(() => parseAmount('$1250', '.', 'EUR'), /is in another currency than EUR/)
  assert.throws(() => parseAmount('₽ 1250', ',', 'EUR'), /has "₽" beside its number, which is no known sign/)
  assert.throws(() => parseAmount('ca. 1250', ',', 'EUR'), /has "ca\." beside its number, which is no known sign/)
  assert.throws(
    () => parseAmount(1000 / 3, ',', 'EUR'),
    /has 13 decimals in the spreadsheet, and EUR has 2: round it there/,
  )
})

test('a dash, or words for "on request", mean no amount; other words are refused', () => {
  for (const text of [
    '-',
    '–',
    ' -- ',
    'p.o.a.',
    'POA',
    'op aanvraag',
    'Estimate upon request',
    'n.v.t.',
    '€ -',
    '-   EUR',
    'p.m.',
    'keine',
    '无',
  ])
    assert.ok(isNoAmount(text), text)
  for (const text of ['Stima a richiesta', 'Precio a consultar', 'Estimation sur demande', 'Taxe auf Anfrage'])
    assert.ok(isNoAmount(text), text)
  for (const text of ['', '0', '-5', '#N/A', 'onbekend', '€', '€ -5']) assert.ok(!isNoAmount(text), text)
})

test('a typed number is its amount, whatever decimals its format shows', () => {
  for (const number of [2.01, 8.05, 16.12, 64.1, 1250.5])
    assert.equal(parseAmount(new FormattedNumber(number, '#,##0'), ',', 'EUR'), Math.round(number * 100))
})
