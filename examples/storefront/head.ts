import type { House, Lot } from '@auction-catalogue/client'

export type Shown = { id: string; title: string; opensAt: string | null }
export type ShownLot = Lot<'item.images' | 'session'>

/** The site: its public address without a slash at the end, the name of the house, and the zone of its times. */
export type Site = { origin: string; name: string; zone: House['time_zone'] }

/** What search engines and other sites read of a page: its path, a sentence, a picture, and schema.org data. */
export type Head = {
  path: string
  description: string
  image?: string | undefined
  data?: object[]
  isHidden?: boolean
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign]!)

export const amountOf = ({ result, current_bid, starting_bid }: ShownLot) =>
  result?.amount ?? current_bid ?? starting_bid

/** The address of a lot within the page of its sale. */
export const anchorOf = ({ id }: ShownLot) => `lot-${id}`

function decimals(amount: number, currency: string): string {
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits!
  return (amount / 10 ** digits).toFixed(digits)
}

/** A sale as an `Event` of schema.org. An event needs a time. */
export function describeSale({ title, opensAt }: Shown, url: string, { name, origin }: Site): object[] {
  if (opensAt === null) return []
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: title,
      url,
      startDate: opensAt,
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
      location: { '@type': 'VirtualLocation', url },
      organizer: { '@type': 'Organization', name, url: origin },
    },
  ]
}

/** A lot as a `Product` of schema.org, with an `Offer` if it has a price. */
export function describeLot(lot: ShownLot, page: string): object {
  const { item, title, result } = lot
  const amount = amountOf(lot)
  const url = `${page}#${anchorOf(lot)}`
  const images = item.images.flatMap((image) => image.sources.at(-1)?.url ?? image.url ?? [])
  const state = result ? (result.state === 'sold' ? 'SoldOut' : 'Discontinued') : 'InStock'
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: title,
    url,
    ...(item.description && { description: item.description }),
    ...(item.external_reference && { sku: item.external_reference }),
    ...(images.length > 0 && { image: images }),
    ...(amount && {
      offers: {
        '@type': 'Offer',
        url,
        price: decimals(amount.amount, amount.currency),
        priceCurrency: amount.currency,
        availability: `https://schema.org/${state}`,
      },
    }),
  }
}

/** The elements of a page's head. */
export function printHead(title: string, { path, description, image, data = [], isHidden }: Head, site: Site): string {
  const url = escape(site.origin + path)
  const card = { title, description, url: site.origin + path, type: 'website', site_name: site.name, image }
  const tags = Object.entries(card).map(([name, text]) =>
    text ? `<meta property="og:${name}" content="${escape(text)}">` : '',
  )
  // A text may have the end of an element in it.
  const scripts = data.map(
    (each) => `<script type="application/ld+json">${JSON.stringify(each).replaceAll('<', '\\u003c')}</script>`,
  )
  return [
    `<title>${escape(title)}</title>`,
    `<meta name="description" content="${escape(description)}">`,
    isHidden ? '<meta name="robots" content="noindex">' : `<link rel="canonical" href="${url}">`,
    ...tags,
    ...scripts,
  ]
    .filter(Boolean)
    .join('\n')
}

/** The pages for search engines. */
export function printSitemap(sales: Shown[], { origin }: Site): string {
  const pages = ['/', ...sales.map(({ id }) => `/sales/${id}`)]
  const entries = pages.map((page) => `<url><loc>${escape(origin + page)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`
}

/** What search engines may read. */
export const printRobots = ({ origin }: Site) => `User-agent: *\nDisallow: /search\nSitemap: ${origin}/sitemap.xml\n`
