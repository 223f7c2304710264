import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { eur, houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { readGeneration } from '../db/generation.ts'
import { findHouse } from '../houses/locks.ts'
import { printCursor } from '../reads/cursors.ts'
import { readWalk } from './taken.ts'

type Page = {
  data: { id: string; title: string }[]
  has_more: boolean
  next_cursor: string | null
  total: number
  corrected?: Record<string, string[]>
  relaxed?: boolean
  complete?: boolean
  facets?: Record<string, { value: string; name: string | null; count: number }[]>
}

const timed = { first_closes_at: '2099-01-01T00:00:00Z', group_size: 1, interval_seconds: 60 }
const closing = { closes_at: '2099-01-01T00:00:00Z', scheduled_closes_at: '2099-01-01T00:00:00Z' }

const north: Line[] = [
  houseLine('north'),
  { type: 'category', id: uuid(1), slug: 'art', names: { nl: 'Kunst' } },
  { type: 'category', id: uuid(2), slug: 'paintings', names: { nl: 'Schilderijen' }, parent: uuid(1) },
  { type: 'maker', id: uuid(3), name: 'Jan Müller' },
  { type: 'maker', id: uuid(4), name: 'Berendina Koster' },
  { type: 'auction', id: uuid(5), title: 'Spring', published: true },
  {
    type: 'session',
    id: uuid(6),
    auction: uuid(5),
    titles: { nl: 'Zitting' },
    kind: 'timed',
    opens_at: '2020-01-01T00:00:00Z',
    timed,
    published: true,
  },
  item(10, 'Zilveren kandelaar', {
    description: 'Uit Delft, met de hand gedreven',
    makers: [uuid(3)],
    external_reference: 'K-10',
  }),
  item(11, 'Olieverf op doek', {
    description: 'Een landschap met kandelaars',
    dimensions: '12 cm',
    categories: [uuid(2)],
    makers: [uuid(4)],
  }),
  item(12, 'Vaas', {
    description: 'Aardewerk uit Delft',
    translations: { nl: { title: 'Vaas', description: 'Aardewerk uit Delft' }, en: { title: 'Earthenware vase' } },
    estimate: { low: eur(1_000), high: eur(2_000) },
  }),
  item(13, 'Stoel', { description: 'Delft zilveren', estimate: { low: eur(9_000) } }),
  ...[10, 11, 12, 13].map((number) => ({
    type: 'lot',
    id: uuid(number + 100),
    session: uuid(6),
    item: uuid(number),
    lot_number: number,
    active: number !== 13,
    ...closing,
  })),
]

function item(number: number, title: string, fields: Record<string, unknown> = {}): Line {
  return {
    type: 'item',
    id: uuid(number),
    title,
    created_at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
    ...fields,
  }
}

let service: TestService
let key: string

before(async () => {
  service = await startService({ records: [...north, houseLine('south'), item(50, 'Zilveren kandelaar')] })
  key = await service.issueKey('north')
})

after(() => service.close())

async function find(query: string, secret = key): Promise<Page> {
  const reply = await service.get(`/api/v2/${query}`, secret)
  assert.equal(reply.statusCode, 200, `${query} ${reply.payload}`)
  return reply.json<Page>()
}

const numbers = ({ data }: Pick<Page, 'data'>) => data.map(({ id }) => Number(id.slice(-12)) % 100)
const lots = async (query: string, secret = key) => numbers(await find(`lots/search?${query}`, secret))
const items = async (query: string, secret = key) => numbers(await find(`items/search?${query}`, secret))

test('every word of q must match, in any order, folded and in any form', async () => {
  assert.deepEqual(await lots('q=kandelaar'), [10, 11])
  assert.deepEqual(await lots('q=delft+zilveren'), [10, 13])
  assert.deepEqual(await items('q=MUELLER'), [10])
  assert.deepEqual(await items('q=m%C3%BCller+kandelaars'), [10])
  assert.deepEqual(await items('q=earthenware'), [12])
  assert.deepEqual(await items('q=kandel'), [10, 11])
  assert.deepEqual(await items('q=zilv'), [10, 13])
  assert.deepEqual(await items('q=zilv+'), [])
})

test('a part of a compound finds it if the rest is a word of the house, after the word itself', async () => {
  await service.load([
    houseLine('parts'),
    item(30, 'Tafelkandelaars', { description: 'Met een tafel' }),
    item(31, 'Wandtapijt'),
    item(32, 'Oude versiering met versie'),
    item(33, 'Kandelaar'),
    item(34, 'Bordeauxglas'),
    item(35, 'Paar gouden oorringen'),
    item(36, 'Kop met oor'),
    { type: 'maker', id: uuid(37), name: 'Zilverfabriek' },
    item(38, 'Lepel', { makers: [uuid(37)] }),
    item(39, 'Zilver'),
  ])
  const key = await service.issueKey('parts')
  assert.deepEqual(await items('q=kandelaar+', key), [33, 30])
  assert.deepEqual(await items('q=tafel+', key), [30])
  assert.deepEqual(await items('q=tapijt+', key), [])
  assert.deepEqual(await items('q=glas+', key), [])
  assert.deepEqual(await items('q=ring+', key), [])
  assert.deepEqual(await items('q=ringen+', key), [35])
  assert.deepEqual(await items('q=fabriek+', key), [38])
  assert.deepEqual(await items('q=kandelaar+-tafel+', key), [33])
})

test('a phrase stands within one text, and a word with a minus takes away its forms', async () => {
  assert.deepEqual(await items('q="delft+zilveren"'), [13])
  assert.deepEqual(await items('q="zilveren+delft"'), [])
  assert.deepEqual(await items('q="jan+muller"'), [10])
  assert.deepEqual(await items('q="uit+delft'), [12, 10])
  assert.deepEqual(await items('q=delft+-vazen'), [13, 10])
  assert.deepEqual(await items('q=-delft'), [11])
  const all = await items('limit=100')
  for (const q of ['-xyzzyx', '-"xyzzyx+vaas"']) assert.deepEqual(await items(`limit=100&q=${q}`), all)
  assert.deepEqual(await items('q=-m%C3%BCller+-"uit+delft"'), [13, 11])
})

test('names of categories are searched for keys that may read categories', async () => {
  assert.deepEqual(await items('q=schilderij'), [11])
  const least = await service.issueKey('north', ['lots.read'])
  assert.deepEqual(await items('q=schilderij', least), [])
})

test('the words of a key that may not read categories have none of their names', async () => {
  const least = await service.issueKey('north', ['lots.read'])
  // Of two absent words the answers are the same, to the bytes of the cursor but for the words.
  const said = async (q: string) => {
    const { data, total, relaxed, corrected, next_cursor } = await find(`items/search?limit=1&q=${q}`, least)
    const payload = Buffer.from(next_cursor ?? '', 'base64url')
      .subarray(16)
      .toString()
    const taken = payload && JSON.stringify(readWalk((JSON.parse(payload) as string[])[2]!).taken)
    return {
      data,
      total,
      relaxed,
      corrected,
      taken: taken.replace(/left[^\]]*/, '').replaceAll(/schilderijen|scharminkelen/g, ''),
    }
  }
  assert.deepEqual(await said('delft+schilderijen+'), await said('delft+scharminkelen+'))
  assert.deepEqual(await said('schilderijem+'), await said('scharminkelem+'))
  assert.deepEqual((await find('items/search?q=schilderijem+')).corrected, { schilderijem: ['schilderijen'] })
})

test('a number finds its lots first, and a reference its record', async () => {
  // 12, and the same in full width.
  for (const q of ['12', '%EF%BC%91%EF%BC%92']) assert.deepEqual(await lots(`q=${q}`), [12, 11])
  assert.deepEqual(await lots('q=0013'), [13])
  assert.deepEqual(await lots('q=12+vaas'), [12])
  assert.deepEqual(await lots('q=11+stoel'), [])
  assert.deepEqual(await items('q=K-10'), [10])
})

test('every filter chooses by the records, and several are combined', async () => {
  const session = `ses_${uuid(6)}`
  assert.deepEqual(await lots(`session=${session}&active=true`), [10, 11, 12])
  assert.deepEqual(await lots('active=false'), [13])
  assert.deepEqual(await lots('published=true'), [10, 11, 12, 13])
  assert.deepEqual(await lots('published=false'), [])
  assert.deepEqual(await lots('open=true'), [10, 11, 12])
  assert.deepEqual(await lots('open=false&q=delft'), [13])
  assert.deepEqual(await lots('bids=true'), [])
  assert.deepEqual(await lots('result=none&lot_number=11'), [11])
  assert.deepEqual(await lots('result=sold'), [])
  assert.deepEqual(await lots(`category[]=cat_${uuid(1)}`), [11])
  assert.deepEqual(await lots(`maker[]=mkr_${uuid(3)}&maker[]=mkr_${uuid(4)}`), [10, 11])
  assert.deepEqual(await lots('estimate_from=1500&estimate_to=9000'), [12, 13])
  assert.deepEqual(await items('estimate_to=1000'), [12])
  assert.deepEqual(await items('images=false&q=vaas'), [12])
  assert.deepEqual(await items('images=true'), [])
})

test('sort orders the matches, those without a value last, whichever the direction', async () => {
  assert.deepEqual(await lots('sort=estimate'), [12, 13, 10, 11])
  assert.deepEqual(await lots('sort=-estimate'), [13, 12, 10, 11])
  assert.deepEqual(await lots('q=delft&sort=-lot_number'), [13, 12, 10])
  assert.deepEqual(await items('sort=created_at'), [10, 11, 12, 13])
  assert.deepEqual(await items(''), [13, 12, 11, 10])
  assert.deepEqual(await items('q=delft+zilveren&sort=-relevance'), [13, 10])
  for (const query of [
    'lots/search?sort=relevance',
    'items/search?sort=closes_at',
    'items/search?q=%22%22',
    'items/search?q=-',
  ])
    assert.equal((await service.get(`/api/v2/${query}`, key)).statusCode, 400, query)
})

test('a walk gives every match once, in each order, and total counts them all', async () => {
  const queries = [
    'q=delft',
    'q=-vaas',
    'sort=-estimate',
    'sort=closes_at',
    '',
    'q=d',
    'q=kandelaer+delft',
    'q=12',
    'q=delft&sort=-relevance',
  ]
  for (const query of queries) {
    for (const kind of ['lots', 'items']) {
      if (kind === 'items' && query.includes('closes_at')) continue
      const { data, total } = await find(`${kind}/search?${query}`)
      const walked = await service.walk(`/api/v2/${kind}/search?limit=1&${query}`, key)
      assert.deepEqual(walked, data, query)
      assert.equal(total, data.length)
    }
  }
})

test('the same words of q count on all pages of a walk, whatever is written meanwhile', async () => {
  const words = 'aap beer cavia dolfijn ezel fret gans haas ibis jakhals kat leeuw muis'.split(' ')
  const rare = words.slice(1).join(' ')
  await service.load([
    houseLine('walk'),
    item(270, words.join(' ')),
    item(271, words.join(' ')),
    item(272, rare),
    ...[273, 274].map((number) => item(number, 'aap')),
  ])
  const key = await service.issueKey('walk')
  const query = `items/search?limit=1&q=${words.join('+')}+`
  const first = await find(query, key)
  assert.equal(first.total, 3)
  // Now aap is rarer than beer.
  await service.load([houseLine('walk'), ...Array.from({ length: 9 }, (_, at) => item(275 + at, 'beer'))])
  const second = await find(`${query}&cursor=${first.next_cursor}`, key)
  const third = await find(`${query}&cursor=${second.next_cursor}`, key)
  assert.deepEqual([first, second, third].flatMap(numbers), [72, 71, 70])
})

test('a walk by a beginning of more than a hundred words gives no match twice, and each whose word stays among them', async () => {
  const words = Array.from('abcdefghijk').flatMap((one) => Array.from('abcdefghij', (other) => `p${one}${other}`))
  const later = Array.from({ length: 30 }, (_, at) => item(1_200 + at, words.slice(-10).join(' ')))
  await service.load([houseLine('begun'), ...words.map((word, at) => item(1_000 + at, word))])
  const key = await service.issueKey('begun')
  const first = await find('items/search?limit=1&q=p', key)
  assert.equal(first.total, 100)
  await service.load([houseLine('begun'), ...later])
  const found = [...first.data]
  for (let cursor = first.next_cursor; cursor !== null;) {
    const page = await find(`items/search?limit=10&q=p&cursor=${cursor}`, key)
    found.push(...page.data)
    cursor = page.next_cursor
  }
  assert.equal(new Set(found.map(({ id }) => id)).size, found.length)
  // The last ten words have come in, and so ten of the first hundred are out.
  assert.deepEqual(
    words.slice(0, 90).filter((word) => !found.some(({ title }) => title === word)),
    [],
  )
})

test('the address of the next page is short, however long the words are that begin so', async () => {
  const words = Array.from({ length: 110 }, (_, at) => `q${hash('sha256', String(at)).slice(0, 34)}`)
  await service.load([houseLine('long'), ...words.map((word, at) => item(2_000 + at, word))])
  const secret = await service.issueKey('long')
  const reply = await service.get('/api/v2/items/search?limit=1&q=q', secret)
  // A common proxy takes 4 KB of headers.
  assert.ok(String(reply.headers['link']).length < 3_000)
  assert.equal((await service.walk('/api/v2/items/search?limit=25&q=q', secret)).length, 100)
})

test('a cursor of a version that took words in another way is refused', async () => {
  const house = (await findHouse(service.db, 'north'))!
  const generation = await readGeneration(service.db)
  const [path, filters] = ['/api/v2/items/search', { q: 'delft ' }]
  const tie = JSON.stringify({ corrected: {}, left: [], weights: [35] })
  const position = { sort: '["-420","2026-01-01 00:12:00+00"]', id: uuid(12), tie }
  const cursor = printCursor(service.keyrings.cursors, { house: house.id, generation, path, filters }, position)
  await service.refused(`${path}?q=delft+&cursor=${cursor}`, key, 400, 'invalid-cursor')
})

test('a word that no record has is corrected, and the answer says so', async () => {
  const page = await find('items/search?q=kandelaer')
  assert.deepEqual(numbers(page), [10, 11])
  assert.deepEqual(page.corrected, { kandelaer: ['kandelaar'] })
  assert.deepEqual((await find('items/search?q=zivleren')).corrected, { zivleren: ['zilveren'] })
  assert.deepEqual((await find(`items/search?q=kandelaer&category[]=cat_${uuid(2)}`)).corrected, {
    kandelaer: ['kandelaars'],
  })
  assert.equal((await find('items/search?q=kandelaar')).corrected, undefined)
})

test('words are left out if the rest finds something, but never all of them, a phrase or a number', async () => {
  const page = await find('items/search?q=kandelaar+xyzzyx')
  assert.deepEqual([numbers(page), page.relaxed], [[10, 11], true])
  assert.deepEqual(await items('q=xyzzyx'), [])
  assert.deepEqual(await items('q=kandelaar+99x'), [])
  assert.deepEqual(await items('q=kandelaar+%22rode+vaas%22'), [])
})

test('a correction is one that stands beside the other words, however many are as near and more frequent', async () => {
  await service.load([
    houseLine('near'),
    ...['Rand', 'Hand', 'Mand', 'Land', 'Wand', 'Tand'].flatMap((title, at) =>
      [0, 1].map((number) => item(210 + 2 * at + number, title)),
    ),
    item(230, 'Bank', { description: 'met een zand in kersenhout' }),
  ])
  const key = await service.issueKey('near')
  const page = await find('items/search?q=kersenhout+xand+', key)
  assert.deepEqual([numbers(page), page.corrected], [[30], { xand: ['zand'] }])
})

test('as few words as possible are left out, whichever they are', async () => {
  await service.load([
    houseLine('few'),
    item(240, 'Rode roos'),
    item(241, 'Rode tulp'),
    item(242, 'Blauwe tulp'),
    item(243, 'Blauwe anjer'),
    item(244, 'Roos', { makers: [] }),
    { type: 'auction', id: uuid(245), title: 'Spring' },
    { ...north[6]!, id: uuid(246), auction: uuid(245) },
    { type: 'lot', id: uuid(247), session: uuid(246), item: uuid(243), lot_number: 12, ...closing },
  ])
  const key = await service.issueKey('few')
  // Anjer is the rarest: rode is left out, not blauwe, though there are as many of both.
  for (const q of ['rode+blauwe+anjer+', 'blauwe+rode+anjer+']) {
    const page = await find(`items/search?q=${q}`, key)
    assert.deepEqual([numbers(page), page.relaxed], [[43], true])
  }
  const numbered = await find('lots/search?q=12+anjer+roos+', key)
  assert.deepEqual([numbers(numbered), numbered.relaxed], [[47], true])
})

test('two words beside each other are found by a word that joins them', async () => {
  await service.load([
    houseLine('apart'),
    item(260, 'Vaas in art deco'),
    item(261, 'Artdeco lamp'),
    item(262, 'Art-deco spiegel'),
    item(263, 'Deco en art'),
  ])
  const key = await service.issueKey('apart')
  for (const q of ['artdeco', 'art+deco', 'art-deco'])
    assert.deepEqual((await items(`q=${q}+`, key)).toSorted((one, other) => one - other).slice(0, 3), [60, 61, 62], q)
  assert.deepEqual(await items('q=artdeco+lamp+', key), [61])
  const page = await find('items/search?q=artdeco+scharminkel+', key)
  assert.deepEqual([page.total, page.relaxed, page.corrected], [3, true, undefined])
})

test('facets count what all other filters leave, and name the records', async () => {
  const { facets, total } = await find(
    `lots/search?q=delft&open=true&facets[]=category&facets[]=maker&facets[]=open&facets[]=result&facets[]=session`,
  )
  assert.equal(total, 2)
  assert.deepEqual(facets, {
    category: [],
    maker: [{ value: `mkr_${uuid(3)}`, name: 'Jan M\u00fcller', count: 1 }],
    session: [{ value: `ses_${uuid(6)}`, name: 'Zitting', count: 2 }],
    result: [{ value: 'none', name: null, count: 2 }],
    open: [
      { value: 'true', name: null, count: 2 },
      { value: 'false', name: null, count: 1 },
    ],
  })
  const above = await find(`items/search?facets[]=category&category[]=cat_${uuid(2)}`)
  assert.deepEqual(
    above.facets!['category']!.map(({ name, count }) => [name, count]),
    [
      ['Kunst', 1],
      ['Schilderijen', 1],
    ],
  )
})

test('a facet has the values that its filter names: those that no record has with count 0, and without their names', async () => {
  const maker = { value: `mkr_${uuid(4)}`, name: null, count: 0 }
  const query = `facets[]=maker&facets[]=result&facets[]=open&facets[]=category&category[]=cat_${uuid(2)}`
  const { facets } = await find(`lots/search?q=vaas&maker[]=mkr_${uuid(4)}&result=sold&open=true&${query}`)
  assert.deepEqual(facets, {
    maker: [maker],
    result: [{ value: 'sold', name: null, count: 0 }],
    open: [{ value: 'true', name: null, count: 0 }],
    category: [{ value: `cat_${uuid(2)}`, name: null, count: 0 }],
  })
  const hidden = { session: [{ value: `ses_${uuid(6)}`, name: null, count: 0 }] }
  for (const filter of ['published=false', 'lot_number=999', 'q=scharminkel']) {
    const found = await find(`lots/search?${filter}&session=${uuid(6)}&facets[]=session`)
    assert.deepEqual(found.facets, hidden, filter)
  }
  const shown = await find(`lots/search?published=true&session=ses_${uuid(6)}&facets[]=session`)
  assert.equal(shown.facets!['session']![0]!.name, 'Zitting')
  // An id that belongs to no record cannot be told from one that is hidden.
  const unknown = await find(`lots/search?session=ses_${uuid(99)}&facets[]=session`)
  assert.deepEqual(unknown.facets!['session']!.at(-1), { value: `ses_${uuid(99)}`, name: null, count: 0 })
})

test('filters and facets of records that a key may not read are refused', async () => {
  const least = await service.issueKey('north', ['lots.read'])
  for (const query of [`category[]=cat_${uuid(1)}`, 'facets[]=category', 'facets[]=session'])
    assert.equal((await service.get(`/api/v2/lots/search?${query}`, least)).statusCode, 403, query)
  await find('lots/search?facets[]=maker&facets[]=open', least)
})

test('a search finds nothing of another house, and says nothing of its words', async () => {
  const before = (await service.get('/api/v2/items/search?q=zilverren', key)).payload
  await service.load([
    houseLine('south'),
    ...Array.from({ length: 30 }, (_, n) => item(60 + n, 'Zilverren zilveren zilverling')),
  ])
  assert.equal((await service.get('/api/v2/items/search?q=zilverren', key)).payload, before)
  const south = await service.issueKey('south')
  assert.deepEqual(await items('q=kandelaar', south), [50])
})

test('a word in the names of many makers finds the items of all of them, with the other words of q', async () => {
  const numbers = Array.from({ length: 40 }, (_, number) => 300 + number)
  await service.load([
    houseLine('south'),
    ...numbers.map((number) => ({ type: 'maker', id: uuid(number), name: `Gilde ${number}` })),
    ...numbers.map((number) => item(number + 100, number % 2 ? 'Beker' : 'Schotel', { makers: [uuid(number)] })),
  ])
  const south = await service.issueKey('south')
  assert.equal((await find('items/search?q=gilde', south)).total, 40)
  assert.equal((await find('items/search?q=gilde+beker', south)).total, 20)
  assert.equal((await find('items/search?q=gilde+-beker', south)).total, 20)
})

test('a form ranks before a part, however many makers have the word as their name', async () => {
  const numbers = Array.from({ length: 20 }, (_, number) => 600 + number)
  await service.load([
    houseLine('south'),
    ...numbers.map((number) => ({ type: 'maker', id: uuid(number), name: `Vogel ${number}` })),
    item(701, 'Vogels'),
    item(702, 'Vogelkooi'),
  ])
  assert.deepEqual(await items('q=vogel', await service.issueKey('south')), [1, 2])
})

test('a word that is a name of every object is a word like others', async () => {
  for (const word of ['constructor', '"constructor"', '-constructor', 'constructor+kandelaar'])
    assert.ok((await find(`lots/search?q=${word}&facets[]=maker`)).total >= 0, word)
  assert.deepEqual(await lots('q=kandelaar+constructor+'), [10, 11])
})
