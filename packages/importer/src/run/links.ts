import type { Catalogue, Listing } from '@auction-catalogue/client'
import type { ItemLinks } from './bodies.ts'
import type { LinkedType, Place, Records } from '../records.ts'
import { refuse } from '../rejections.ts'
import type { Targets } from './targets.ts'

/**
 * A record that was not found: its name, the reason, and the places that point to it. `isAmbiguous`: several stored records
 * have this name.
 */
export type Missing = {
  type: LinkedType
  name: string
  why: string
  places: Place[]
  record: Records[LinkedType]
  isAmbiguous: boolean
}

/** Records by their names or numbers. */
type Index = Map<string, { id: string; name: string | null }[]>

/** Finds sellers, categories, makers, delivery classes, strategies and consignments by names, numbers and slugs. */
export class Links {
  readonly #catalogue: Catalogue
  readonly #indexes = new Map<LinkedType, Promise<Index>>()
  readonly #missing = new Map<string, Missing>()
  /** The source's records of these types by their refs. */
  readonly refs = new Map<string, Records[LinkedType]>()

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  /** The records that were not found. */
  get missing(): Missing[] {
    return Array.from(this.#missing.values(), ({ places, ...missing }) => {
      // One row of a sheet has both the record and the pointers to it.
      const byLine = new Map(places.map((place) => [place.line, place]))
      return { ...missing, places: [...byLine.values()].toSorted((a, b) => a.line - b.line) }
    })
  }

  #indexOf(type: LinkedType): Promise<Index> {
    const { sellers, categories, makers, deliveryClasses, incrementStrategies, consignments } = this.#catalogue
    const read = async <T extends { id: string }>(
      list: Listing<T>,
      keysOf: (record: T) => (string | number | null)[],
      nameOf: (record: T) => string | null = () => null,
    ): Promise<Index> => {
      const index: Index = new Map()
      for await (const record of list)
        for (const key of new Set(
          keysOf(record)
            .filter((key) => key !== null)
            .map(String),
        ))
          index.set(key, [...(index.get(key) ?? []), { id: record.id, name: nameOf(record) }])
      return index
    }
    const reads: Record<LinkedType, () => Promise<Index>> = {
      seller: () =>
        read(
          sellers.list(),
          ({ seller_number, name }) => [`#${seller_number}`, name],
          ({ name }) => name,
        ),
      category: () =>
        read(
          categories.list(),
          ({ slug, name }) => [`#${slug}`, name],
          ({ name }) => name,
        ),
      maker: () => read(makers.list(), ({ name }) => [name]),
      delivery_class: () => read(deliveryClasses.list(), ({ name }) => [name]),
      increment_strategy: () => read(incrementStrategies.list(), ({ name }) => [name]),
      consignment: () => read(consignments.list(), ({ number }) => [number]),
    }
    const index = this.#indexes.get(type) ?? reads[type]()
    this.#indexes.set(type, index)
    return index
  }

  /**
   * The id of the stored record that this one describes. If there is none, or several, it is undefined and the record is
   * missing.
   */
  async find(record: Records[LinkedType], place: Place): Promise<string | undefined> {
    if (record.ref !== undefined) this.refs.set(record.ref, record)
    const index = await this.#indexOf(record.type)
    const { first, names } = keysOf(record)
    const byName = () => names.map((name) => index.get(name) ?? []).find(({ length }) => length > 0) ?? []
    const byFirst = first === undefined ? undefined : index.get(first)
    // An unknown seller number is a mistake. A seller with the same name may be another one.
    const found = byFirst ?? (first !== undefined && record.type === 'seller' ? [] : byName())
    const narrowed = found.length > 1 ? found.filter(({ name }) => name !== null && names.includes(name)) : found
    if (narrowed.length === 1) return narrowed[0]!.id
    const name = describe(record)
    const why =
      found.length > 1 ? `${found.length} have this name: point to the one that is meant by its id` : 'there is none'
    const key = `${record.type} ${name}`
    const isAmbiguous = found.length > 1
    if (!this.#missing.has(key))
      this.#missing.set(key, { type: record.type, name, why, places: [place], record, isAmbiguous })
    return undefined
  }

  /**
   * The id to which a pointer leads; undefined if the record was not found.
   * @throws Refused
   */
  async follow(targets: Targets, field: string, pointer: string, place: Place): Promise<string | undefined> {
    const target = await targets.find(field, pointer)
    if (target.state === 'there') return target.id
    if (target.state !== 'linked') throw refuse(field, 'unavailable', `${pointer} is a record of another type`)
    const { record, id } = target
    if (id === undefined) this.#missing.get(`${record.type} ${describe(record)}`)?.places.push(place)
    return id
  }

  /**
   * The links of an item. Makers and categories that were not found are left out.
   * @throws Refused
   */
  async followAll(targets: Targets, place: Place, record: Records['item']): Promise<ItemLinks> {
    const one = async (field: 'seller' | 'delivery_class' | 'consignment') => {
      const pointer = record[field]
      return typeof pointer === 'string' ? this.follow(targets, field, pointer, place) : pointer
    }
    const several = async (field: 'categories' | 'makers') => {
      if (!record[field]) return undefined
      const ids = new Set<string>()
      for (const pointer of record[field]) {
        const id = await this.follow(targets, field, pointer, place)
        if (id !== undefined) ids.add(id)
      }
      return [...ids]
    }
    const links = {
      seller: await one('seller'),
      delivery_class: await one('delivery_class'),
      consignment: await one('consignment'),
      categories: await several('categories'),
      makers: await several('makers'),
    }
    return links as ItemLinks
  }
}

const isText = (text: string | null | undefined): text is string => typeof text === 'string' && text !== ''

function keysOf(record: Records[LinkedType]): { first?: string; names: string[] } {
  switch (record.type) {
    case 'seller': {
      const number = record.seller_number ?? undefined
      const names = [record.profile_name, record.account_name].filter(isText)
      return number === undefined ? { names } : { first: `#${number}`, names }
    }
    case 'category':
      return {
        ...(isText(record.slug) && { first: `#${record.slug}` }),
        names: Object.values(record.names ?? {}).filter(isText),
      }
    case 'consignment':
      return { names: [record.number].filter(isText) }
    default:
      return { names: [record.name].filter(isText) }
  }
}

/** The name of such a record in messages. */
function describe(record: Records[LinkedType]): string {
  switch (record.type) {
    case 'seller':
      return [record.seller_number, record.profile_name ?? record.account_name].filter((part) => part != null).join(' ')
    case 'category':
      return record.slug ?? Object.values(record.names ?? {})[0] ?? ''
    case 'consignment':
      return record.number ?? ''
    default:
      return record.name ?? ''
  }
}
