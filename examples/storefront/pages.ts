import type { Lot, Money, SessionId } from '@auction-catalogue/client'

type Shown = { id: SessionId; title: string; opensAt: string | null }
type ShownLot = Lot<'item.images' | 'session'>

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign]!)

const printMoney = ({ amount, currency }: Money) =>
  new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 }).format(amount / 100)
const printTime = (time: string | null) =>
  time === null ? '' : new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' }).format(new Date(time))

function page(title: string, body: string, question = ''): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<link rel="stylesheet" href="/style.css">
<header>
  <a href="/">All sales</a>
  <form action="/search" role="search"><input type="search" name="q" value="${escape(question)}" aria-label="Search the lots" placeholder="Search the lots"></form>
</header>
<h1>${escape(title)}</h1>
${body}
`
}

function printLot({ lot_number, title, item, session, starting_bid, current_bid, closes_at, sold }: ShownLot): string {
  const [image] = item.images
  // A picture that was just uploaded has no renditions yet.
  const picture = image?.url
    ? `<img src="${escape(image.url)}" alt="" loading="lazy" decoding="async">`
    : '<div class="no-picture"></div>'
  const bid = current_bid ?? starting_bid
  const price = bid ? `${current_bid ? 'Bid' : 'From'} ${escape(printMoney(bid))}` : ''
  const isOver = session.finished || (closes_at !== null && Date.parse(closes_at) <= Date.now())
  const close = closes_at
    ? `${isOver ? 'Closed' : 'Closes'} <time datetime="${closes_at}">${printTime(closes_at)}</time>`
    : ''
  const state = sold ? 'Sold' : close
  return `<li>${picture}<h2><span>${lot_number ?? ''}</span> ${escape(title)}</h2><p>${price}</p><p>${state}</p></li>`
}

const printLots = (lots: ShownLot[]) => `<ol class="lots">${lots.map(printLot).join('\n')}</ol>`

/** The page of all sales. */
export function printSales(sessions: Shown[]): string {
  const entries = sessions.map(
    ({ id, title, opensAt }) => `<li><a href="/sales/${id}">${escape(title)}</a> ${printTime(opensAt)}</li>`,
  )
  return page('Sales', `<ul class="sales">${entries.join('\n')}</ul>`)
}

/** A page of the lots of one sale. */
export function printSale({ title, opensAt }: Shown, lots: ShownLot[], next: string | undefined): string {
  const more = next === undefined ? '' : `<nav><a rel="next" href="${escape(next)}">More lots</a></nav>`
  return page(title, `<p>${printTime(opensAt)}</p>${printLots(lots)}${more}`)
}

/** The page of a search's results. */
export function printFound(question: string, lots: ShownLot[], count: number): string {
  const said = `<p>${count === 1 ? '1 lot' : `${count} lots`}${count > lots.length ? `, the first ${lots.length}` : ''}</p>`
  return page(`Search: ${question}`, said + printLots(lots), question)
}

/** The page of a failure. */
export const printFailure = (title: string): string => page(title, '')
