import { printCards, printWhen } from './cards.ts'
import { orders, titleOf, type Facet, type Found, type Sale } from './catalogue.ts'
import { describeSale, type Head } from './head.ts'
import { html, type Html } from './html.ts'
import { printPage } from './page.ts'
import { describePicture } from './pictures.ts'
import type { Site } from './site.ts'

type Asked = { path: string; values: URLSearchParams }
const longestFacet = 12

/** The address of the same search with other values, from its beginning; a value that is undefined is left out. */
function change({ path, values }: Asked, changes: Record<string, string | undefined>): string {
  const names = [...(path === '/search' ? ['q', 'session'] : []), 'maker', 'category', 'sort']
  const kept = Object.fromEntries(names.map((name) => [name, values.get(name)]))
  const pairs = Object.entries({ ...kept, ...changes }).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`
}

/** The address of the page that follows, or undefined. */
export const findNext = (asked: Asked, { nextCursor }: Found) =>
  nextCursor === null ? undefined : change(asked, { after: nextCursor })

/** What was found by one of its properties. Each value leads to its lots. */
function printFacet(facet: Facet, asked: Asked, found: Found, { say, lang, printNumber }: Site): Html | undefined {
  const values = found.facets[facet]
    .filter(({ value, name }) => name !== null && value !== asked.values.get(facet))
    .slice(0, longestFacet)
  if (values.length === 0) return undefined
  const entries = values.map(
    ({ value, name, count }) =>
      html`<li>
        <a rel="nofollow" href="${change(asked, { [facet]: value })}" ${lang}>${name}</a> ${printNumber(count)}
      </li>`,
  )
  return html`<section>
    <h2>${say(facet)}</h2>
    <ul>
      ${entries}
    </ul>
  </section>`
}

function printOrders(asked: Asked, { say }: Site): Html {
  const chosen = asked.values.get('sort') || undefined
  const first = asked.values.get('q') ? 'relevance' : 'lot_number'
  const others = orders.filter((order) => order !== first)
  const entries = [undefined, ...others].map((order) => {
    const current = order === chosen && html` aria-current="true"`
    return html`<li>
      <a rel="nofollow" href="${change(asked, { sort: order })}" ${current}>${say(order ?? first)}</a>
    </li>`
  })
  return html`<section>
    <h2>${say('order')}</h2>
    <ul>
      ${entries}
    </ul>
  </section>`
}

/** What was looked for and how many lots were found. Each part that was chosen leads to the search without it. */
function printUnderstood(asked: Asked, found: Found, { say, lang, printNumber }: Site): Html {
  const { total, totalCapped, corrected, relaxed, complete } = found
  const count = total === 1 ? say('oneLot') : say(totalCapped ? 'manyLots' : 'lots', printNumber(total))
  const said = Object.entries(corrected).map(([word, taken]) => `${say('instead', word)} ${taken.join(', ')}`)
  if (total === 0) said.push(say('nothing'))
  if (relaxed) said.push(say('relaxed'))
  if (!complete) said.push(say('indexing'))
  const chosen = found.chosen
    .filter(({ facet }) => asked.path === '/search' || facet !== 'session')
    .map(({ facet, name }) => html`<a href="${change(asked, { [facet]: undefined })}" ${lang}>${name} ×</a>`)
  return html`<div class="understood">
    <p>${count}</p>
    ${chosen.length > 0 && html`<p class="chosen">${chosen}</p>`} ${said.map((each) => html`<p>${each}</p>`)}
  </div>`
}

function printFound(asked: Asked, found: Found, site: Site): Html {
  const facets = (['session', 'maker', 'category'] as const)
    .filter((facet) => facet !== 'session' || asked.path === '/search')
    .map((facet) => printFacet(facet, asked, found, site))
  const [first, next] = [asked.values.has('after') ? change(asked, {}) : undefined, findNext(asked, found)]
  return html`${printUnderstood(asked, found, site)}
  ${
    found.total > 1 &&
    html`<details class="narrow">
      <summary>${site.say('narrow')}</summary>
      <div>${[printOrders(asked, site), ...facets]}</div>
    </details>`
  }
  ${found.total > 0 && printCards(found.data, 'h2', true, site)}
  ${
    (first ?? next) !== undefined &&
    html`<nav class="more" aria-label="${site.say('more')}">
      ${first && html`<a href="${first}">${site.say('beginning')}</a>`}
      ${next && html`<a rel="next" href="${next}">${site.say('more')}</a>`}
    </nav>`
  }`
}

/** A page of the lots of one sale. */
export function printSale(sale: Sale, asked: Asked, found: Found, site: Site): string {
  const title = titleOf(sale)
  const { description } = sale.auction
  const head: Head = {
    path: asked.path,
    description: description ?? `${title}: ${site.say('salesOf', site.name)}`,
    image: describePicture(found.data[0]),
  }
  const body = html`<p class="above"${site.lang}>${sale.auction.title}</p>
<h1${site.lang}>${title}</h1>
${printWhen(sale, site)}
${description !== null && html`<p class="text" ${site.lang}>${description}</p>`}
${printFound(asked, found, site)}`
  return printPage(site, title, { ...head, data: describeSale(sale, head, site) }, body)
}

/** A page of what was found in all sales. */
export function printSearch(asked: Asked, found: Found, site: Site): string {
  const question = asked.values.get('q') ?? ''
  const title = question === '' ? site.say('all') : site.say('asked', question)
  // A search engine knows all searches as one page, and none that found something else than what was asked for.
  const isHidden = found.total === 0 || found.relaxed
  const head = {
    path: '/search',
    description: `${site.say('all')}: ${site.name}`,
    image: describePicture(found.data[0]),
    isHidden,
  }
  return printPage(
    site,
    title,
    head,
    html`<h1>${title}</h1>
      ${printFound(asked, found, site)}`,
    question,
  )
}
