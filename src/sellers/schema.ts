import { Type } from 'typebox'
import { integerFilter, pageParameters } from '../http/query.ts'
import { Id, Int32, Nullable, recordTimes } from '../values/shapes.ts'

/** Section 2.6. */
export const Seller = Type.Object(
  { id: Id('seller'), seller_number: Int32, name: Nullable(Type.String()), ...recordTimes },
  { $id: 'Seller' },
)

export const SellerListQuery = Type.Object({
  ...pageParameters,
  seller_number: integerFilter('Only sellers with this number. Historical duplicates can exist.'),
})
