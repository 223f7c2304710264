import type { House, Lot, Money, SessionId } from '@auction-catalogue/client'

type Shown = { id: SessionId; title: string; opensAt: string | null }
type ShownLot = Lot<'item.images' | 'session'>

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign]!)

function printMoney({ amount, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' })
  return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits!)
}

// A house without a time zone shows the times of this machine.
function printTime(time: string | null, zone: House['time_zone']): string {
  const style = { dateStyle: 'full', timeStyle: 'short', timeZone: zone ?? undefined } as const
  return time === null ? '' : new Intl.DateTimeFormat('en', style).format(new Date(time))
}

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

const results = { sold: 'Sold', unsold: 'Unsold', withdrawn: 'Withdrawn' }

function printLot(lot: ShownLot, zone: House['time_zone']): string {
  const { lot_number, title, item, session, starting_bid, current_bid, closes_at, result } = lot
  const [image] = item.images
  // A picture that was just uploaded has no renditions yet.
  const picture = image?.url
    ? `<img src="${escape(image.url)}" alt="" loading="lazy" decoding="async">`
    : '<div class="no-picture"></div>'
  const amount = result?.amount ?? current_bid ?? starting_bid
  const kind = result?.amount ? 'Price' : current_bid ? 'Bid' : 'From'
  const price = amount ? `${kind} ${escape(printMoney(amount))}` : ''
  const isOver = session.finished || (closes_at !== null && Date.parse(closes_at) <= Date.now())
  const close = closes_at
    ? `${isOver ? 'Closed' : 'Closes'} <time datetime="${closes_at}">${printTime(closes_at, zone)}</time>`
    : ''
  const state = result ? results[result.state] : close
  return `<li>${picture}<h2><span>${lot_number ?? ''}</span> ${escape(title)}</h2><p>${price}</p><p>${state}</p></li>`
}

const printLots = (lots: ShownLot[], zone: House['time_zone']) =>
  `<ol class="lots">${lots.map((lot) => printLot(lot, zone)).join('\n')}</ol>`

/** The page of all sales. */
export function printSales(sessions: Shown[], zone: House['time_zone']): string {
  const entries = sessions.map(
    ({ id, title, opensAt }) => `<li><a href="/sales/${id}">${escape(title)}</a> ${printTime(opensAt, zone)}</li>`,
  )
  return page('Sales', `<ul class="sales">${entries.join('\n')}</ul>`)
}

/** A page of the lots of one sale. */
export function printSale(
  { title, opensAt }: Shown,
  lots: ShownLot[],
  next: string | undefined,
  zone: House['time_zone'],
): string {
  const more = next === undefined ? '' : `<nav><a rel="next" href="${escape(next)}">More lots</a></nav>`
  return page(title, `<p>${printTime(opensAt, zone)}</p>${printLots(lots, zone)}${more}`)
}

/** The page of a search's results. */
export function printFound(question: string, lots: ShownLot[], count: number, zone: House['time_zone']): string {
  const said = `<p>${count === 1 ? '1 lot' : `${count} lots`}${count > lots.length ? `, the first ${lots.length}` : ''}</p>`
  return page(`Search: ${question}`, said + printLots(lots, zone), question)
}

/** The page of a failure. */
export const printFailure = (title: string): string => page(title, '')
