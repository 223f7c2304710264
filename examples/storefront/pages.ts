import type { GalleryImage, House, Money, SearchPage } from '@auction-catalogue/client'
import { thumbHashToAverageRGBA } from 'thumbhash'
import {
  amountOf,
  describeLot,
  describeSale,
  escape,
  findPicture,
  isOver,
  printHead,
  type Head,
  type Shown,
  type ShownLot,
  type Site,
} from './head.ts'

function printMoney({ amount, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' })
  return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits!)
}

// A house without a time zone shows the times of this machine.
function printTime(time: string | null, zone: House['time_zone']): string {
  const style = { dateStyle: 'full', timeStyle: 'short', timeZone: zone ?? undefined } as const
  return time === null ? '' : new Intl.DateTimeFormat('en', style).format(new Date(time))
}

function page(site: Site, title: string, head: Head, body: string, question = ''): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${printHead(title, head, site)}
<link rel="stylesheet" href="/style.css">
<header>
  <a href="/">All sales</a>
  <form action="/search" role="search"><input type="search" name="q" value="${escape(question)}" aria-label="Search the lots" placeholder="Search the lots"></form>
</header>
<main>
<h1>${escape(title)}</h1>
${body}
</main>
</html>
`
}

const results = { sold: 'Sold', unsold: 'Unsold', withdrawn: 'Withdrawn' }

/** The average colour of a picture, which its place has until it is loaded. */
function printColour(placeholder: string): string {
  const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(placeholder, 'base64'))
  return `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(' ')})`
}

const sizes = {
  inList: '(max-width: 32rem) 92vw, (max-width: 80rem) 30vw, 18rem',
  alone: '(max-width: 60rem) 92vw, 58rem',
}

/** A picture in the width that the screen needs. The first ones of a page load at once. */
function printPicture(image: GalleryImage | undefined, place: keyof typeof sizes, isFirst: boolean): string {
  // A picture that was just uploaded has no renditions yet.
  if (!image?.url) return '<div class="no-picture"></div>'
  const { url, alt, width, height, placeholder, sources } = image
  const attributes = {
    src: url,
    srcset: sources.map((source) => `${source.url} ${source.width}w`).join(', '),
    sizes: sizes[place],
    width: String(width ?? ''),
    height: String(height ?? ''),
    style: placeholder && `background:${printColour(placeholder)}`,
    ...(isFirst ? { fetchpriority: 'high' } : { loading: 'lazy', decoding: 'async' }),
  }
  const printed = Object.entries(attributes).map(([name, text]) => (text ? ` ${name}="${escape(text)}"` : ''))
  return `<img alt="${escape(alt ?? '')}"${printed.join('')}>`
}

function printPrice(lot: ShownLot): string {
  const amount = amountOf(lot)
  const kind = lot.result?.amount ? 'Price' : lot.current_bid ? 'Bid' : 'From'
  return amount ? `${kind} ${escape(printMoney(amount))}` : ''
}

function printState(lot: ShownLot, zone: House['time_zone']): string {
  const { closes_at, result } = lot
  if (result) return results[result.state]
  if (closes_at === null) return ''
  return `${isOver(lot) ? 'Closed' : 'Closes'} <time datetime="${closes_at}">${printTime(closes_at, zone)}</time>`
}

function printLot(lot: ShownLot, zone: House['time_zone'], isFirst: boolean): string {
  const { id, lot_number, title, item } = lot
  const picture = printPicture(item.images[0], 'inList', isFirst)
  const heading = `<h2><span>${lot_number ?? ''}</span> <a href="/lots/${id}">${escape(title)}</a></h2>`
  return `<li>${picture}${heading}<p>${printPrice(lot)}</p><p>${printState(lot, zone)}</p></li>`
}

const printLots = (lots: ShownLot[], zone: House['time_zone']) =>
  `<ol class="lots">${lots.map((lot, at) => printLot(lot, zone, at < 4)).join('\n')}</ol>`

/** The page of all sales. */
export function printSales(sessions: Shown[], site: Site): string {
  const entries = sessions.map(
    ({ id, title, opensAt }) => `<li><a href="/sales/${id}">${escape(title)}</a> ${printTime(opensAt, site.zone)}</li>`,
  )
  return page(
    site,
    'Sales',
    { path: '/', description: `The sales of ${site.name}.` },
    `<ul class="sales">${entries.join('\n')}</ul>`,
  )
}

/** A page of the lots of one sale. */
export function printSale(sale: Shown, path: string, lots: ShownLot[], next: string | undefined, site: Site): string {
  const time = printTime(sale.opensAt, site.zone)
  const description = `${sale.title}: a sale of ${site.name}. ${time}`.trim()
  const head: Head = { path, description, image: findPicture(lots) }
  const more = next === undefined ? '' : `<nav><a rel="next" href="${escape(next)}">More lots</a></nav>`
  const data = describeSale(sale, { ...head, path: `/sales/${sale.id}` }, site)
  return page(site, sale.title, { ...head, data }, `<p>${time}</p>${printLots(lots, site.zone)}${more}`)
}

/** A picture that leads to its widest source, which the script of the page opens to be looked at closely. */
function printPhotograph(image: GalleryImage, isFirst: boolean): string {
  if (image.url === null) return ''
  const widest = image.sources.at(-1)?.url ?? image.url
  const label = escape(`Magnify: ${image.alt ?? `photograph ${image.position + 1}`}`)
  return `<a class="photograph" href="${escape(widest)}" aria-label="${label}">${printPicture(image, 'alone', isFirst)}</a>`
}

/** The page of one lot, with all its photographs. */
export function printLotPage(lot: ShownLot, sale: Shown, site: Site): string {
  const { id, lot_number, title, item } = lot
  const path = `/lots/${id}`
  const description = (item.description ?? `${title}: a lot of ${site.name}.`).replaceAll(/\s+/g, ' ').slice(0, 160)
  const head = { path, description, image: findPicture([lot]), data: describeLot(lot, site.origin + path) }
  const place = `<a href="/sales/${sale.id}">${escape(sale.title)}</a>${lot_number === null ? '' : `, lot ${lot_number}`}`
  const photographs = item.images.map((image, at) => printPhotograph(image, at === 0)).join('\n')
  const body = `<p>${place}</p>
<p>${printPrice(lot)}</p><p>${printState(lot, site.zone)}</p>
${photographs}
<p class="description">${escape(item.description ?? '')}</p>
<script src="/magnifier.js" type="module"></script>`
  return page(site, title, head, body)
}

/** The address of the same search with other values; a value that is undefined is left out. */
function changeSearch(asked: URLSearchParams, change: Record<string, string | undefined>): string {
  const kept = {
    q: asked.get('q') ?? undefined,
    session: asked.get('session') ?? undefined,
    maker: asked.get('maker') ?? undefined,
  }
  const pairs = Object.entries({ ...kept, ...change }).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return escape(`/search?${new URLSearchParams(pairs).toString()}`)
}

/** What was found by one of its properties. A value leads to its lots, and the chosen one back to all. */
function printFacet(title: string, name: string, values: Found['facets']['session'], asked: URLSearchParams): string {
  if (values.length === 0) return ''
  const chosen = asked.get(name)
  const entries = values
    .filter(({ value }, at) => at < 12 || value === chosen)
    .map(({ value, name: label, count }) => {
      const isChosen = value === chosen
      const href = changeSearch(asked, { [name]: isChosen ? undefined : value })
      return `<li><a href="${href}"${isChosen ? ' aria-current="true"' : ''}>${escape(label ?? 'Your choice')}</a> ${count}</li>`
    })
  return `<section><h2>${title}</h2><ul>${entries.join('')}</ul></section>`
}

/** How many lots were found, and what the service took for words that no lot has. */
function printFindings({ total, totalCapped, corrected, relaxed, complete }: Found): string {
  const count = totalCapped ? 'More than 10,000 lots' : total === 1 ? '1 lot' : `${total} lots`
  const said = Object.entries(corrected).map(
    ([word, taken]) => `No lot has “${word}”: these have “${taken.join('” or “')}”.`,
  )
  if (relaxed) said.push('No lot has all these words: some were left out.')
  if (!complete) said.push('The catalogue is being indexed: some lots may be missing.')
  return [count, ...said].map((each) => `<p>${escape(each)}</p>`).join('')
}

type Found = SearchPage<ShownLot, 'session' | 'maker'>

/** The page of a search's results. `asked` has its words, the chosen sale and the chosen maker. */
export function printFound(asked: URLSearchParams, found: Found, site: Site): string {
  const question = asked.get('q') ?? ''
  const { session, maker } = found.facets
  const facets = printFacet('Sales', 'session', session, asked) + printFacet('Makers', 'maker', maker, asked)
  const { nextCursor } = found
  const more =
    nextCursor === null
      ? ''
      : `<nav><a rel="next" href="${changeSearch(asked, { after: nextCursor })}">More lots</a></nav>`
  const head = { path: '/search', description: `Lots of ${site.name}.`, isHidden: true }
  const body = `${printFindings(found)}<nav class="facets" aria-label="Narrow the search">${facets}</nav>`
  return page(site, `Search: ${question}`, head, body + printLots(found.data, site.zone) + more, question)
}

/** The page of a failure. */
export const printFailure = (title: string, site: Site): string =>
  page(site, title, { path: '/', description: title, isHidden: true }, '')
