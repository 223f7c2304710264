import type { Consignment } from '@auction-catalogue/client'
import { catalogue } from '../../api/index.ts'

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
