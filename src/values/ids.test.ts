import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds, recordKinds } from '../kinds.ts'
import { idPattern, parseId, printId } from './ids.ts'

const uuid = '0f0e0d0c-0b0a-4908-8706-05040302010f'

test('every kind has its own prefix, and parses what it prints', () => {
  assert.equal(new Set(recordKinds.map((kind) => kinds[kind].prefix)).size, recordKinds.length)
  for (const kind of recordKinds) {
    assert.equal(printId(kind, uuid), `${kinds[kind].prefix}_${uuid}`)
    assert.equal(parseId(kind, printId(kind, uuid)), uuid)
  }
})

test('a bare UUID is an id of every kind, in any letter case', () => {
  for (const kind of recordKinds) {
    assert.equal(parseId(kind, uuid.toUpperCase()), uuid)
    assert.equal(parseId(kind, `${kinds[kind].prefix}_${uuid.toUpperCase()}`), uuid)
  }
})

test('an id of another kind, or a malformed one, is refused in paths and in filters', () => {
  for (const kind of recordKinds) {
    const prefix = kinds[kind].prefix
    const others = recordKinds.filter((each) => each !== kind).map((each) => printId(each, uuid))
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
