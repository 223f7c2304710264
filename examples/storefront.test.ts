import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Lot, LotId } from '@auction-catalogue/client'
import { html } from './storefront/html.ts'
import { makeSite } from './storefront/site.ts'
import { lotsOn, openStorefront } from '../test/support/storefront.ts'

const storefront = await openStorefront()
const { catalogue, get, listSales, origin, run, until } = storefront
after(() => storefront.close())

/** The text of a page without its elements. */
const textOf = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('the home page has the published sales, that with bids of customers first, with photographs, then those to come', async () => {
  const drafts = await catalogue.sessions.list({ published: false }).page()
  const coming = drafts.data[0]!
  await run('sessions', 'publish', coming.id)
  assert.ok(!(await listSales()).includes(coming.id), 'a session of a draft')
  await run('auctions', 'publish', coming.auction)
  const partsOf = (text: string) => text.split('<section').slice(1)
  const home = await until('/', ({ text }) => partsOf(text)[0]!.includes('<img'))
  const [, , next, ...over] = await listSales()
  assert.equal(next, coming.id)
  assert.ok(over.length > 0)
  const parts = partsOf(home.text)
  assert.match(parts[0]!, /Nu bezig/)
  assert.match(parts[1]!, /Nu bezig/)
  assert.match(parts[2]!, /Binnenkort/)
  assert.match(parts[3]!, /Geweest/)
  assert.match(home.text, /<h1[^>]*>Veilinghuis Terbraeck<\/h1>/)
  for await (const session of catalogue.sessions.list({ expand: ['auction'] })) {
    const isPublic = session.published && session.auction.published
    assert.equal(home.text.includes(session.id), isPublic, session.id)
    assert.equal((await get(`/sales/${session.id}`)).status, isPublic ? 200 : 404)
  }
  const closes = [...parts[0]!.split('<ol')[1]!.matchAll(/<time\s+datetime="([^"]+)"/g)].map(([, time]) =>
    Date.parse(time!),
  )
  assert.ok(closes.length > 2)
  assert.deepEqual(
    closes,
    closes.toSorted((one, other) => one - other),
    'the lots that close next',
  )
  await run('auctions', 'unpublish', coming.auction)
  await run('sessions', 'unpublish', coming.id)
})

test('a photograph has its sources, its size and its text, in the list and on the page of its lot', async () => {
  const [session] = await listSales()
  const [lot] = (await catalogue.lots.list({ session: session!, active: true, expand: ['item.images'] }).page()).data
  const { item } = lot!
  await catalogue.images.update(item.id, item.images[0]!.id, { alt: 'Een <vaas> & meer' })
  const image = (await catalogue.items.get(item.id, { expand: ['images'] })).images[0]!
  const sources = image.sources.map(({ url, width }) => `${url} ${width}w`).join(', ')
  const shared = image.sources.findLast(({ width }) => width <= 1600)!
  for (const path of [`/sales/${session}`, `/lots/${lot!.id}`]) {
    const { text } = await until(path, (page) => page.text.includes('alt="Een &lt;vaas&gt; &amp; meer"'))
    const tags = text.match(/<img[^>]*? src=[^>]*>/gs)!.map((tag) => tag.replaceAll(/\s+/g, ' '))
    const tag = tags.find((each) => each.includes('alt="Een '))!
    assert.ok(sources !== '' && tag.includes(`srcset="${sources}"`), tag)
    assert.ok(tag.includes(`width="${image.width}"`) && tag.includes(`height="${image.height}"`), tag)
    for (const each of tags) assert.match(each, / width="\d+" height="\d+"/)
    assert.ok(tags[0]!.includes('fetchpriority="high"'))
    for (const each of tags.slice(1)) assert.match(each, /loading="lazy"/)
    assert.ok(text.includes(`<link rel="canonical" href="${origin}${path}" />`))
    assert.match(text, /<meta property="og:title" content="[^"]+" \/>/)
    for (const [name, value] of Object.entries({ '': shared.url, ':width': shared.width, ':height': shared.height }))
      assert.ok(text.includes(`<meta property="og:image${name}" content="${value}" />`), name)
    assert.ok(text.includes('<meta property="og:image:alt" content="Een &lt;vaas&gt; &amp; meer" />'))
    assert.match(text, /<meta name="description" content="[^"]+" \/>/)
  }
  const reply = await fetch(image.url!)
  assert.match(reply.headers.get('content-type')!, /^image\//)
  await reply.body?.cancel()
})

test('the page of a lot has what its item has, and leads to its neighbours and to others of its maker', async () => {
  const [session] = await listSales()
  const query = { session: session!, active: true, expand: ['item.images'] } as const
  const { data } = await catalogue.lots.list(query).page()
  const at = data.findIndex(
    ({ item }, index) => index > 0 && item.condition && item.dimensions && item.makers.length > 0,
  )
  const { id, item, lot_number } = data[at]!
  const { text } = await get(`/lots/${id}`)
  const said = textOf(text)
  for (const part of [item.title, item.description!, item.condition!, item.dimensions!, `Kavel ${lot_number}`])
    assert.ok(said.includes(textOf(html`${part}`.text)), part)
  assert.match(said, /Richtprijs € [\d.]+-[\d.]+ /)
  assert.ok(item.images.every(({ sources }) => text.includes(`href="${sources.at(-1)!.url}"`)))
  const [before, after] = ['prev', 'next'].map((rel) => new RegExp(`rel="${rel}" href="/lots/([^"]+)"`).exec(text)![1])
  assert.deepEqual([before, after], [data[at - 1]!.id, data[at + 1]!.id])
  for (const [facet, value] of [
    ['maker', item.makers[0]],
    ['category', item.categories[0]],
  ]) {
    const [, path] = new RegExp(`href="(/search\\?${facet}=${value})"`).exec(text)!
    assert.ok(lotsOn((await get(path!)).text).includes(`/lots/${id}`), facet)
  }
})

test('the description of a page is at most 160 whole signs', async () => {
  const [session] = await listSales()
  const { data } = await catalogue.lots.list({ session: session!, active: true, expand: ['item'] }).page()
  const { id, item } = data[0]!
  await catalogue.items.update(item.id, { description: `${'z'.repeat(159)}🎨 x` })
  const page = await get(`/lots/${id}`)
  for (const name of ['name="description"', 'property="og:description"'])
    assert.ok(page.text.includes(`<meta ${name} content="${'z'.repeat(159)}🎨" />`), name)
  await catalogue.items.update(item.id, { description: item.description })
})

test('a notice is shown, escaped, until the lot has its result', async () => {
  const { data } = await catalogue.lots
    .search({ session: (await listSales())[0]!, open: true, sort: '-closes_at' })
    .page()
  await run('lots', 'set', data[0]!.id, '--notice', 'Niet <gesigneerd>')
  assert.match((await get(`/lots/${data[0]!.id}`)).text, /Niet &lt;gesigneerd&gt;/)
})

test('a result is said in the words of the trade, and a lot without one is closed, never unsold', async () => {
  const words = { sold: 'Toegeslagen', unsold: 'Onverkocht', withdrawn: 'Teruggetrokken' }
  const lots = new Map<string, LotId>()
  for await (const { id, session, result } of catalogue.lots.list({ active: true, expand: ['session'] })) {
    // Of a sale that is not finished, the service records results itself.
    if (!result || !session.published || !session.finished || lots.has(result.state)) continue
    lots.set(result.state, id)
    assert.match(textOf((await get(`/lots/${id}`)).text), new RegExp(`${words[result.state]}( € [\\d.]+)? `))
  }
  assert.equal(lots.size, 3)
  const id = lots.get('unsold')!
  await run('lots', 'result', id, 'open', '--correct', '--reason', 'typing error')
  const open = textOf((await get(`/lots/${id}`)).text)
  assert.match(open, /Gesloten, uitslag volgt/)
  assert.doesNotMatch(open, /Onverkocht/)
  await run('lots', 'result', id, 'unsold', '--correct', '--reason', 'typing error')
  await run('lots', 'result', id, 'sold', '--amount', 'EUR 450', '--after-sale', '--reason', 'sold', '--correct')
  assert.match(textOf((await get(`/lots/${id}`)).text), /Naverkoop € 450 /)
})

/** The schema.org data of a page, by their types. */
const dataOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<script type="application\/ld\+json">\s*(.*?)\s*<\/script>/gs)].map(([, each]) => {
      const data = JSON.parse(each!) as Record<string, unknown>
      return [data['@type'], data]
    }),
  )

test('a sale is an Event, and each lot with a price a Product, with what Google requires of them', async () => {
  const [sale] = await listSales()
  const { text } = await get(`/sales/${sale}`)
  const event = dataOf(text)['Event']!
  const [session, first] = await Promise.all([
    catalogue.sessions.get(sale!),
    catalogue.lots.list({ session: sale, active: true, expand: ['item.images'] }).page(),
  ])
  const url = `${origin}/sales/${sale}`
  assert.deepEqual(
    [event['@context'], event['name'], event['startDate'], event['location'], event['image']],
    [
      'https://schema.org',
      session.title,
      session.opens_at,
      { '@type': 'VirtualLocation', url },
      first.data[0]!.item.images[0]!.sources.findLast(({ width }) => width <= 1600)!.url,
    ],
  )
  const priceOf = ({ result, current_bid, starting_bid }: Pick<Lot, 'result' | 'current_bid' | 'starting_bid'>) => {
    const amount = result?.amount ?? current_bid ?? starting_bid
    return amount ? (amount.amount / 100).toFixed(2) : undefined
  }
  let count = 0
  for await (const { id } of catalogue.lots.list({ session: sale, active: true })) {
    const lot = await catalogue.lots.get(id, { expand: ['item.images'] })
    const product = dataOf((await get(`/lots/${id}`)).text)['Product']
    const offer = product?.['offers'] as Record<string, string> | undefined
    // A bid may have come since the lot was read.
    const prices = [lot, await catalogue.lots.get(id)].map((each) => priceOf(each))
    assert.ok(prices.includes(offer?.['price']), `${offer?.['price']} of ${prices.join()}`)
    if (!product || !offer) continue
    count++
    const images = lot.item.images.map(({ sources }) => sources.at(-1)!.url)
    assert.deepEqual([product['name'], product['url']], [lot.title, `${origin}/lots/${id}`])
    assert.deepEqual(product['image'], images.length === 0 ? undefined : images)
    assert.deepEqual([offer['@type'], offer['priceCurrency']], ['Offer', 'EUR'])
    assert.match(offer['availability']!, /^https:\/\/schema\.org\/(InStock|OutOfStock|SoldOut|Discontinued)$/)
  }
  assert.ok(count > 0)
})

test('a lot is shown while it is active and its sale is published', async () => {
  const sale = (await listSales()).at(-1)!
  const [path] = lotsOn((await get(`/sales/${sale}`)).text)
  assert.equal((await get(path!)).status, 200)
  await run('sessions', 'unpublish', sale)
  for (const page of [path!, `/search?session=${sale}`, `/sales/${sale}`]) {
    const { status, text } = await get(page)
    assert.ok(status === 404 || lotsOn(text).length === 0, page)
  }
  await run('sessions', 'publish', sale)
  assert.equal((await get(path!)).status, 200)
  for await (const { id } of catalogue.lots.list({ active: false })) {
    assert.equal((await get(`/lots/${id}`)).status, 404)
    break
  }
})

test('search engines find the sales and all their lots, and no search that found something else', async () => {
  assert.equal((await get('/robots.txt')).text, `User-agent: *\nAllow: /\nSitemap: ${origin}/sitemap.xml\n`)
  const placesOf = async (path: string) =>
    [...(await get(path)).text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, place]) => place!.slice(origin.length))
  const sales = await listSales()
  assert.ok(sales.length > 0)
  const [ofSales, ...ofLots] = await placesOf('/sitemap.xml')
  assert.deepEqual(await placesOf(ofSales!), ['/', ...sales.map((id) => `/sales/${id}`)])
  assert.equal(ofLots.length, sales.length)
  for (const [at, sitemap] of ofLots.entries()) {
    const lots = []
    for await (const { id } of catalogue.lots.list({ session: sales[at]!, active: true })) lots.push(`/lots/${id}`)
    assert.deepEqual(await placesOf(sitemap), lots)
  }
  const hidden = /<meta name="robots" content="noindex" \/>/
  assert.match((await get('/search?q=qqqqx')).text, hidden)
  const found = await get('/search?q=zilver')
  assert.doesNotMatch(found.text, hidden)
  assert.ok(found.text.includes(`<link rel="canonical" href="${origin}/search" />`))
})

test('times are in the time zone and the language of the house, with the zone on the page of a lot', async () => {
  const session = await catalogue.sessions.get((await listSales())[0]!)
  const style = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  } as const
  const format = new Intl.DateTimeFormat('nl', { ...style, timeZoneName: 'short', timeZone: 'Europe/Amsterdam' })
  const opened = format.format(new Date(session.opens_at!))
  assert.match(opened, /CES?T$/)
  for (const path of ['/', `/sales/${session.id}`]) assert.ok((await get(path)).text.includes(opened), opened)
  const { data } = await catalogue.lots.search({ session: session.id, open: true, sort: '-closes_at', limit: 1 }).page()
  assert.ok((await get(`/lots/${data[0]!.id}`)).text.includes(format.format(new Date(data[0]!.closes_at!))))
})

test('prices have the decimals that they need, and texts of a house without words of its own name their language', () => {
  const house = { name: 'Casa', locale: 'es', currency: 'EUR', time_zone: null } as const
  const site = makeSite(house, '')
  assert.deepEqual(
    [[45050, 'EUR'] as const, [45000, 'EUR'] as const, [45000, 'JPY'] as const].map(([amount, currency]) =>
      site.printMoney({ amount, currency }),
    ),
    ['€450.50', '€450', 'JP¥45,000'],
  )
  const bound = (amount: number) => ({ amount, currency: 'EUR' })
  assert.equal(site.printEstimate({ low: bound(40000), high: bound(60000) }), '€400 – €600')
  assert.equal(site.printEstimate({ low: bound(40000) }), '€400 –')
  assert.equal(site.printEstimate({ high: bound(60000) }), '– €600')
  assert.deepEqual([site.language, site.lang?.text.trim()], ['en', 'lang="es"'])
  for (const locale of ['en', 'nl', 'de', 'fr'] as const) {
    const { language, lang } = makeSite({ ...house, locale }, '')
    assert.deepEqual([language, lang], [locale, undefined])
  }
})

test('a search finds what was written before it, and escapes what was asked', async () => {
  const session = (await listSales()).at(-1)!
  const { data } = await catalogue.lots.list({ session, active: true, expand: ['item'] }).page()
  const path = `/search?q=${encodeURIComponent('"ZEPPELIN <éclat>"')}`
  const before = await get(path)
  assert.match(before.text, /<p>0 kavels<\/p>/)
  assert.match(before.text, /ZEPPELIN &lt;éclat&gt;/)
  const { item } = data[0]!
  await catalogue.items.update(item.id, { title: 'Zeppelin & eclat' })
  const found = await get(path)
  assert.match(found.text, /<p>1 kavel<\/p>/)
  assert.match(found.text, /Zeppelin &amp; eclat/)
  await run('sessions', 'unpublish', session)
  assert.match((await get(path)).text, /<p>0 kavels<\/p>/)
  await run('sessions', 'publish', session)
  await catalogue.items.update(item.id, { title: item.title })
})

test('a search says what it understood, and is narrowed, ordered and widened again', async () => {
  assert.match((await get('/search?q=kandelaer')).text, /“kandelaer” staat in geen kavel\. Gevonden: kandela.+</)
  const linksOf = (text: string) =>
    [...text.matchAll(/href="(\/(?:search|sales)[^"]*)"[^>]*>([^<]+)<\/a\s*> ([\d.]+)/g)].map(
      ([, path, name, count]) => ({
        path: path!.replaceAll('&amp;', '&'),
        name: name!,
        count: count!,
      }),
    )
  for (const path of ['/search', `/sales/${(await listSales())[0]}`]) {
    const all = linksOf((await get(path)).text)
    assert.ok(all.length > 2)
    for (const { path: narrowed, name, count } of [all[0]!, all.at(-1)!]) {
      const { text } = await get(narrowed)
      assert.match(text, new RegExp(`<p>${count} kavels?</p>`))
      const [, back] = new RegExp(`<a href="([^"]+)"[^>]*>${name.replaceAll(/[()]/g, '\\$&')} ×</a`).exec(text)!
      assert.equal(back, path)
    }
  }
  const dear = lotsOn((await get('/search?sort=-estimate')).text)
  const { data } = await catalogue.lots.search({ published: true, active: true, sort: '-estimate', limit: 24 }).page()
  assert.deepEqual(
    dear,
    data.map(({ id }) => `/lots/${id}`),
  )
  // The name of what was chosen stands there also where nothing was found.
  const maker = linksOf((await get('/search')).text).find(({ path }) => path.includes('maker='))!
  const empty = await get(`${maker.path}&q=qqqqx`)
  assert.ok(empty.text.includes(`${maker.name} ×`))
  assert.match(empty.text, /Geen van de kavels/)
  // What the page names is what was searched for.
  const long = await get(`/search?q=${'z'.repeat(201)}`)
  assert.equal(/z{201}/.test(long.text), false)
  assert.equal((await get('/search?q=%3F')).status, 400)
  assert.equal((await get('/search?after=nothing')).status, 404)
})
