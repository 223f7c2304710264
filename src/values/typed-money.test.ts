import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AmountError, printMoney, readTypedMoney } from './typed-money.ts'

const read = (text: string, currency: string, units?: boolean) => readTypedMoney(text, currency, '--minor', units)

const accepted: [text: string, currency: string, minor: number][] = [
  ['EUR 450', 'EUR', 45_000],
  ['€ 450', 'EUR', 45_000],
  ['€450', 'EUR', 45_000],
  ['450 €', 'EUR', 45_000],
  ['eur 450', 'EUR', 45_000],
  [' EUR\u00a0450,50 ', 'EUR', 45_050],
  ['450,00', 'EUR', 45_000],
  ['450.00', 'EUR', 45_000],
  ['0,05', 'EUR', 5],
  ['EUR 0', 'EUR', 0],
  ['1234567,89', 'EUR', 123_456_789],
  ['£ 12.50', 'GBP', 1250],
  ['$450', 'USD', 45_000],
  ['$450', 'AUD', 45_000],
  ['zł 450', 'PLN', 45_000],
  ['JPY 450', 'JPY', 450],
  ['¥450', 'JPY', 450],
  ['KWD 1', 'KWD', 1000],
  ['1,250', 'KWD', 1250],
  // Everyday prices have no decimals in these currencies, and ISO 4217 gives them two.
  ['HUF 450', 'HUF', 45_000],
  ['450,00', 'HUF', 45_000],
  ['450.00', 'COP', 45_000],
  ['CLF 1.2345', 'CLF', 12_345],
]

const refused: [text: string, currency: string, message: string][] = [
  [
    '45000',
    'EUR',
    '"45000" could be EUR 45000, or EUR 450 if it is in minor units: write "EUR 45000" or "EUR 450", or use --minor',
  ],
  ['5', 'EUR', '"5" could be EUR 5, or EUR 0.05 if it is in minor units: write "EUR 5" or "EUR 0.05", or use --minor'],
  [
    '450',
    'KWD',
    '"450" could be KWD 450, or KWD 0.450 if it is in minor units: write "KWD 450" or "KWD 0.450", or use --minor',
  ],
  ['450', 'JPY', '"450" could be minor units or units, which are the same in JPY: write "JPY 450"'],
  [
    '450,00',
    'JPY',
    '"450,00" is understood as 450 and the decimals 00: it has 2 decimals, and JPY has no decimals: write "JPY 450"',
  ],
  [
    '450,5',
    'EUR',
    '"450,5" is understood as 450 and the decimals 5: it has 1 decimal, and EUR has 2 decimals: write "EUR 450.50"',
  ],
  [
    'EUR 4500,505',
    'EUR',
    '"EUR 4500,505" is understood as 4500 and the decimals 505: it has 3 decimals, and EUR has 2 decimals: write an amount such as "EUR 450" or "450.00"',
  ],
  [
    'EUR 1.250',
    'EUR',
    '"EUR 1.250" could be EUR 1250 with digits in groups, or has 3 decimals, and EUR has 2 decimals: write "EUR 1250" or "EUR 1.25"',
  ],
  ['1.250,50', 'EUR', '"1.250,50" is understood as EUR 1250.50, but digits are not grouped: write "EUR 1250.50"'],
  ['1,250.50', 'EUR', '"1,250.50" is understood as EUR 1250.50, but digits are not grouped: write "EUR 1250.50"'],
  ['€ 1 250', 'EUR', '"€ 1 250" is understood as EUR 1250, but digits are not grouped: write "EUR 1250"'],
  [
    "1'250'000.00",
    'CHF',
    '"1\'250\'000.00" is understood as CHF 1250000, but digits are not grouped: write "CHF 1250000"',
  ],
  ['1.250.50', 'EUR', '"1.250.50" is not an amount in EUR: write an amount such as "EUR 450" or "450.00"'],
  ['450,-', 'EUR', '"450,-" is understood as EUR 450, but a dash does not stand for decimals: write "EUR 450"'],
  ['€ 450,-', 'EUR', '"€ 450,-" is understood as EUR 450, but a dash does not stand for decimals: write "EUR 450"'],
  ['450,-- €', 'EUR', '"450,-- €" is understood as EUR 450, but a dash does not stand for decimals: write "EUR 450"'],
  [
    'CHF 1.200.–',
    'CHF',
    '"CHF 1.200.–" is understood as CHF 1200, but a dash does not stand for decimals: write "CHF 1200"',
  ],
  ['450,50,-', 'EUR', '"450,50,-" is not an amount in EUR: write an amount such as "EUR 450" or "450.00"'],
  [
    '$ 450,-',
    'EUR',
    '"$ 450,-" is understood as 450 beside "$", which is not the currency of the house, EUR: write an amount such as "EUR 450" or "450.00"',
  ],
  [
    '-450,00',
    'EUR',
    '"-450,00" is understood as 450,00 beside "-", which is not the currency of the house, EUR: write an amount such as "EUR 450" or "450.00"',
  ],
  [
    'USD 450',
    'EUR',
    '"USD 450" is understood as 450 beside "USD", which is not the currency of the house, EUR: write an amount such as "EUR 450" or "450.00"',
  ],
  [
    '$ 450',
    'EUR',
    '"$ 450" is understood as 450 beside "$", which is not the currency of the house, EUR: write an amount such as "EUR 450" or "450.00"',
  ],
  [
    'EUR 450 EUR',
    'EUR',
    '"EUR 450 EUR" is understood as 450 between "EUR" and "EUR", but the currency is written once: write an amount such as "EUR 450" or "450.00"',
  ],
  ['EUR', 'EUR', '"EUR" is not an amount in EUR: write an amount such as "EUR 450" or "450.00"'],
  ['', 'JPY', '"" is not an amount in JPY: write an amount such as "JPY 450"'],
  ['4e3', 'EUR', '"4e3" is not an amount in EUR: write an amount such as "EUR 450" or "450.00"'],
  ['450:00', 'EUR', '"450:00" is not an amount in EUR: write an amount such as "EUR 450" or "450.00"'],
  ['٤٥٠,٠٠', 'EUR', '"٤٥٠,٠٠" is not an amount in EUR: write an amount such as "EUR 450" or "450.00"'],
  ['EUR 90071992547409.92', 'EUR', '"EUR 90071992547409.92" is too large an amount: write a smaller one'],
]

test('an amount has its currency, or exactly the decimals of its currency', () => {
  for (const [text, currency, minor] of accepted) assert.equal(read(text, currency), minor, `${text} in ${currency}`)
})

test('any other form is refused with what was understood, and a bare integer with both readings', () => {
  for (const [text, currency, message] of refused) assert.throws(() => read(text, currency), new AmountError(message))
})

test('a bare integer is in units where that is said', () => {
  assert.equal(read('450', 'EUR', true), 45_000)
  assert.equal(read('450', 'JPY', true), 450)
  assert.equal(read('450,50', 'EUR', true), 45_050)
  assert.throws(() => read('1.250', 'EUR', true), AmountError)
})

test('an amount is read as it is printed, to the last minor unit', () => {
  const reread = (amount: number, currency: string) => {
    const printed = printMoney({ amount, currency })
    assert.equal(read(printed, currency), amount, printed)
  }
  // The symbol of XOF contains a space.
  for (const currency of [...Intl.supportedValuesOf('currency'), 'FRF']) reread(1, currency)
  const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF', 'XOF')
  fc.assert(fc.property(fc.nat(Number.MAX_SAFE_INTEGER), currency, reread))
})

test('no bare integer of any length is read without "units"', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{1,20}$/), fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'), (text, currency) => {
      assert.throws(() => read(text, currency), AmountError)
    }),
  )
})
