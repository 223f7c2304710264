import type { Consignment } from '@auction-catalogue/client'
import { useQuery } from '@tanstack/react-query'
import { catalogue } from '../../api/index.ts'

/** The consignment with this number. */
export const findConsignment = async (number: string): Promise<Consignment | undefined> =>
  (await catalogue().consignments.list({ number }).page()).data[0]

/** The reference of the next item of a consignment: its number and the next free one. */
export async function proposeReference({ id, number }: Pick<Consignment, 'id' | 'number'>): Promise<string> {
  const { items, staff } = catalogue()
  let last = 0
  for await (const { external_reference: reference } of staff.items.list({ consignment: id, limit: 100 }))
    if (reference?.startsWith(`${number}-`)) last = Math.max(last, Number(reference.slice(number.length + 1)) || 0)
  for (let next = last + 1; ; next++) {
    const reference = `${number}-${next}`
    if ((await items.list({ external_reference: reference, limit: 1 }).page()).data.length === 0) return reference
  }
}

/** The latest consignments that take items, with the names of their sellers, as the choices of a field. */
export function ConsignmentChoices({ id }: { id: string }) {
  const { data = [] } = useQuery({
    queryKey: ['consignments'],
    queryFn: async ({ signal }) => {
      const read = { limit: 100 }
      const [consignments, sellers] = await Promise.all([
        catalogue().consignments.list(read, { signal }).page(),
        catalogue().sellers.list(read, { signal }).page(),
      ])
      const names = new Map(sellers.data.map((seller) => [seller.id, seller.name]))
      return consignments.data
        .filter(({ locked }) => !locked)
        .map(({ number, seller }) => ({ number, name: (seller && names.get(seller)) ?? '' }))
    },
  })
  return (
    <datalist id={id}>
      {data.map(({ number, name }) => (
        <option key={number} value={number} label={name && `${number} · ${name}`} />
      ))}
    </datalist>
  )
}
