import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idPattern, idPrefixes, parseId, printId, type RecordKind } from './ids.ts'

const uuid = '0f0e0d0c-0b0a-4908-8706-05040302010f'
const kinds = Object.keys(idPrefixes) as RecordKind[]

test('every kind has a prefix of its own, and reads what it prints', () => {
  assert.equal(new Set(Object.values(idPrefixes)).size, kinds.length)
  for (const kind of kinds) {
    assert.equal(printId(kind, uuid), `${idPrefixes[kind]}_${uuid}`)
    assert.equal(parseId(kind, printId(kind, uuid)), uuid)
  }
})

test('the bare UUID is an id of every kind, its letter case is evened out', () => {
  for (const kind of kinds) {
    assert.equal(parseId(kind, uuid.toUpperCase()), uuid)
    assert.equal(parseId(kind, `${idPrefixes[kind]}_${uuid.toUpperCase()}`), uuid)
  }
})

test('an id of another kind and everything malformed is none, for paths and for filters alike', () => {
  for (const kind of kinds) {
    const prefix = idPrefixes[kind]
    const others = kinds.filter((each) => each !== kind).map((each) => printId(each, uuid))
    const malformed = ['', prefix, `${prefix}_`, `${prefix}-${uuid}`, `${prefix.toUpperCase()}_${uuid}`, `_${uuid}`]
      .concat([
        `${prefix}_${prefix}_${uuid}`,
        ` ${uuid}`,
        `${uuid}\n`,
        uuid.replaceAll('-', ''),
        `{${uuid}}`,
        `${uuid}0`,
      ])
      .concat([uuid.replace('f', 'g'), uuid.slice(1)])
    for (const text of [...others, ...malformed]) {
      assert.equal(parseId(kind, text), undefined, text)
      assert.doesNotMatch(text, new RegExp(idPattern(kind)))
    }
  }
})
