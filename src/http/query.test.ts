import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Problem } from '../problems.ts'
import {
  booleanFilter,
  expansions,
  idFilter,
  integerFilter,
  pageParameters,
  pairsOf,
  parseQuery,
  textFilter,
} from './query.ts'

const schema = Type.Object({
  ...pageParameters,
  number: integerFilter('A number.'),
  flag: booleanFilter('A flag.'),
  text: textFilter('A text.'),
  lot: idFilter('lot', 'A lot.'),
  ...expansions('item', 'session'),
})
const uuid = '00000000-0000-4000-8000-00000000000a'

const accepted: [query: string, values: Record<string, unknown>][] = [
  ['', {}],
  ['&&', {}],
  ['limit=1', { limit: 1 }],
  ['number=-2147483648', { number: -2147483648 }],
  ['number=2147483647', { number: 2147483647 }],
  ['number=007', { number: 7 }],
  ['flag=true', { flag: true }],
  ['flag=false', { flag: false }],
  ['text=a+b', { text: 'a b' }],
  ['text=a%2Bb', { text: 'a+b' }],
  ['text=%20a%20', { text: ' a ' }],
  ['text=a=b=c', { text: 'a=b=c' }],
  ['text=%C3%A9%F0%9F%8E%A8', { text: 'é🎨' }],
  ['te%78t=1', { text: '1' }],
  [`lot=lot_${uuid}`, { lot: uuid }],
  [`lot=${uuid.toUpperCase()}`, { lot: uuid }],
  ['expand[]=item', { 'expand[]': ['item'] }],
  ['expand%5B%5D=item&expand[]=session', { 'expand[]': ['item', 'session'] }],
  ['expand[]=item&expand[]=item', { 'expand[]': ['item'] }],
]

for (const [query, values] of accepted) {
  test(`?${query} is read as ${JSON.stringify(values)}`, () => {
    assert.deepEqual(parseQuery(schema, pairsOf(`/?${query}`)), { limit: 25, ...values })
  })
}

const refused: [query: string, names: RegExp][] = [
  ['number=+5', /number/],
  ['number=%2B5', /number/],
  ['number=5.0', /number/],
  ['number=5e3', /number/],
  ['number=0x1', /number/],
  ['number= 5', /number/],
  ['number=5%20', /number/],
  ['number=', /number/],
  ['number', /number/],
  ['number=-', /number/],
  ['number=--1', /number/],
  ['number=٣', /number/],
  ['number=2147483648', /number/],
  ['number=-2147483649', /number/],
  ['flag=True', /flag/],
  ['flag=1', /flag/],
  ['flag=', /flag/],
  ['text=', /text/],
  ['text=%20%09%C2%A0', /text/],
  ['text=a%00', /text/],
  ['text=%ff', /percent/],
  ['text=%', /percent/],
  ['text=%ED%A0%80', /percent/],
  ['text=1&text=1', /text/],
  ['text[]=1', /"text\[\]" here: write text\.$/],
  ['texts=1', /There is no parameter "texts" here\.$/],
  ['text[a]=1', /text/],
  ['lot=1', /lot/],
  [`lot=itm_${uuid}`, /lot/],
  [`lot=LOT_${uuid}`, /lot/],
  [`lot=lot_${uuid}%0A`, /lot/],
  ['expand=item', /"expand" here: write expand\[\]\.$/],
  ['expand[]=item,session', /item, session/],
  ['expand[]=', /item, session/],
  ['expand[]', /item, session/],
  ['expand[0]=item', /"expand\[0\]" here: write expand\[\]\.$/],
  ['cursor=', /cursor/],
  ['hasOwnProperty=1', /hasOwnProperty/],
]

for (const [query, names] of refused) {
  test(`?${query} is refused, and the detail says why`, () => {
    assert.throws(
      () => parseQuery(schema, pairsOf(`/?${query}`)),
      (error) => error instanceof Problem && error.code === 'invalid-parameter' && names.test(error.message),
    )
  })
}
