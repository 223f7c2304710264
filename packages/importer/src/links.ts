import type { Catalogue, Listing } from '@auction-catalogue/client'
import type { LoadRecord, Place, Records } from './records.ts'

/** The types of records that exist before an import: nobody creates them over HTTP. */
export const linkedTypes = [
  'seller',
  'category',
  'maker',
  'delivery_class',
  'increment_strategy',
  'consignment',
] as const

/** One of these types. */
export type LinkedType = (typeof linkedTypes)[number]

/** A record that was looked for in vain: what it is called, why it was not taken, and where it is named. */
export type Missing = { type: LinkedType; name: string; why: string; places: Place[] }

/** Records by the name or the number by which they are looked for. */
type Index = Map<string, { id: string; name: string | null }[]>

const isLinked = (type: string): type is LinkedType => (linkedTypes as readonly string[]).includes(type)

/** Whether a record is one that must exist already. */
export const isLinkedRecord = (record: LoadRecord): record is Records[LinkedType] => isLinked(record.type)

/** Finds sellers, categories, makers, delivery classes, strategies and consignments by names, numbers and slugs. */
export class Links {
  readonly #catalogue: Catalogue
  readonly #indexes = new Map<LinkedType, Promise<Index>>()
  readonly #missing = new Map<string, Missing>()

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  /** The records that were not found. */
  get missing(): Missing[] {
    for (const { places } of this.#missing.values()) places.sort((a, b) => a.line - b.line)
    return [...this.#missing.values()]
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

  /** The id of the record that this one describes; undefined if there is none, or several: then it is missing. */
  async find(record: Records[LinkedType], place: Place): Promise<string | undefined> {
    const index = await this.#indexOf(record.type)
    const { first, names } = keysOf(record)
    const byName = () => names.map((name) => index.get(name) ?? []).find(({ length }) => length > 0) ?? []
    const byFirst = first === undefined ? undefined : index.get(first)
    // A seller's number that nobody has is a mistake, and no reason to take somebody of the same name.
    const found = byFirst ?? (first !== undefined && record.type === 'seller' ? [] : byName())
    const narrowed = found.length > 1 ? found.filter(({ name }) => name !== null && names.includes(name)) : found
    if (narrowed.length === 1) return narrowed[0]!.id
    const name = describe(record)
    const why =
      found.length > 1 ? `${found.length} have this name: point to the one that is meant by its id` : 'there is none'
    const key = `${record.type} ${name}`
    if (!this.#missing.has(key)) this.#missing.set(key, { type: record.type, name, why, places: [place] })
    return undefined
  }

  /** Notes that one more row names a record that was not found. */
  note(record: Records[LinkedType], place: Place): void {
    this.#missing.get(`${record.type} ${describe(record)}`)?.places.push(place)
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

/** How people know such a record. */
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
