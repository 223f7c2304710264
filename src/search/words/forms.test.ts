import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Locale } from '../../values/locales.ts'
import { readQuery } from './query.ts'
import { readText } from './words.ts'

const shareForms = (locale: Locale, text: string, q: string) => {
  const forms = new Set(readText(text, locale).flatMap((word) => word.forms))
  const query = readQuery(q)
  if (typeof query === 'string') assert.fail(query)
  return query.words.every((word) => word.forms.some((form) => forms.has(form)))
}

// Each row: forms of one word, after the vocabularies of Snowball and the languages' tables of declension.
const alike: Record<Exclude<Locale, 'zh'>, string[]> = {
  nl: [
    'kandelaar kandelaars',
    'schilderij schilderijen',
    'vaas vazen',
    'huis huizen',
    'glas glazen',
    'wijnglas wijnglazen',
    'schip schepen',
    'boom bomen',
    'klok klokken',
    'zilver zilveren',
    'oud oude',
    'rood rode',
    'glad gladde',
    'grijs grijze',
    'verguld vergulde',
    'dubbel dubbele',
    'speciaal speciale',
    'gesigneerd gesigneerde',
    'plaats plaatsen',
  ],
  en: [
    'painting paintings painted',
    'clock clocks',
    'city cities',
    'vase vases',
    'engraved engraving',
    'knife knives',
    'leaf leaves',
    'shelf shelves',
    'woman women',
    'fisherman fishermen',
    'tableau tableaux',
    'mouse mice',
    'gilded gilding',
  ],
  fr: [
    'tableau tableaux',
    'cheval chevaux',
    'signé signée signés signées',
    'gravure gravures',
    'ancien ancienne anciennes',
    'doré dorée dorés',
    'tissu tissus',
    'directeur directrice directrices',
    'conteur conteuse',
    'anglais anglaise anglaises',
    'gris grise',
    'roi rois',
    'précieux précieuse',
    'lettre lettres',
  ],
  de: [
    'Leuchter Leuchtern Leuchters',
    'Haus Häuser Häusern Hauses',
    'Bild Bilder Bildern',
    'silbern silberne silbernes silbernen',
    'Uhr Uhren',
    'Stuhl Stühle Stühlen',
    'Buch Bücher',
    'Sofa Sofas',
  ],
  es: [
    'cuadro cuadros',
    'jarrón jarrones',
    'reloj relojes',
    'grabado grabada grabados',
    'dorado doradas',
    'militar militares',
  ],
  it: [
    'quadro quadri',
    'dipinto dipinti',
    'orologio orologi',
    'dorato dorata dorate',
    'incisione incisioni',
    'sedia sedie',
    'bottiglia bottiglie',
  ],
  pl: [
    'obraz obrazy obrazów obrazem obrazie',
    'zegar zegary zegarów',
    'srebrny srebrna srebrne srebrnego',
    'wazon wazony',
    'książka książki',
    'lampa lampy',
    'krzesło krzesła',
    'złoty złota złote',
  ],
  hu: [
    'festmény festmények festményt',
    'óra órák',
    'váza vázák vázát',
    'kép képek képet',
    'szék székek',
    'ezüst ezüstöt',
    'épület épületek épületeinek',
    'asztal asztalok',
  ],
}

for (const [locale, rows] of Object.entries(alike) as [Locale, string[]][])
  test(`Forms of one word find each other in ${locale}, without accents too`, () => {
    for (const row of rows) {
      const words = row.split(' ')
      for (const text of words)
        for (const q of words) {
          assert.ok(shareForms(locale, text, q), `${text}, ${q}`)
          const bare = q.normalize('NFD').replaceAll(/\p{M}/gu, '')
          assert.ok(shareForms(locale, text, bare), `${text}, ${bare}`)
        }
    }
  })

describe('forms', () => {
  test('are those of the language of the text', () => {
    assert.ok(!shareForms('fr', 'schilderijen', 'schilderij'))
    assert.ok(!shareForms('nl', 'gravures dorées', 'doré'))
  })

  test('do not make one of two words', () => {
    for (const [locale, text, q] of [
      ['nl', 'man', 'maan'],
      ['nl', 'manen', 'man'],
      ['nl', 'ring', 'ringel'],
      ['en', 'painter', 'painting'],
      ['en', 'university', 'universal'],
      ['fr', 'tableau', 'table'],
      ['de', 'Uhr', 'Ohr'],
      ['es', 'casa', 'cazo'],
      ['it', 'porta', 'portico'],
      ['pl', 'lampa', 'lampart'],
      ['hu', 'kép', 'kapu'],
    ] as const)
      assert.ok(!shareForms(locale, text, q), `${locale}: ${text}, ${q}`)
  })

  test('of Chinese are pairs of characters, and one character is a beginning', () => {
    const exact = readText('清乾隆青花瓷瓶', 'zh').map((word) => word.exact.join())
    assert.deepEqual(exact, ['清乾', '乾隆', '隆青', '青花', '花瓷', '瓷瓶', '瓶'])
    const found = (q: string) => {
      const query = readQuery(q)
      if (typeof query === 'string') assert.fail(query)
      return query.words.every((word) =>
        exact.some((key) => word.exact.includes(key) || word.beginnings.some((beginning) => key.startsWith(beginning))),
      )
    }
    for (const q of ['青花', '青花瓷', '乾隆', '瓷瓶', '瓶', '清', '花', '清乾隆青花瓷瓶']) assert.ok(found(q), q)
    for (const q of ['花青', '瓷花', '玉', '乾清']) assert.ok(!found(q), q)
  })
})

test('the word constructor has forms like others', () => {
  assert.deepEqual(readText('constructor', 'en')[0]!.forms, ['en/constructor'])
})
