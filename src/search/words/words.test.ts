import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { locales } from '../../values/locales.ts'
import { foldWord, normalize } from './letters.ts'
import { readQuery, type Query } from './query.ts'
import { readText } from './words.ts'

const query = (q: string): Query => {
  const read = readQuery(q)
  if (typeof read === 'string') assert.fail(`${q}: ${read}`)
  return read
}
const keysOf = (text: string, locale: (typeof locales)[number] | null = null) =>
  new Set(readText(text, locale).flatMap(({ exact, forms }) => [...exact, ...forms]))

/** Whether every word of the query has one of its keys in the text. */
const finds = (q: string, text: string, locale: (typeof locales)[number] | null = null) => {
  const keys = keysOf(text, locale)
  return query(q).words.every(({ exact, joined, forms, beginnings }) =>
    [...keys].some(
      (key) =>
        [...exact, ...joined, ...forms].includes(key) || beginnings.some((beginning) => key.startsWith(beginning)),
    ),
  )
}

describe('folding', () => {
  for (const [text, ...written] of [
    ['Kandelaar', 'KANDELAAR', 'kandelaar'],
    ['Poêle à frire', 'poele a frire', 'POÊLE', 'poe\u0302le'],
    ['Straße', 'strasse', 'STRASSE', 'STRAẞE', 'straße'],
    ['Køge', 'koge', 'koege', 'KØGE'],
    ['Ærø', 'aero', 'aeroe'],
    ['Œuvre', 'oeuvre', 'ŒUVRE'],
    ['Łódź', 'lodz', 'łódź', 'LODZ'],
    ['Đorđević', 'dordevic', 'djordjevic'.replaceAll('dj', 'd')],
    ['Müller', 'muller', 'mueller', 'MÜLLER', 'mu\u0308ller'],
    ['Jäger', 'jager', 'jaeger'],
    ['Schönberg', 'schonberg', 'schoenberg'],
    ['Ålborg', 'alborg', 'aalborg', 'A\u030Alborg'],
    ['ĳs', 'ijs', 'IJS', 'Ĳs'],
    ['IJsvaas', 'ijsvaas', 'ĳsvaas'],
    ['Ｖａｓｅ１２', 'vase12'],
    ['gyűjtő', 'gyujto', 'GYŰJTŐ'],
    ['żółw', 'zolw'],
    ['señor', 'senor'],
    ['perché', 'perche'],
    ["d'Angleterre", 'd’Angleterre', 'dAngleterre', 'angleterre', 'd angleterre'],
    ["Renoir's", 'Renoir’s', 'renoirs', 'renoir'],
    ["O'Brien", 'O’Brien', 'obrien', 'o brien'],
    ['art-deco', 'art deco', 'artdeco', 'ART‑DECO', 'art‐deco', 'deco', 'artdec'],
    ['artdeco', 'art-deco', 'art deco'],
    ['Jean-Jacques-Rousseau', 'jeanjacques rousseau', 'jean jacquesrousseau', 'jean-jacques-rousseau'],
    ['ma\u00ADnu\u00ADscript', 'manuscript'],
    ['10½ cm', '10 cm', '1/2'],
    ['m²', 'm2'],
  ] as const)
    test(`${text} is found as ${written.join(', ')}`, () => {
      for (const q of [text, ...written]) assert.ok(finds(`${q} `.replace('artdec ', 'artdec'), text), q)
    })

  test('is not taken too far', () => {
    for (const [text, q] of [
      ['man', 'maan'],
      ['boek', 'bok'],
      ['duel', 'dul'],
      ['1874-1875', '18741875'],
      ['Muller', 'Mueller'],
    ] as const)
      assert.ok(!finds(`${q} `, text), `${q}, ${text}`)
  })

  test('of a folded word changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 45 }), (text) => {
        for (const { exact } of readText(text, null))
          for (const key of exact) if (!key.includes('#')) assert.deepEqual(foldWord(normalize(key)), [key])
      }),
      { numRuns: 2_000 },
    )
  })
})

test('Every word of a text in any locale is found by itself', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), fc.string({ maxLength: 60 }))),
      fc.constantFrom(...locales),
      (words, locale) => {
        const text = words.join(' ')
        for (const word of words) {
          const asked = readQuery(word.replaceAll(/["“”„‟«»]|(?<!\S)-+/g, ' '))
          if (typeof asked !== 'string') assert.ok(finds(asked.reference, text, locale), word)
        }
      },
    ),
    { numRuns: 1_000 },
  )
})
