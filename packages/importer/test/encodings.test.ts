import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { recognizeEncoding } from '../src/source/encodings.ts'
import { toldHouse } from './program.ts'
import { mapSheet, readSheet, openFolder } from './reading.ts'

const folder = await openFolder()

/** Writes a sheet with these titles in an encoding. */
async function write(encoding: string, titles: string[]): Promise<string> {
  const path = join(folder, 'lijst.csv')
  const rows = titles.map((title, index) => `V-${index};${title};${index}0\r\n`)
  await writeFile(path, iconv.encode(`Ref;Titel;Prijs\r\n${rows.join('')}`, encoding))
  return path
}
const recognize = async (encoding: string, titles: string[]) => recognizeEncoding(await write(encoding, titles))

test('an encoding is recognised by the words of nine languages', async () => {
  const western = [
    ['Gezicht op één knieënbank', 'Reünie te Curaçao, olieverf', 'Beëdiging; 19e eeuw, met € 5'],
    ['Théière à décor d’été', 'Élégante au café', 'Boîte à bijoux, où naît l’œuvre'],
    ['Schätzung für Gemälde', 'Größe: 30 × 40 cm', 'Ölbild, “signiert”'],
    ['Bodegón español', 'Año y niño', 'Retrato de señora, más pequeño'],
    ['Città con libertà', 'Perché più virtù', 'Così è'],
  ]
  for (const titles of western)
    // In MacRoman, the Spanish words fit French in a DOS code page as well.
    for (const encoding of titles.includes('Año y niño') ? ['windows-1252'] : ['windows-1252', 'macintosh'])
      assert.deepEqual((await recognize(encoding, titles)).doubts, [], `${encoding}: ${titles.join()}`)
  for (const [encoding, titles] of [
    ...western.map((titles) => ['windows-1252', titles] as const),
    ...western.filter((titles) => !titles.includes('Año y niño')).map((titles) => ['macintosh', titles] as const),
    ['windows-1250', ['őszi tájkép', 'tűzzománc', 'Kép a tóról']],
    ['windows-1250', ['łyżka srebrna', 'piękny pejzaż', 'Książka']],
    ['iso-8859-2', ['łyżka srebrna', 'piękny pejzaż', 'Książka', 'źródło']],
    ['iso-8859-15', ['Théière à décor', 'Boîte où naît l’œuvre'.replace('’', "'"), '€ 5, cœur']],
    ['cp850', ['Gezicht op één knieënbank', 'Théière à décor', 'Schätzung für Gemälde']],
    ['cp852', ['łyżka srebrna', 'piękny pejzaż', 'Książka', 'őszi']],
    ['gbk', ['青花瓷瓶', '山水画，立轴', '清代玉器']],
    ['big5', ['青花瓷瓶', '山水畫，立軸', '清代玉器']],
    ['windows-1254', ['İstanbul görünümü', 'gümüş kaşık', 'Işık ve ağaç']],
    ['windows-1251', ['Портрет женщины', 'Чашка с блюдцем', 'Осенний пейзаж']],
  ] as const) {
    const found = await recognize(encoding, [...titles])
    assert.deepEqual([found.encoding, found.doubts], [encoding, []], titles.join())
  }
})

test('a file with lines in two encodings is refused, with a word of both', async () => {
  const path = await write('windows-1252', ['één café', 'Reünie'])
  await writeFile(path, Buffer.concat([await readFile(path), Buffer.from('V-9;Tête en théière;9\r\n')]))
  const refusal = /has lines in two encodings: windows-1252 gives "TÃªte", which is "Tête" in UTF-8/
  await assert.rejects(mapSheet(path), refusal)
  await write('windows-1252', ['één café', 'Reünie'])
  await mapSheet(path)
  await writeFile(path, Buffer.concat([await readFile(path), Buffer.from('V-9;Tête en théière;9\r\n')]))
  await assert.rejects(readSheet(path), refusal)
  // Some bytes of other encodings are UTF-8 by chance.
  assert.deepEqual((await recognize('windows-1252', ['Schüssel weiß–blau', 'Groß–Berlin, Öl'])).doubts, [])
})

test('the euro of MacRoman is a euro', async () => {
  const path = await write('macintosh', ['Vaas'])
  await writeFile(path, Buffer.concat([await readFile(path), Buffer.from('V-9;T\x90te, \xdb 5;9\r\n', 'latin1')]))
  await mapSheet(path)
  assert.equal((await readSheet(path)).items.at(-1)!.title, 'Tête, € 5')
})

test('where two encodings are as likely, the mapping asks with a word of both', async () => {
  const path = await write('windows-1252', ['Fin août'])
  const said = await mapSheet(path)
  const question = 'windows-1252 gives "août", windows-1250 gives "aoűt"'
  assert.ok(said.includes(`encoding is doubtful and must be filled in: ${question}`), said.join('\n'))
  assert.match(await readFile(`${path}.mapping.yaml`, 'utf8'), new RegExp(`^encoding: +# FILL IN: ${question}$`, 'm'))
  await assert.rejects(readSheet(path), /encoding must be/)
  for (const [encoding, title] of [
    ['windows-1252', 'Fin août'],
    ['windows-1250', 'Fin aoűt'],
  ] as const) {
    await mapSheet(path, { encoding })
    assert.deepEqual(
      (await readSheet(path)).items.map((item) => item.title),
      [title],
    )
  }
})

test('a rare encoding is asked about where it gives letters in place of signs beside a word', async () => {
  const { doubts } = await recognize('cp850', ['Città antica', 'Libertà'])
  assert.deepEqual(doubts.map(({ encoding, word }) => `${encoding} ${word}`).slice(0, 1), ['windows-1252 Citt…'])
  assert.ok(doubts.some(({ encoding, word }) => encoding === 'cp850' && word === 'Città'))
  const dos = (await recognize('cp850', ['Mosè comanda'])).doubts.map(({ encoding, word }) => `${encoding} ${word}`)
  assert.deepEqual([dos[0], dos.includes('cp850 Mosè')], ['macintosh Mosä', true])
  assert.deepEqual((await recognize('windows-1252', ['Vaas, enz…', 'Één kan – blauw', '“Kom”'])).doubts, [])
})

test('a mapping with an encoding that gives no words, where another gives those of the house, is refused', async () => {
  const path = await write('windows-1250', ['őszi tájkép', 'tűzzománc'])
  await mapSheet(path, { encoding: 'windows-1252' })
  await assert.rejects(
    readSheet(path, { ...toldHouse, locale: 'hu' }),
    /windows-1252 gives "õszi", windows-1250 gives "őszi", which is a word in "hu": correct the encoding/,
  )
  const dutch = await write('windows-1252', ['één café'])
  await mapSheet(dutch, { encoding: 'utf-8' })
  await assert.rejects(readSheet(dutch), /has bytes that mean nothing in utf-8: correct the encoding in the mapping/)
  const [polish] = [await write('windows-1250', ['łyżka'])]
  await mapSheet(polish, { encoding: 'windows-1252', locale: 'pl' })
  await assert.rejects(readSheet(polish), /windows-1252 gives "³y¿ka", windows-1250 gives "łyżka"/)
})
