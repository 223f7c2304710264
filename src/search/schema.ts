import { Type } from 'typebox'
import { booleanFilter, choiceFilter, choicesFilter, idsFilter, textFilter } from '../http/query.ts'
import { ItemListQuery, staffItemFilters } from '../items/schema.ts'
import { LotListQuery, openFilter, resultFilter, staffLotFilters } from '../lots/schema.ts'
import { collection, Nullable } from '../values/shapes.ts'
import type { Facet } from './filters.ts'
import type { SearchedKind } from './order.ts'

const both = {
  q: textFilter(
    'What to look for, 1 to 200 characters. "two words" is a phrase, -word takes away. The last word may be a beginning.',
  ),
  'category[]': idsFilter('category', 'Only records in one of these categories, or below it; at most 50.'),
  'maker[]': idsFilter('maker', 'Only records by one of these makers; at most 50.'),
  estimate_from: amount('The estimate reaches at least this amount, in minor units.'),
  estimate_to: amount('The estimate begins at most at this amount, in minor units.'),
  images: booleanFilter('Only records with a public image, or only those without.'),
}

function amount(description: string) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }))
}

const sorts = ['relevance', 'estimate', 'created_at'] as const
const sortsOfLots = [...sorts, 'lot_number', 'closes_at', 'current_bid'] as const

const sortFilter = <const Names extends readonly string[]>(names: Names) =>
  choiceFilter(
    names.flatMap((name) => [name, `-${name}`]) as readonly (Names[number] | `-${Names[number]}`)[],
    'The order; a leading - turns it round. Default: relevance with q, else the order of the list.',
  )

const facetsOfItems = ['category', 'maker'] as const satisfies Facet[]
const facetsOfLots = [...facetsOfItems, 'session', 'result', 'open'] as const satisfies Facet[]

const facetFilter = <const Names extends readonly string[]>(names: Names) =>
  choicesFilter(names, `What to count the matches by: ${names.join(', ')}.`)

const { external_reference: _, ...pageOfItems } = ItemListQuery.properties

export const LotSearchQuery = Type.Object({
  ...LotListQuery.properties,
  ...both,
  published: booleanFilter('Only lots that are published with their session and auction, or only the others.'),
  bids: booleanFilter('Only lots with a current bid, or only those without.'),
  result: resultFilter,
  open: openFilter,
  sort: sortFilter(sortsOfLots),
  'facets[]': facetFilter(facetsOfLots),
})

export const ItemSearchQuery = Type.Object({
  ...pageOfItems,
  ...both,
  sort: sortFilter(sorts),
  'facets[]': facetFilter(facetsOfItems),
})

/** The queries of staff: those of everybody, with the filters of staff's lists. */
export const staffSearchQueries = {
  lot: Type.Object({ ...LotSearchQuery.properties, ...staffLotFilters }),
  item: Type.Object({ ...ItemSearchQuery.properties, ...staffItemFilters }),
}

/** A value of a facet. */
export const FacetValue = Type.Object(
  {
    value: Type.String({ description: 'An id, or the value of the filter.' }),
    name: Nullable(
      Type.String(),
      'The name of the record in the default language; null where the value says it, and with count 0.',
    ),
    count: Type.Integer({ minimum: 0 }),
  },
  { $id: 'FacetValue' },
)

const facetsOf = (names: readonly Facet[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Array(Type.Ref('FacetValue')))])))

/** A page of a search of records of a shape, named `LotSearchPage`. */
export function searchPage(kind: SearchedKind, name: string) {
  return Type.Object(
    {
      ...collection(name).properties,
      total: Type.Integer({ minimum: 0, description: 'How many records match; at most 10000.' }),
      total_capped: Type.Optional(Type.Boolean({ description: 'True if more than 10000 match.' })),
      corrected: Type.Optional(
        Type.Unsafe<Record<string, string[]>>({
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
          description: 'The words of q that were corrected, and the words taken for each.',
        }),
      ),
      relaxed: Type.Optional(Type.Boolean({ description: 'True if words of q were left out.' })),
      complete: Type.Optional(Type.Boolean({ description: 'False while many changed records wait for the index.' })),
      facets: Type.Optional(facetsOf(kind === 'lot' ? facetsOfLots : facetsOfItems)),
    },
    { $id: `${name}SearchPage` },
  )
}
