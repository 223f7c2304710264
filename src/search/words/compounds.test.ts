import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compoundOf, compoundParts } from './compounds.ts'
import { correctedWord } from './query.ts'
import { readText } from './words.ts'

/** Whether the word finds the compound in a house with the texts. */
const finds = (word: string, compound: string, locale: 'nl' | 'de', texts: string) => {
  const house = new Set(readText(`${compound} ${texts}`, locale).flatMap(({ exact, forms }) => [...exact, ...forms]))
  const wanted = readText(compound, locale).flatMap(({ exact, forms }) => [...exact, ...forms])
  return compoundParts(correctedWord(word.toLowerCase())).some((part) =>
    [...house].some((key) => {
      const found = key.includes('/') === part.includes('/') ? compoundOf(key, part) : undefined
      return found !== undefined && wanted.includes(found.key) && found.rests.some((rest) => house.has(rest))
    }),
  )
}

test('A part finds its compound if the rest is a word of the house', () => {
  for (const [locale, word, compound, rest] of [
    ['nl', 'kandelaar', 'tafelkandelaars', 'tafel'],
    ['nl', 'tafel', 'tafelkandelaars', 'kandelaar'],
    ['nl', 'vaas', 'bloemenvazen', 'bloem'],
    ['nl', 'ring', 'zegelring', 'zegel'],
    ['nl', 'klok', 'stationsklok', 'station'],
    ['nl', 'glas', 'wijnglas', 'wijn'],
    ['nl', 'schaal', 'eierschaal', 'eier'],
    ['de', 'leuchter', 'Tischleuchtern', 'Tisch'],
    ['de', 'Schrank', 'Bücherschränke', 'Buch'],
    ['de', 'Bücher', 'Bücherschrank', 'Schrank'],
    ['de', 'Uhr', 'Taschenuhr', undefined],
    ['de', 'Bild', 'Heiligenbild', 'Heiliger'],
    ['de', 'Haus', 'Rathaus', 'Rat'],
  ] as const)
    assert.equal(finds(word, compound, locale, rest ?? 'Tasche'), rest !== undefined, `${word}, ${compound}`)
})

test('A part finds no word whose rest is no word of the house', () => {
  for (const [locale, word, other] of [
    ['nl', 'kandelaar', 'tafelkandelaars'],
    ['nl', 'tafel', 'tafelkandelaars'],
    ['de', 'Haus', 'Rathaus'],
  ] as const)
    assert.ok(!finds(word, other, locale, 'Vase'), `${word}, ${other}`)
})

test('An ending that is also a word finds no derived words', () => {
  for (const [locale, word, other, rest] of [
    ['nl', 'ring', 'versiering', 'versie'],
    ['nl', 'ring', 'verwarring', 'verwar'],
    ['nl', 'heid', 'waarheid', 'waar'],
    ['nl', 'werken', 'verwerken', 'ver'],
    ['de', 'Tisch', 'ästhetisch', 'Ästhe'],
    ['de', 'Heit', 'Freiheit', 'frei'],
  ] as const)
    assert.ok(!finds(word, other, locale, rest), `${word}, ${other}`)
})

test('A compound is found by itself, for its stem may have lost the part: oorringen has that of oor', () => {
  assert.ok(finds('ringen', 'oorringen', 'nl', 'oor'))
  assert.equal(compoundOf('oorringen', 'ringen')?.key, 'oorringen')
})
