import {
  CatalogueError,
  etag,
  type Category,
  type CategoryId,
  type Consignment,
  type ConsignmentId,
  type DeliveryClass,
  type DeliveryClassId,
  type Maker,
  type MakerId,
  type Seller,
  type SellerId,
} from '@auction-catalogue/client'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { catalogue, store, useMay, type Permission } from '../api/index.ts'

export type Kind = 'consignment' | 'seller' | 'category' | 'maker' | 'delivery_class'

/** A record that can be chosen by its name. One that has ended is not offered, and shown where it is chosen already. */
export type Choice<Id extends string = string> = {
  id: Id
  name: string
  note?: string | undefined
  hasEnded?: boolean
}
/** A record that belongs to items. Only a consignment has a seller. */
export type Related<Id extends string = string> = Choice<Id> & { seller?: SellerId | null }

/** What can be chosen. `isPart`: there is more, which cannot be read. `retry` reads the list again, which failed. */
export type Choices<C extends Choice = Choice> = { choices: readonly C[]; isPart: boolean; retry?: () => void }

/** Older records than so many are found by their whole name. */
const mostListed = 20_000

const ofConsignment = ({ id, number, seller, locked }: Consignment): Related => ({
  id,
  name: number,
  seller,
  hasEnded: locked,
})
const ofSeller = ({ id, name, seller_number: number }: Seller): Related =>
  name === null ? { id, name: String(number) } : { id, name, note: String(number) }
const ofCategory = ({ id, name, slug }: Category): Related => ({ id, name: name ?? slug })
const ofMaker = ({ id, name, active }: Maker): Related => ({ id, name, hasEnded: !active })
const ofClass = ({ id, name }: DeliveryClass): Related => ({ id, name })

// A list breaks off at a record that cannot be shown. Those before it can be chosen.
async function listAll<T>(list: AsyncIterable<T>, print: (record: T) => Related): Promise<Choices<Related>> {
  const choices: Related[] = []
  try {
    for await (const record of list) if (choices.push(print(record)) >= mostListed) return { choices, isPart: true }
  } catch (error) {
    if (!(error instanceof CatalogueError && error.code === 'integrity-unavailable')) throw error
    return { choices, isPart: true }
  }
  return { choices, isPart: false }
}

type Source = {
  permission: Permission
  /** Of consignments, those of a seller. */
  list: (signal: AbortSignal, seller?: SellerId) => Promise<Choices<Related>>
  get: (id: string) => Promise<Related>
  make: (name: string, locale: string) => Promise<Related>
  /** The record with this name, if that is unique. */
  find?: (name: string) => Promise<Related | undefined>
}
const first = async <T>(page: Promise<{ data: T[] }>, print: (record: T) => Related): Promise<Related | undefined> =>
  (await page).data.map(print)[0]
const page = { limit: 100 }

const sources: Record<Kind, Source> = {
  consignment: {
    permission: 'seller_profiles.read',
    list: (signal, seller) => listAll(catalogue().consignments.list({ ...page, seller }, { signal }), ofConsignment),
    get: async (id) => ofConsignment(await catalogue().consignments.get(id as ConsignmentId)),
    make: async (number) => ofConsignment(await catalogue().staff.consignments.create({ number })),
    find: (number) => first(catalogue().consignments.list({ number }).page(), ofConsignment),
  },
  seller: {
    permission: 'seller_profiles.read',
    list: (signal) => listAll(catalogue().sellers.list(page, { signal }), ofSeller),
    get: async (id) => ofSeller(await catalogue().sellers.get(id as SellerId)),
    make: async (profile_name) => ofSeller(await catalogue().staff.sellers.create({ profile_name })),
  },
  category: {
    permission: 'categories.read',
    list: (signal) => listAll(catalogue().categories.list(page, { signal }), ofCategory),
    get: async (id) => ofCategory(await catalogue().categories.get(id as CategoryId)),
    make: async (name, locale) => ofCategory(await catalogue().staff.categories.create({ names: { [locale]: name } })),
  },
  maker: {
    permission: 'lots.read',
    list: (signal) => listAll(catalogue().makers.list(page, { signal }), ofMaker),
    get: async (id) => ofMaker(await catalogue().makers.get(id as MakerId)),
    make: async (name) => ofMaker(await catalogue().staff.makers.create({ name })),
    find: (name) => first(catalogue().makers.list({ name }).page(), ofMaker),
  },
  delivery_class: {
    permission: 'lots.read',
    list: (signal) => listAll(catalogue().deliveryClasses.list(page, { signal }), ofClass),
    get: async (id) => ofClass(await catalogue().deliveryClasses.get(id as DeliveryClassId)),
    make: async (name) => ofClass(await catalogue().staff.deliveryClasses.create({ name })),
    find: (name) => first(catalogue().deliveryClasses.list({ name }).page(), ofClass),
  },
}

export const permissionFor = (kind: Kind): Permission => sources[kind].permission

const listOf = (kind: Kind) => ['choices', kind]

/**
 * The records of a kind that can be chosen, the latest first; of consignments, those of a seller. Undefined until they are
 * read, and if the key may not.
 */
export const useChoices = <Id extends string = string>(
  kind: Kind,
  { isWanted = true, seller }: { isWanted?: boolean; seller?: SellerId | undefined } = {},
): Choices<Related<Id>> | undefined =>
  orRetry(
    useQuery({
      queryKey: [...listOf(kind), seller],
      queryFn: ({ signal }) => sources[kind].list(signal, seller) as Promise<Choices<Related<Id>>>,
      enabled: useMay(permissionFor(kind)) && isWanted,
      staleTime: 300_000,
    }),
  )

/** The list that was read; one without choices, with `retry`, if it could not be. */
export function orRetry<C extends Choice>(query: {
  data: Choices<C> | undefined
  isError: boolean
  isFetching: boolean
  refetch: () => unknown
}): Choices<C> | undefined {
  const { data, isError, isFetching, refetch } = query
  return data ?? (isError && !isFetching ? { choices: [], isPart: false, retry: () => void refetch() } : undefined)
}

/** The same, of consignments with the names of their sellers, by which they are found too. */
export function useOffered(kind: Kind): Choices<Related> | undefined {
  const offered = useChoices(kind)
  const sellers = useChoices('seller')
  return useMemo(() => {
    if (kind !== 'consignment' || !offered) return offered
    const names = new Map<string | null | undefined, string>(sellers?.choices.map(({ id, name }) => [id, name]))
    const choices = offered.choices.map((choice) => ({ ...choice, note: names.get(choice.seller) }))
    return { ...offered, choices }
  }, [kind, offered, sellers])
}

/** The sellers of the house, each with the number before the name. */
export function useNumberedSellers(isWanted = true): Choices<Related<SellerId>> | undefined {
  const sellers = useChoices<SellerId>('seller', { isWanted })
  return useMemo(() => {
    const numbered = sellers?.choices.map(({ id, name, note }) => ({ id, name: note ? `${note} · ${name}` : name }))
    return sellers && numbered && { ...sellers, choices: numbered }
  }, [sellers])
}

/** Reads one record of a kind. */
export const readChoice = (kind: Kind, id: string): Promise<Related> => sources[kind].get(id)

/** The records with these ids, those that are known so far. An archived one is not. */
export function useChosen(kind: Kind, ids: readonly string[]): Related[] {
  const choices = useChoices(kind)?.choices ?? []
  const others = ids.filter((id) => !choices.some((choice) => choice.id === id))
  const mayRead = useMay(permissionFor(kind))
  const read = useQueries({
    queries: others.map((id) => ({
      queryKey: ['choice', id],
      queryFn: () => readChoice(kind, id),
      enabled: mayRead,
      staleTime: 300_000,
    })),
  }).flatMap(({ data }) => data ?? [])
  return ids.flatMap((id) => [...choices, ...read].find((choice) => choice.id === id) ?? [])
}

/** Takes a record into the choices. */
function offer(kind: Kind, choice: Related): Related {
  const isOther = ({ id }: Related) => id !== choice.id
  store.setQueryData<Choices<Related>>(
    [...listOf(kind), undefined],
    (known) => known && { ...known, choices: [choice, ...known.choices.filter(isOther)] },
  )
  // The consignments of one seller are lists of their own.
  void store.invalidateQueries({ queryKey: listOf(kind), predicate: ({ queryKey }) => queryKey[2] !== undefined })
  return choice
}

/** Makes a record with this name, or takes the one that has it. Throws `ended` if no item can have that any more. */
export async function makeChoice(kind: Kind, name: string, locale: string, ended: string): Promise<Related> {
  const { make, find } = sources[kind]
  try {
    return offer(kind, await make(name, locale))
  } catch (error) {
    if (!(error instanceof CatalogueError && error.code === 'duplicate-reference')) throw error
    const known = await find?.(name)
    if (!known) throw error
    if (known.hasEnded && kind === 'consignment') throw ended
    return offer(kind, known)
  }
}

/** Says who handed in a consignment. */
export async function setSeller(id: ConsignmentId, seller: SellerId): Promise<void> {
  const stored = await catalogue().consignments.get(id)
  const { consignments } = catalogue().staff
  offer('consignment', ofConsignment(await consignments.update(id, { seller }, { ifMatch: stored[etag]! })))
}
