import type { House, Lot } from '@auction-catalogue/client'

export type Shown = { id: string; title: string; opensAt: string | null; closesAt: string | null }
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

function decimals(amount: number, currency: string): string {
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits!
  return (amount / 10 ** digits).toFixed(digits)
}

/** Whether a lot takes no bids any more. */
export const isOver = ({ session, closes_at, result }: ShownLot) =>
  result !== null || session.finished || (closes_at !== null && Date.parse(closes_at) <= Date.now())

function stateOf(lot: ShownLot): string {
  if (lot.result) return lot.result.state === 'sold' ? 'SoldOut' : 'Discontinued'
  return isOver(lot) ? 'OutOfStock' : 'InStock'
}

/** The picture that stands for some lots. */
export const findPicture = (lots: ShownLot[]) =>
  lots.flatMap(({ item }) => item.images.flatMap(({ url }) => url ?? []))[0]

/** A sale as an `Event` of schema.org. An event needs a time. */
export function describeSale({ title, opensAt, closesAt }: Shown, page: Head, { name, origin }: Site): object[] {
  if (opensAt === null) return []
  const url = origin + page.path
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: title,
      description: page.description,
      url,
      startDate: opensAt,
      ...(closesAt !== null && { endDate: closesAt }),
      ...(page.image && { image: page.image }),
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
  const images = item.images.flatMap((image) => image.sources.at(-1)?.url ?? image.url ?? [])
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
        price: decimals(amount.amount, amount.currency),
        priceCurrency: amount.currency,
        availability: `https://schema.org/${stateOf(lot)}`,
        ...(closes_at !== null && !isOver(lot) && { priceValidUntil: closes_at }),
      },
    },
  ]
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

const printXml = (root: string, entry: string, addresses: string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.map((address) => `<${entry}><loc>${escape(address)}</loc></${entry}>`).join('\n')}
</${root}>
`

/** The sitemaps: one of the sales, and one of the lots of each sale. */
export const printSitemaps = (sales: Shown[], { origin }: Site) =>
  printXml('sitemapindex', 'sitemap', [
    `${origin}/sitemaps/sales.xml`,
    ...sales.map(({ id }) => `${origin}/sitemaps/${id}.xml`),
  ])

/** A sitemap of pages of this site. */
export const printSitemap = (paths: string[], { origin }: Site) =>
  printXml(
    'urlset',
    'url',
    paths.map((path) => origin + path),
  )

/** What search engines may read. */
export const printRobots = ({ origin }: Site) => `User-agent: *\nDisallow: /search\nSitemap: ${origin}/sitemap.xml\n`
