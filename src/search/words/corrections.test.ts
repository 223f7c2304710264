import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { correctionDistance, correctionKeys, correctionLookups } from './corrections.ts'

const isFound = (word: string, candidate: string) => {
  const keys = correctionKeys(candidate)
  return correctionLookups(word).some((key) => keys.includes(key)) && correctionDistance(word, candidate) !== undefined
}

test('One edit is corrected in four to seven letters, two from eight on', () => {
  for (const [written, meant, distance] of [
    ['vaes', 'vaas', 1],
    ['vas', 'vaas', undefined],
    ['vaas', 'vas', 1],
    ['rembrant', 'rembrandt', 1],
    ['rembradnt', 'rembrandt', 1],
    ['rmebrant', 'rembrandt', 2],
    ['tabelau', 'tableau', 1],
    ['tabaleu', 'tableau', undefined],
    ['kandalaar', 'kandelaar', 1],
    ['kandalar', 'kandelaar', 2],
    ['kandalr', 'kandelaar', undefined],
    ['silberleuchter', 'silberleuchter', undefined],
    ['silbrleuchtr', 'silberleuchter', 2],
    ['festmeny', 'festmény', 1],
    ['wazony', 'wazon', 1],
    ['zegarr', 'zegar', 1],
  ] as const) {
    assert.equal(correctionDistance(written, meant), distance, `${written}, ${meant}`)
    assert.equal(isFound(written, meant), distance !== undefined, `${written}, ${meant}`)
  }
})

test('Digits, Chinese characters, and words beyond 40 letters are never corrected, nor corrected to', () => {
  const long = 'a'.repeat(41)
  for (const word of ['1874', 'a874', '青花瓷器', '青花', long, '𝒶𝒷𝒸𝒹']) {
    assert.deepEqual(correctionKeys(word), [], word)
    assert.deepEqual(correctionLookups(word), [], word)
  }
  for (const [word, candidate] of [
    ['vase', 'vas3'],
    ['1874', '1875'],
    ['青花瓷器', '青花瓷'],
    [long, long.slice(1)],
  ] as const) {
    assert.equal(correctionDistance(word, candidate), undefined)
    assert.equal(correctionDistance(candidate, word), undefined)
  }
})

const letters = ['a', 'b', 'c']
const editedAt = (word: string, kind: number, at: number, letter: string) =>
  [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + letter + word.slice(at + 1),
    word.slice(0, at) + word.slice(at + 1, at + 2) + word.slice(at, at + 1) + word.slice(at + 2),
  ][kind]!

test('Every word of the house within the allowed edits is found by its keys', () => {
  const edit = fc.tuple(fc.nat(3), fc.nat(40), fc.constantFrom(...letters))
  const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 4, maxLength: 14 })
  fc.assert(
    fc.property(word, fc.array(edit, { minLength: 1, maxLength: 2 }), (meant, edits) => {
      const used = meant.length < 10 ? edits.slice(0, 1) : edits
      let written = meant
      for (const [kind, at, letter] of used) written = editedAt(written, kind, at % written.length, letter)
      if (correctionDistance(written, meant) === undefined) fc.pre(written.length < 4 || written === meant)
      else assert.ok(isFound(written, meant), `${written}, ${meant}`)
    }),
    { numRuns: 20_000 },
  )
})
