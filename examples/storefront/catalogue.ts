import {
  Catalogue,
  isRunning,
  type CategoryId,
  type Lot,
  type LotId,
  type MakerId,
  type SearchPage,
  type Session,
  type SessionId,
} from '@auction-catalogue/client'

export type Sale = Session<'auction'>
export type ShownLot = Lot<'item.images' | 'session'>
export type Facet = 'session' | 'maker' | 'category'
/** A page of lots, with the names of the sale, the maker and the category that were chosen. */
export type Found = SearchPage<ShownLot, Facet> & { chosen: { facet: Facet; name: string }[] }

/** The orders that a visitor can choose. */
export const orders = ['lot_number', 'closes_at', '-estimate', '-current_bid'] as const
const expand = ['item.images', 'session'] as const
const lotsOnPage = 24
const keptMilliseconds = 60_000
/** A page does not wait longer for the service, whatever the service asks for. */
export const longestMilliseconds = 10_000

/** The title of a sale. A session may lack its own. */
export const titleOf = ({ title, auction }: Sale) => title ?? auction.title

/** Whether a sale runs, is still to come, or is over. */
export function stateOf(sale: Sale): 'running' | 'coming' | 'over' {
  const { finished, opens_at } = sale
  if (isRunning(sale, new Date())) return 'running'
  return !finished && (opens_at === null || Date.parse(opens_at) > Date.now()) ? 'coming' : 'over'
}

/** Reads what the public may see of a house. Each reading ends with its signal. */
export function openCatalogue(url: string, key: string) {
  // Answers are cached and revalidated with their ETag: an unchanged page costs the service next to nothing.
  const catalogue = new Catalogue({ url, key, retries: 3, remember: 50_000_000 })
  type Listed = { id: LotId; number: number | null; title: string }
  const kept = new Map<SessionId, { lots: Promise<Listed[]>; until: number }>()

  /** A sale, or undefined if it is not published. */
  async function findSale(id: SessionId, signal: AbortSignal): Promise<Sale | undefined> {
    const sale = await catalogue.sessions.get(id, { expand: ['auction'], signal })
    return sale.published && sale.auction.published ? sale : undefined
  }

  /**
   * The published sales: those that run, first those in which customers bid; those to come, the next first; and those that are
   * over, the last first.
   */
  async function listSales(signal: AbortSignal): Promise<Sale[]> {
    const sales: Sale[] = []
    for await (const sale of catalogue.sessions.list({ published: true, expand: ['auction'] }, { signal }))
      if (sale.auction.published) sales.push(sale)
    // The service lists those that open last first.
    const among = (state: string) => sales.filter((sale) => stateOf(sale) === state)
    const running = Object.groupBy(among('running').toReversed(), (sale) =>
      sale.customer_bidding_enabled ? 'online' : 'inTheRoom',
    )
    return [...(running.online ?? []), ...(running.inTheRoom ?? []), ...among('coming').toReversed(), ...among('over')]
  }

  /** Some lots of a sale with photographs. Of a running sale they are those that close next. */
  async function listSome(sale: Sale, limit: number, signal: AbortSignal): Promise<ShownLot[]> {
    const query = { session: sale.id, published: true, active: true, images: true, expand, limit }
    const next = { ...query, open: true, sort: 'closes_at' } as const
    const { data } = await catalogue.lots.search(stateOf(sale) === 'running' ? next : query, { signal }).page()
    return data.length > 0 ? data : (await catalogue.lots.search(query, { signal }).page()).data
  }

  async function listLots(session: SessionId): Promise<Listed[]> {
    const listed: Listed[] = []
    // The signal of one visitor would end the reading of others.
    const signal = AbortSignal.timeout(longestMilliseconds)
    for await (const { id, lot_number, title } of catalogue.lots.list({ session, active: true }, { signal }))
      listed.push({ id, number: lot_number, title })
    return listed
  }

  /** The lots of a sale in its order, read again after a minute. */
  function listKept(session: SessionId): Promise<Listed[]> {
    const known = kept.get(session)
    if (known && known.until > Date.now()) return known.lots
    const lots = listLots(session)
    kept.set(session, { lots, until: Date.now() + keptMilliseconds })
    lots.catch(() => kept.delete(session))
    return lots
  }

  /** A lot with the names of its makers and categories and the lots beside it; undefined if the public may not see it. */
  async function findLot(id: LotId, signal: AbortSignal) {
    const lot = await catalogue.lots.get(id, { expand, signal })
    const { makers, categories } = lot.item
    const [sale, listed, ...named] = await Promise.all([
      findSale(lot.session.id, signal),
      listKept(lot.session.id),
      Promise.all(makers.map((maker) => catalogue.makers.get(maker, { signal }))),
      Promise.all(categories.map((category) => catalogue.categories.get(category, { signal }))),
    ])
    if (!lot.active || !sale) return undefined
    const at = listed.findIndex((each) => each.id === id)
    const soldWith = listed.find((each) => each.id === lot.result?.with)
    return {
      lot,
      sale,
      makers: named[0],
      categories: named[1],
      before: listed[at - 1],
      after: at < 0 ? undefined : listed[at + 1],
      soldWith,
    }
  }

  async function nameChosen(facet: Facet, id: string, signal: AbortSignal): Promise<string> {
    if (facet === 'maker') return (await catalogue.makers.get(id as MakerId, { signal })).name
    if (facet === 'category') return (await catalogue.categories.get(id as CategoryId, { signal })).name ?? ''
    const sale = await findSale(id as SessionId, signal)
    return sale ? titleOf(sale) : ''
  }

  /** The lots that the public sees and that a visitor looks for, with the sales, makers and categories of all of them. */
  async function search(asked: URLSearchParams, signal: AbortSignal): Promise<Found> {
    const value = (name: string) => asked.get(name) || undefined
    const [session, maker, category] = [value('session'), value('maker'), value('category')]
    const found = await catalogue.lots
      .search(
        {
          q: value('q'),
          session: session as SessionId | undefined,
          maker: maker === undefined ? undefined : [maker as MakerId],
          category: category === undefined ? undefined : [category as CategoryId],
          sort: orders.find((order) => order === value('sort')),
          published: true,
          active: true,
          facets: ['session', 'maker', 'category'],
          expand,
          limit: lotsOnPage,
          cursor: value('after'),
        },
        { signal },
      )
      .page()
    const chosen = Object.entries({ session, maker, category }) as [Facet, string | undefined][]
    const names = chosen.map(async ([facet, id]) => {
      if (id === undefined) return []
      const known = found.facets[facet].find((each) => each.value === id)?.name
      return [{ facet, name: known ?? (await nameChosen(facet, id, signal)) }]
    })
    return { ...found, chosen: (await Promise.all(names)).flat() }
  }

  return { readHouse: () => catalogue.house(), findSale, listSales, listSome, listKept, findLot, search }
}
export type LotPage = NonNullable<Awaited<ReturnType<ReturnType<typeof openCatalogue>['findLot']>>>
