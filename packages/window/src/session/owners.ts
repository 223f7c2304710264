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
    readNumbers(sellerIds, sellers, ({ seller_number }) => seller_number, signal),
    readNumbers(consignmentIds, consignments, ({ number }) => number, signal),
  ])
  return new Map([...ofSellers, ...ofConsignments])
}

async function readNumbers<Id extends string, Owner extends { id: Id }>(
  ids: ReadonlySet<Id>,
  records: Records<Id, Owner>,
  numberOf: (owner: Owner) => string | number | null,
  signal: AbortSignal,
): Promise<Map<string, string | number>> {
  const numbers = new Map<string, string | number>()
  const note = (owner: Owner) => numbers.set(owner.id, numberOf(owner) ?? owner.id)
  if (ids.size > mostSingly)
    try {
      for await (const owner of records.list({}, { signal })) {
        if (ids.has(owner.id)) note(owner)
        if (numbers.size === ids.size) return numbers
      }
    } catch (error) {
      refuseOthers(error)
    }
  for (const id of ids) {
    if (numbers.has(id)) continue
    try {
      note(await records.get(id, { signal }))
    } catch (error) {
      refuseOthers(error)
      numbers.set(id, id)
    }
  }
  return numbers
}

// Archived records are not found. A seller without a number is not shown, and its list breaks off there.
function refuseOthers(error: unknown): void {
  if (error instanceof CatalogueError && (error.status === 404 || error.code === 'integrity-unavailable')) return
  throw error
}
