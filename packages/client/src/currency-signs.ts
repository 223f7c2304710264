// The signs and words beside an amount, in the languages of the locales. Several currencies share some.
const signs: [words: string, codes: string][] = [
  ['€ eur euro euros euró', 'EUR'],
  ['£ gbp pound pounds', 'GBP'],
  ['$ dollar dollars', 'USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP'],
  ['us$ $us usd usd$ 美元', 'USD'],
  ['c$ ca$ can$ cad', 'CAD'],
  ['a$ au$ aud', 'AUD'],
  ['nz$ nzd', 'NZD'],
  ['hk$ hkd 港元 港币 港幣', 'HKD'],
  ['s$ sgd', 'SGD'],
  ['nt$ twd ntd 新台币 新臺幣 新台幣', 'TWD'],
  ['mx$ mxn', 'MXN'],
  ['chf fr sfr franken francs stutz', 'CHF'],
  ['zł zl pln złotych złote złoty', 'PLN'],
  ['ft huf forint', 'HUF'],
  ['¥', 'CNY JPY'],
  ['cn¥ cny rmb 人民币 人民幣', 'CNY'],
  ['元 圆 圓', 'CNY HKD TWD'],
  ['jp¥ jpy 円 日元 日圓', 'JPY'],
]

const codesOf = new Map<string, string[]>()
for (const [words, codes] of signs) for (const word of words.split(' ')) codesOf.set(word, codes.split(' '))

const simplify = (text: string) => text.toLowerCase().replaceAll(/[\s.]/g, '')

/** The currencies that a sign or a word beside an amount can mean, in any case and with a full stop; empty if unknown. */
export function findCurrencies(word: string): string[] {
  const simple = simplify(word)
  return codesOf.get(simple) ?? (/^[a-z]{3}$/.test(simple) && /^[A-Z]{3}$/.test(word.trim()) ? [word.trim()] : [])
}

/** A pattern for the signs and words of currencies, the longest first. */
export const currencyPattern = [...codesOf.keys()]
  .toSorted((a, b) => b.length - a.length)
  .map((word) => {
    const escaped = word.replaceAll('$', String.raw`\$`)
    return /^\p{L}/u.test(word) && !/\p{Script=Han}/u.test(word)
      ? String.raw`(?<!\p{L})${escaped}(?!\p{L})\.?`
      : escaped
  })
  .join('|')
