import { CatalogueError } from '@auction-catalogue/client'
import { catalogue, itemOf, type Lot } from '../api/index.ts'

/** The numbers of sellers and consignments by their ids. */
export type Owners = ReadonlyMap<string, string | number>

type Records<Id extends string, Owner> = {
  list(query: object, options: { signal: AbortSignal }): AsyncIterable<Owner>
  get(id: Id, options: { signal: AbortSignal }): Promise<Owner>
}

// A list finds more than these faster, a hundred at a time.
const mostSingly = 25

/**
 * The numbers of the sellers and consignments of lots. One that has no number, or is archived, is named by its id.
 * @throws CatalogueError
 */
export async function readOwners(lots: readonly Lot[], signal: AbortSignal): Promise<Owners> {
  const items = lots.flatMap((lot) => itemOf(lot) ?? [])
  const { sellers, consignments } = catalogue()
  const sellerIds = new Set(items.flatMap(({ seller }) => seller ?? []))
  const consignmentIds = new Set(items.flatMap(({ consignment }) => consignment ?? []))
  const [ofSellers, ofConsignments] = await Promise.all([
    readRecords(sellerIds, sellers, signal),
    readRecords(consignmentIds, consignments, signal),
  ])
  return new Map<string, string | number>([
    ...[...sellerIds].map((id) => [id, ofSellers.get(id)?.seller_number ?? id] as const),
    ...[...consignmentIds].map((id) => [id, ofConsignments.get(id)?.number ?? id] as const),
  ])
}

/**
 * The records with these ids, without those that are archived or cannot be shown.
 * @throws CatalogueError
 */
export async function readRecords<Id extends string, Owner extends { id: Id }>(
  ids: ReadonlySet<Id>,
  records: Records<Id, Owner>,
  signal: AbortSignal,
): Promise<Map<Id, Owner>> {
  const found = new Map<Id, Owner>()
  if (ids.size > mostSingly)
    try {
      for await (const owner of records.list({}, { signal })) {
        if (ids.has(owner.id)) found.set(owner.id, owner)
        if (found.size === ids.size) return found
      }
    } catch (error) {
      refuseOthers(error)
    }
  for (const id of ids) {
    if (found.has(id)) continue
    try {
      found.set(id, await records.get(id, { signal }))
    } catch (error) {
      refuseOthers(error)
    }
  }
  return found
}

// Archived records are not found. A seller without a number is not shown, and its list breaks off there.
function refuseOthers(error: unknown): void {
  if (error instanceof CatalogueError && (error.status === 404 || error.code === 'integrity-unavailable')) return
  throw error
}
