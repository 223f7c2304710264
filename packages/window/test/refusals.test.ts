import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, test } from 'node:test'
import { refusals as de } from '../src/texts/refusals/de.ts'
import { refusals as en } from '../src/texts/refusals/en.ts'
import { refusals as fr } from '../src/texts/refusals/fr.ts'
import { refusals as nl } from '../src/texts/refusals/nl.ts'
import type { Refusals } from '../src/texts/refusals/words.ts'

const languages = { en, nl, de, fr }
const source = path.join(import.meta.dirname, '../src')

const sayAll = (table: Refusals[keyof Refusals], count?: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(table).map(([name, said]) => [name, typeof said === 'function' ? said(count) : (said as string)]),
  )

describe('what the service refuses', () => {
  // That none lacks is an error of types: their names are those of the OpenAPI document.
  test('each reason, problem and error of a field is a sentence of its own in four languages', () => {
    for (const table of ['reasons', 'problems', 'fieldErrors', 'fields'] as const)
      for (const [name, inEnglish] of Object.entries(sayAll(en[table]))) {
        const said = Object.values(languages).map((language) => sayAll(language[table])[name]!)
        for (const each of said) assert.match(each, /^\p{Lu}.+\.$/u)
        assert.equal(new Set(said).size, 4, inEnglish)
      }
  })

  test('a reason tells how many records are its cause, where the service counts them', () => {
    for (const [count, word] of [
      [1, /^1 \p{L}/u],
      [1234, /^1\D?234 \p{L}/u],
    ] as const)
      for (const { reasons: table } of Object.values(languages))
        for (const reason of ['not_closed', 'without_result']) assert.match(sayAll(table, count)[reason]!, word)
  })

  test('only the words of refusals read the English sentences of the service', async () => {
    const files = await readdir(source, { recursive: true, withFileTypes: true })
    const reading = []
    for (const file of files.filter((each) => each.isFile() && /\.tsx?$/.test(each.name))) {
      const name = path.join(file.parentPath, file.name)
      const text = await readFile(name, 'utf8')
      if (/error\.(?:detail|message|title)\b|\b(?:detail|message)\b[^\n:(]*\}(?: = error|: \{ error)/.test(text))
        reading.push(path.relative(source, name))
    }
    assert.deepEqual(reading, ['parts/problem.tsx'])
  })
})
