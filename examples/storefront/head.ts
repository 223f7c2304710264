import { decimalsOf } from '@auction-catalogue/client'
import { titleOf, type Sale, type ShownLot } from './catalogue.ts'
import { escape, html, Html } from './html.ts'
import { amountOf, isOver } from './cards.ts'
import { listPictures } from './pictures.ts'
import type { Site } from './site.ts'

/** What search engines and other sites read of a page: its path, a text that is shortened, a picture, and schema.org data. */
export type Head = {
  path: string
  description: string
  image?: { url: string; width: number | undefined; height: number | undefined; alt: string } | undefined
  data?: object[]
  isHidden?: boolean
}

function availabilityOf(lot: ShownLot): string {
  if (lot.result) return lot.result.state === 'sold' ? 'SoldOut' : 'Discontinued'
  return isOver(lot) ? 'OutOfStock' : 'InStock'
}

/** A sale as an `Event` of schema.org. An event needs a time. */
export function describeSale(sale: Sale, { description, image }: Head, { name, origin }: Site): object[] {
  if (sale.opens_at === null) return []
  const url = `${origin}/sales/${sale.id}`
  const closesAt = sale.kind === 'live' ? sale.live.closes_at : null
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: titleOf(sale),
      description,
      url,
      startDate: sale.opens_at,
      ...(closesAt !== null && { endDate: closesAt }),
      ...(image && { image: image.url }),
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
      location: { '@type': 'VirtualLocation', url },
      organizer: { '@type': 'Organization', name, url: origin },
    },
  ]
}

/** A lot as a `Product` of schema.org. Google refuses a product without an offer, so a lot without a price is none. */
export function describeLot(lot: ShownLot, url: string): object[] {
  const { item, title, closes_at } = lot
  const amount = amountOf(lot)
  if (!amount) return []
  const images = listPictures(lot).map((image) => image.sources.at(-1)?.url ?? image.url)
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: title,
      url,
      ...(item.description && { description: item.description }),
      ...(item.external_reference && { sku: item.external_reference }),
      ...(images.length > 0 && { image: images }),
      offers: {
        '@type': 'Offer',
        url,
        price: (amount.amount / 10 ** decimalsOf(amount.currency)).toFixed(decimalsOf(amount.currency)),
        priceCurrency: amount.currency,
        availability: `https://schema.org/${availabilityOf(lot)}`,
        ...(closes_at !== null && !isOver(lot) && { priceValidUntil: closes_at }),
      },
    },
  ]
}

/** The elements of a page's head. */
export function printHead(title: string, { path, description, image, data = [], isHidden }: Head, site: Site): Html {
  const url = site.origin + path
  // By signs: a cut within one would leave half of it.
  const summary = /^.{0,160}/u.exec(description.replaceAll(/\s+/g, ' '))![0]
  const card = {
    'og:title': title,
    'og:description': summary,
    'og:url': url,
    'og:type': 'website',
    'og:site_name': site.name,
    'og:image': image?.url,
    'og:image:width': image?.width,
    'og:image:height': image?.height,
    'og:image:alt': image?.alt,
  }
  // A text may have the end of an element in it.
  const scripts = data.map((each) => new Html(JSON.stringify(each).replaceAll('<', '\\u003c')))
  return html`<title>${title === site.name ? title : `${title} – ${site.name}`}</title>
    <meta name="description" content="${summary}" />
    ${isHidden ? html`<meta name="robots" content="noindex" />` : html`<link rel="canonical" href="${url}" />`}
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    ${
      image &&
      html`<link rel="preconnect" href="${new URL(image.url).origin}" />
        <meta name="twitter:card" content="summary_large_image" />`
    }
    ${Object.entries(card).map(([name, text]) => text !== undefined && html`<meta property="${name}" content="${text}" />`)}
    ${scripts.map(
      (each) =>
        html`<script type="application/ld+json">
          ${each}
        </script>`,
    )}`
}

const printXml = (root: string, entry: string, addresses: string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.map((address) => `<${entry}><loc>${escape(address)}</loc></${entry}>`).join('\n')}
</${root}>
`

/** The sitemaps: one of the sales, and one of the lots of each sale. */
export const printSitemaps = (names: string[], { origin }: Site) =>
  printXml(
    'sitemapindex',
    'sitemap',
    names.map((name) => `${origin}/sitemaps/${name}.xml`),
  )

/** A sitemap of pages of this site. */
export const printSitemap = (paths: string[], { origin }: Site) =>
  printXml(
    'urlset',
    'url',
    paths.map((path) => origin + path),
  )

/** What search engines may read. */
export const printRobots = ({ origin }: Site) => `User-agent: *\nAllow: /\nSitemap: ${origin}/sitemap.xml\n`

/** The sign of the house in the browser's tabs: its first letter. */
export const printIcon = ({ name }: Site) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="4" fill="#1f1f1f"/><text x="16" y="23" fill="#fff" font-family="Georgia, serif" font-size="21" text-anchor="middle">${escape(/./u.exec(name)?.[0] ?? '')}</text></svg>\n`
