import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { textNames } from '../src/values/item-texts.ts'
import { checkout } from './support/process.ts'

// Files that CONTRIBUTING.md names, an example, and what the importer knows of headings and cells.
const known =
  /^(src\/values\/item-texts|src\/openapi\/examples|packages\/(window\/src\/texts\/items|importer\/src\/proposal\/.*))\.ts$/

test('the names of the texts of items stand in one list, and in no other file', () => {
  const sources = globSync(['src/**/*.ts', 'generate/*.ts', 'packages/*/src/**/*.{ts,tsx}'], { cwd: checkout })
  const others = textNames.filter((name) => name !== 'title' && name !== 'description').join('|')
  // Two of them within a few lines are a list.
  const list = new RegExp(`\\b(${others})\\b[^]{0,200}\\b(?!\\1\\b)(${others})\\b`)
  const repeating = sources.filter((file) => {
    if (known.test(file) || file.endsWith('.test.ts')) return false
    const text = readFileSync(path.join(checkout, file), 'utf8')
    return !/^\/\/ (Generated|Copied) /.test(text) && list.test(text)
  })
  assert.deepEqual(repeating, [])
})
