import type { Context } from '../context.ts'
import { selectLots, type LotExpansion } from '../lots/queries.ts'
import { listRecords } from '../reads/lists.ts'
import { parseId } from '../values/ids.ts'
import type { Money } from '../values/money.ts'
import { programName } from '../values/program.ts'

/** A lot as its document says. Without an id, which older records may lack, it has no `uuid` either. */
export type SessionLot = {
  uuid: string | undefined
  id: string | null
  lot_number: number | null
  title: string | null
  result: { state: string; amount: Money | null; after_sale: boolean; with: string | null } | null
}

/** The unarchived lots of a session, or the one with a number, in the order of their numbers, with expansions. */
export async function listLotsOf<Expanded = unknown>(
  context: Context,
  session: string,
  { number, expand }: { number?: number; expand?: LotExpansion[] } = {},
): Promise<(SessionLot & Expanded)[]> {
  const filters = { session, lot_number: number, ...(expand && { 'expand[]': expand }) }
  const found = await listRecords<SessionLot & Expanded>(selectLots(context, filters))
  const lots = found.map((lot) => ({ ...lot, uuid: lot.id === null ? undefined : parseId('lot', lot.id) }))
  // Lots without a number have the place of the number after the last.
  return number === undefined ? lots : lots.filter(({ lot_number }) => lot_number === number)
}

/** The unarchived lots of a session by their numbers. */
export const numberLotsOf = async (context: Context, session: string): Promise<Map<number | null, SessionLot>> =>
  new Map((await listLotsOf(context, session)).map((lot) => [lot.lot_number, lot]))

/** Says that a record cannot be used, because it has no id. */
export const describeNameless = (record: string) =>
  `the ${record} has no id, and cannot be used (see: ${programName} doctor)`
