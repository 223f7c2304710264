import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const source = path.join(import.meta.dirname, '..')

test('every file that takes an advisory lock has it from the list, and none writes its number', () => {
  const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'))
  const texts = files.map((file): [string, string] => [file, readFileSync(path.join(source, file), 'utf8')])
  const taking = texts.filter(([, text]) => /pg_(try_)?advisory\w*lock/.test(text))
  assert.ok(taking.length >= 7)
  const others = taking.filter(([, text]) => !text.includes('/advisory-locks.ts') || /advisory\w*\(\d/.test(text))
  assert.deepEqual(
    others.map(([file]) => file),
    [],
  )
})
