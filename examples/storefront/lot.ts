import type { GalleryImage } from '@auction-catalogue/client'
import { listFacts, printSaleLink, type Fact } from './cards.ts'
import { type LotPage } from './catalogue.ts'
import { describeLot } from './head.ts'
import { html, type Html } from './html.ts'
import { magnifierPath, printPage } from './page.ts'
import { describePicture, listPictures, printPicture } from './pictures.ts'
import type { Site } from './site.ts'

/** Pictures that lead to their widest sources, which the script of the page opens to be looked at closely. */
function printGallery(images: GalleryImage[], title: string, site: Site): Html {
  const photographs = images.map((image, at) => {
    // Of two columns, the first photograph takes both, and so does one that would be alone in its row.
    const isAlone = at === 0 || (at % 2 === 1 && at === images.length - 1)
    const place = images.length === 1 ? 'only' : isAlone ? 'wide' : 'half'
    const alt = image.alt ?? `${title}, ${site.say('photograph', at + 1)}`
    const widest = image.sources.at(-1)?.url ?? image.url
    const picture = printPicture(image, place, alt, at === 0, site)
    return html`<a class="photograph ${place}" href="${widest}" aria-label="${site.say('magnify', alt)}">${picture}</a>`
  })
  return html`<div class="gallery">${photographs}</div>`
}

function printMagnifier({ say }: Site): Html {
  return html`<dialog class="magnifier" aria-label="${say('magnifier')}">
      <div class="magnified">
        <div class="near"><img alt="" /></div>
        <div class="tools">
          <button type="button" data-key="-" aria-label="${say('smaller')}">−</button>
          <button type="button" data-key="+" aria-label="${say('larger')}">+</button>
          <button type="button" data-key="0">${say('whole')}</button>
          <button type="button" data-key="f">${say('fullScreen')}</button>
          <button type="button" data-key="Escape">${say('close')}</button>
        </div>
      </div>
    </dialog>
    <script src="${magnifierPath}" type="module"></script>`
}

const printFacts = (facts: Fact[], lang?: Html) =>
  facts.length > 0 &&
  html`<dl>
    ${facts.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          ${value && html`<dd${lang}>${value}</dd>`}
        </div>`,
    )}
  </dl>`

function printLinks(facet: 'maker' | 'category', records: { id: string; name: string | null }[], site: Site) {
  const links = records.map(
    ({ id, name }) => name !== null && html`<a href="/search?${facet}=${id}" ${site.lang}>${name}</a>`,
  )
  return (
    records.length > 0 &&
    html`<div>
      <dt>${site.say(facet)}</dt>
      <dd>${links}</dd>
    </div>`
  )
}

function printNeighbours({ before, after }: LotPage, site: Site): Html {
  const link = (rel: 'prev' | 'next', lot: LotPage['before']) =>
    lot &&
    html`<a rel="${rel}" href="/lots/${lot.id}"><b>${lot.number === null ? '' : site.say('lot', lot.number)}</b> <span${site.lang}>${lot.title}</span></a>`
  return html`<nav class="neighbours" aria-label="${site.say('neighbours')}">
    ${[link('prev', before), link('next', after)]}
  </nav>`
}

/** The page of one lot, with all its photographs. */
export function printLot(page: LotPage, site: Site): string {
  const { lot, sale, soldWith } = page
  const { id, lot_number, title, item, notice } = lot
  const { say, lang } = site
  const path = `/lots/${id}`
  const description = item.description ?? `${title}: ${site.name}`
  const head = { path, description, image: describePicture(lot), data: describeLot(lot, site.origin + path) }
  const facts = listFacts(lot, site, 'full')
  if (soldWith)
    facts.push([
      say('soldWith'),
      html`<a href="/lots/${soldWith.id}"
        >${soldWith.number === null ? soldWith.title : say('lot', soldWith.number)}</a
      >`,
    ])
  const premium = Number(lot.session.settings.buyer_premium_percentage)
  if (premium > 0) facts.push([say('premium'), site.printPercentage(premium)])
  const texts = (['condition', 'dimensions', 'weight'] as const).flatMap((name): Fact[] =>
    item[name] ? [[say(name), item[name]]] : [],
  )
  const body = html`<div class="page-of-lot">
<p class="above">${printSaleLink(sale, site)}</p>
${printGallery(listPictures(lot), title, site)}
<div class="details">
${lot_number !== null && html`<p class="number">${say('lot', lot_number)}</p>`}
<h1${lang}>${title}</h1>
${notice !== null && html`<p class="notice" ${lang}>${notice}</p>`}
${printFacts(facts)}
${item.description !== null && html`<p class="text" ${lang}>${item.description}</p>`}
${printFacts(texts, lang)}
<dl class="links">${[printLinks('maker', page.makers, site), printLinks('category', page.categories, site)]}</dl>
</div>
${printNeighbours(page, site)}
</div>
${printMagnifier(site)}`
  return printPage(site, title, head, body)
}
