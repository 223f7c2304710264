// Copied from src/values/currencies.ts by npm run generate.

// Intl gives the digits of everyday prices, which are fewer for HUF and COP, and differ between versions of Node.
const decimals = new Map<string, number>(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([digits, codes]) => codes.split(' ').map((code): [string, number] => [code, Number(digits)])),
)

/** The decimals of a currency by ISO 4217: an amount in minor units is in units times ten to that power (section 2.1). */
export const decimalsOf = (currency: string): number => decimals.get(currency) ?? 2
