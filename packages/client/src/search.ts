import { ChangeableRecords, CreatableRecords, pathOf, type Options } from './groups.ts'
import { Listing, type Page, type Position, type RawPage } from './listing.ts'
import type { Item, Lot } from './records.ts'
import { isPage } from './shapes.ts'
import type { Sender } from './transport.ts'
import type * as wire from './generated/wire.ts'

type Filters = {
  lot: wire.LotSearchFilters
  item: wire.ItemSearchFilters
  staffLot: wire.StaffLotSearchFilters
  staffItem: wire.StaffItemSearchFilters
}

/** What a kind of record can be counted by. */
export type FacetOf<K extends keyof Filters> = NonNullable<Filters[K]['facets[]']>[number]

/** What to search for: all filters are optional. `category`, `maker` and `facets` are lists. */
export type SearchQuery<K extends keyof Filters, E, F> = Omit<Filters[K], 'category[]' | 'maker[]' | 'facets[]'> &
  Position & {
    category?: readonly wire.CategoryId[] | undefined
    maker?: readonly wire.MakerId[] | undefined
    facets?: readonly F[] | undefined
    expand?: readonly E[] | undefined
  }

/** What a page of a search says besides its records. */
export type Findings<F extends string = never> = {
  /** How many records match, at most 10,000. */
  total: number
  /** True if more match. */
  totalCapped: boolean
  /** The words that were corrected, and the words taken for each. */
  corrected: Record<string, string[]>
  /** True if words were left out. */
  relaxed: boolean
  /** False while many changed records wait for the index. */
  complete: boolean
  /** The most frequent values of each facet that was asked for. */
  facets: { [Name in F]: wire.FacetValue[] }
}

/** A page of a search. */
export type SearchPage<T, F extends string = never> = Page<T, string | null, Findings<F>>

type RawFindings = {
  total: number
  total_capped?: boolean
  corrected?: Record<string, string[]>
  relaxed?: boolean
  complete?: boolean
  facets?: Record<string, wire.FacetValue[]>
}

const isFound = (body: unknown) => isPage(body) && typeof body['total'] === 'number'

/** The records at `path` that a search finds. */
export function listFound<K extends keyof Filters, T, F extends FacetOf<K>>(
  sender: Sender,
  path: string,
  { category, maker, facets, expand, limit, cursor, ...filters }: SearchQuery<K, string, F>,
  options: Options,
): Listing<T, string | null, Findings<F>> {
  const lists = { 'category[]': category, 'maker[]': maker, 'facets[]': facets, 'expand[]': expand }
  const read = async (position: Position) => {
    const query = { ...filters, ...lists, ...position }
    const { body } = await sender.send({ method: 'GET', path, query, ...options, accepts: isFound })
    const {
      total,
      total_capped,
      corrected,
      relaxed,
      complete,
      facets: counted,
      ...page
    } = body as RawFindings & RawPage<T>
    const findings = {
      total,
      totalCapped: total_capped ?? false,
      corrected: corrected ?? {},
      relaxed: relaxed ?? false,
      complete: complete ?? true,
      facets: counted ?? {},
    }
    return { ...page, findings: findings as Findings<F> }
  }
  return new Listing(read, { limit, cursor })
}

/** The lots. */
export class Lots extends ChangeableRecords<'lot'> {
  /** Searches the lots. The pages say how many match, and what was taken for `q`. */
  search<const E extends wire.LotSearchExpansion = never, const F extends FacetOf<'lot'> = never>(
    query: SearchQuery<'lot', E, F>,
    options: Options = {},
  ): Listing<Lot<E>, string | null, Findings<F>> {
    return listFound<'lot', Lot<E>, F>(this.transport, pathOf(this.name, 'search'), query, options)
  }
}

/** The items. */
export class Items extends CreatableRecords<'item'> {
  /** Searches the items, as `lots.search` does the lots. */
  search<const E extends wire.ItemSearchExpansion = never, const F extends FacetOf<'item'> = never>(
    query: SearchQuery<'item', E, F>,
    options: Options = {},
  ): Listing<Item<E>, string | null, Findings<F>> {
    return listFound<'item', Item<E>, F>(this.transport, pathOf(this.name, 'search'), query, options)
  }
}
