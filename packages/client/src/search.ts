import { ChangeableRecords, CreatableRecords, pathOf, type Options } from './groups.ts'
import { Listing, type Page, type Position, type RawPage } from './listing.ts'
import type { Item, Lot, RecordOf } from './records.ts'
import { isPage } from './shapes.ts'
import type { Sender } from './transport.ts'
import type * as wire from './generated/wire.ts'

type Filters = { lot: wire.LotSearchFilters; item: wire.ItemSearchFilters }
type Names = { lot: 'lots'; item: 'items' }

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

function listFound<K extends keyof Filters, E extends string, F extends FacetOf<K>>(
  sender: Sender,
  kind: Names[K],
  { category, maker, facets, expand, limit, cursor, ...filters }: SearchQuery<K, E, F>,
  options: Options,
): Listing<RecordOf<E>[K], string | null, Findings<F>> {
  const lists = { 'category[]': category, 'maker[]': maker, 'facets[]': facets, 'expand[]': expand }
  const read = async (position: Position) => {
    const query = { ...filters, ...lists, ...position }
    const path = pathOf(kind, 'search')
    const { body } = await sender.send({ method: 'GET', path, query, ...options, accepts: isFound })
    const {
      total,
      total_capped,
      corrected,
      relaxed,
      complete,
      facets: counted,
      ...page
    } = body as RawFindings & RawPage<RecordOf<E>[K]>
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
    return listFound<'lot', E, F>(this.transport, 'lots', query, options)
  }
}

/** The items. */
export class Items extends CreatableRecords<'item'> {
  /** Searches the items, as `lots.search` does the lots. */
  search<const E extends wire.ItemSearchExpansion = never, const F extends FacetOf<'item'> = never>(
    query: SearchQuery<'item', E, F>,
    options: Options = {},
  ): Listing<Item<E>, string | null, Findings<F>> {
    return listFound<'item', E, F>(this.transport, 'items', query, options)
  }
}
