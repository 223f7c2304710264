import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSource } from '../src/run/source.ts'
import { toldHouse } from './program.ts'
import { openFolder } from './reading.ts'

const folder = await openFolder()

test('a comma divides the names of photographs, and never the name of a maker or a category', async () => {
  const path = join(folder, 'lists.csv')
  const read = async (list: string) => {
    await writeFile(path, 'Nr;Maker;Rubriek;Foto\nV-1;Basile, attr.|Rossi;Klokken, zilver;a.jpg, b.jpg\n')
    await writeFile(
      `${path}.mapping.yaml`,
      `{ separator: ;, locale: nl, currency: EUR, decimal: ",", dates: d-m-y, time_zone: UTC, list: "${list}",
         columns: { Nr: external_reference, Maker: makers, Rubriek: categories, Foto: images } }`,
    )
    const values = { makers: [] as unknown[], categories: [] as unknown[], files: [] as unknown[] }
    for await (const { record } of (await openSource(path)).records(
      async () => '',
      async () => toldHouse,
    ))
      if (record?.type === 'maker') values.makers.push(record.name)
      else if (record?.type === 'category') values.categories.push(record.slug)
      else if (record?.type === 'image') values.files.push(record.file)
    return values
  }
  const categories = ['Klokken, zilver']
  assert.deepEqual(await read(','), { makers: ['Basile, attr.|Rossi'], categories, files: ['a.jpg', 'b.jpg'] })
  assert.deepEqual(await read('|'), { makers: ['Basile, attr.', 'Rossi'], categories, files: ['a.jpg, b.jpg'] })
})
