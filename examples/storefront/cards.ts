import { stateOf, titleOf, type Sale, type ShownLot } from './catalogue.ts'
import { html, type Html } from './html.ts'
import { findLead, printPicture } from './pictures.ts'
import type { Site } from './site.ts'

/** A label and a value, of which one may be missing. */
export type Fact = readonly [label: string, value?: string | Html | undefined]

/** Whether a lot takes no bids any more. */
export const isOver = ({ session, closes_at, result }: ShownLot) =>
  result !== null || session.finished || (closes_at !== null && Date.parse(closes_at) <= Date.now())

/** The price of a lot, or what is bid for it. */
export const amountOf = ({ result, current_bid, starting_bid }: ShownLot) =>
  result?.amount ?? current_bid ?? starting_bid

function listResult({ result }: ShownLot, { say, printMoney }: Site): Fact[] {
  if (result?.state !== 'sold') return result ? [[say(result.state)]] : []
  const price = result.amount ? printMoney(result.amount) : undefined
  return [[say(result.after_sale ? 'afterSale' : 'sold'), price]]
}

/** What a visitor wants to know of a lot: estimate, bid or result, and when it opens and closes. */
export function listFacts(lot: ShownLot, site: Site, style: 'full' | 'short'): Fact[] {
  const { say, printMoney, printTime } = site
  const { current_bid, starting_bid, closes_at, result, item } = lot
  const { opens_at } = lot.session
  const facts: Fact[] = item.estimate ? [[say('estimate'), site.printEstimate(item.estimate)]] : []
  if (result) return [...facts, ...listResult(lot, site)]
  const over = isOver(lot)
  if (current_bid) facts.push([say(over ? 'highestBid' : 'currentBid'), printMoney(current_bid)])
  else if (starting_bid && !over) facts.push([say('startingBid'), printMoney(starting_bid)])
  // Only a result says what became of a lot.
  if (over) return [...facts, [say('closed')]]
  if (opens_at !== null && Date.parse(opens_at) > Date.now()) facts.push([say('opens'), printTime(opens_at, style)])
  if (closes_at !== null) facts.push([say('closes'), printTime(closes_at, style)])
  return facts
}

/** When a sale opens or closes, as far as that is still to come; of a sale that is over, when it was. */
export function printWhen(sale: Sale, { say, printTime }: Site): Html {
  const state = stateOf(sale)
  const closes = sale.kind === 'live' ? sale.live.closes_at : sale.timed.first_closes_at
  const facts: Fact[] = []
  if (state === 'over') {
    const time = closes ?? sale.opens_at
    if (time !== null) facts.push(['', printTime(time)])
  } else {
    if (sale.opens_at !== null) facts.push([say(state === 'coming' ? 'opens' : 'since'), printTime(sale.opens_at)])
    if (closes !== null && Date.parse(closes) > Date.now())
      facts.push([say(sale.kind === 'live' ? 'onlineCloses' : 'firstCloses'), printTime(closes)])
  }
  const badge = html`<span class="badge ${state}">${say(state)}</span>`
  return html`<p class="when">${[badge, ...facts.map(([label, time]) => html`<span>${label} ${time}</span>`)]}</p>`
}

function printCard(lot: ShownLot, heading: 'h2' | 'h3', isFirst: boolean, site: Site): Html {
  const { id, lot_number, title } = lot
  const image = findLead(lot)
  const facts = listFacts(lot, site, 'short').map(
    ([label, value]) => html`<p>${label} ${value && html`<b>${value}</b>`}</p>`,
  )
  const tag = { h2: [html`<h2`, html`</h2>`], h3: [html`<h3`, html`</h3>`] }[heading]
  return html`<li>
    <div class="picture">${image && printPicture(image, 'card', image.alt ?? '', isFirst, site)}</div>
    ${lot_number !== null && html`<p class="number">${site.say('lot', lot_number)}</p>`} ${tag[0]}${site.lang}><a
      href="/lots/${id}"
      >${title}</a
    >${tag[1]} ${facts}
  </li>`
}

/** Lots with their photographs, of which the first may be the first of the page. */
export const printCards = (lots: ShownLot[], heading: 'h2' | 'h3', isFirst: boolean, site: Site) =>
  html`<ol class="lots">
    ${lots.map((lot, at) => printCard(lot, heading, isFirst && at === 0, site))}
  </ol>`

/** The title of a sale, as a link to it. */
export const printSaleLink = (sale: Sale, { lang }: Site) =>
  html`<a href="/sales/${sale.id}" ${lang}>${titleOf(sale)}</a>`
