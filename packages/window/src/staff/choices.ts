import { CatalogueError, type ConsignmentId, type SellerId } from '@auction-catalogue/client'
import { useQuery } from '@tanstack/react-query'
import { catalogue, useMay } from '../api/index.ts'

/** A record that can be chosen by its name. One that has ended is not offered, and shown where it is chosen already. */
export type Choice<Id extends string = string> = {
  id: Id
  name: string
  note?: string | undefined
  hasEnded?: boolean
}

type Named = { id: string; name?: string | null }

// A list breaks off at a record that cannot be shown. Those before it can be chosen.
async function readAll<Record>(list: AsyncIterable<Record>): Promise<Record[]> {
  const all: Record[] = []
  try {
    for await (const record of list) all.push(record)
  } catch (error) {
    if (!(error instanceof CatalogueError && error.code === 'integrity-unavailable')) throw error
  }
  return all
}

const useChoices = <Record extends { id: string }>(
  name: string,
  isWanted: boolean,
  list: (signal: AbortSignal) => AsyncIterable<Record>,
  nameOf: (record: Record) => string,
) =>
  useQuery({
    queryKey: ['names', name],
    queryFn: async ({ signal }) => {
      const all = await readAll(list(signal))
      return all.map((record) => ({ id: record.id as Record['id'], name: nameOf(record) }))
    },
    enabled: isWanted,
    staleTime: 300_000,
  }).data

const page = { limit: 100 }
const nameOf = ({ id, name }: Named) => name ?? id

/** The sellers of the house, each with the number before the name; undefined until they are read. */
export const useSellers = (isWanted = true): Choice<SellerId>[] | undefined =>
  useChoices(
    'sellers',
    useMay('seller_profiles.read') && isWanted,
    (signal) => catalogue().sellers.list(page, { signal }),
    ({ seller_number, name }) => [seller_number, name].filter(Boolean).join(' · '),
  )

/** The consignments of a seller, or of the house. */
export const useConsignments = (seller: SellerId | undefined, isWanted: boolean): Choice<ConsignmentId>[] | undefined =>
  useChoices(
    `consignments ${seller}`,
    useMay('seller_profiles.read') && isWanted,
    (signal) => catalogue().consignments.list({ ...page, seller }, { signal }),
    ({ number }) => number,
  )

/** The makers of the house. */
export const useMakers = (isWanted: boolean) =>
  useChoices('makers', isWanted, (signal) => catalogue().makers.list(page, { signal }), nameOf)

/** The categories of the house. */
export const useCategories = (isWanted: boolean) =>
  useChoices(
    'categories',
    useMay('categories.read') && isWanted,
    (signal) => catalogue().categories.list(page, { signal }),
    nameOf,
  )

/** The delivery classes of the house. */
export const useDeliveryClasses = (isWanted: boolean) =>
  useChoices('delivery classes', isWanted, (signal) => catalogue().deliveryClasses.list(page, { signal }), nameOf)
