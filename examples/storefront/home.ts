import { printCards, printSaleLink, printWhen } from './cards.ts'
import { stateOf, type Sale, type ShownLot } from './catalogue.ts'
import { html, type Html } from './html.ts'
import { printPage } from './page.ts'
import { describePicture } from './pictures.ts'
import type { Site } from './site.ts'

/** How many photographs of a sale its part of the home page has. */
export const photographsOf = { running: 12, coming: 4, over: 4 }

type Shown = { sale: Sale; lots: ShownLot[] }

function printSale({ sale, lots }: Shown, isFirst: boolean, site: Site): Html {
  return html`<section class="${stateOf(sale)}">
    <h2>${printSaleLink(sale, site)}</h2>
    ${printWhen(sale, site)} ${printCards(lots, 'h3', isFirst, site)}
    <p class="more"><a href="/sales/${sale.id}">${site.say('all')}</a></p>
  </section>`
}

/** The page of all sales: those that run, those to come and those that are over. */
export function printHome(sales: Shown[], site: Site): string {
  const { name, say } = site
  const head = { path: '/', description: say('salesOf', name), image: describePicture(sales[0]?.lots[0]) }
  const firstPicture = sales.find(({ lots }) => lots.length > 0)
  const body = html`${sales.length === 0 && html`<p>${say('none')}</p>`}
  ${sales.map((shown) => printSale(shown, shown === firstPicture, site))}`
  return printPage(site, name, head, body)
}
