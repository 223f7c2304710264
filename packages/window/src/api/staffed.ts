import type { ExpansionOf, Lot as LotOf, LotId, Session, SessionId, Tagged } from '@auction-catalogue/client'
import { catalogue } from './catalogue.ts'
import { discoveryQuery } from './house.ts'
import type { Lot } from './records.ts'
import { store } from './store.ts'

type Staffed = Pick<Lot, 'staff'>
type Options<E> = { expand?: readonly E[]; signal?: AbortSignal }

/** Whether the key reads as staff: then lots and sessions have what only staff see. False until that is known. */
export const readsAsStaff = (): boolean =>
  store.getQueryData(discoveryQuery.queryKey)?.key.permissions.includes('staff') ?? false

/** Reads a lot as the key sees it. */
export const readLot = <const E extends ExpansionOf<'lot'> = never>(
  id: LotId,
  options: Options<E> = {},
): Promise<Tagged<LotOf<E> & Staffed>> =>
  readsAsStaff() ? catalogue().staff.lots.get(id, options) : catalogue().lots.get(id, options)

/** Reads a session as the key sees it, with its lots counted. */
export const readSession = (id: SessionId, signal: AbortSignal): Promise<Session<'counts'>> => {
  const options = { expand: ['counts'], signal } as const
  return readsAsStaff() ? catalogue().staff.sessions.get(id, options) : catalogue().sessions.get(id, options)
}
