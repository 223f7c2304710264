import type { Context, Scope } from '../context.ts'
import { printId } from '../values/ids.ts'
import { noteChange, type Terms } from '../writes/journal.ts'
import type { StoredLot } from './result-statements.ts'
import type { Result } from './results.ts'

// A result as the interface shows it, without its time: the statement that stores it decides it.
function printResult(result: Result | null, currency: string, carrier: string | null) {
  if (result === null) return null
  const { state, amount, after_sale } = result
  const price = amount === null ? null : { amount, currency }
  return { state, amount: price, after_sale, with: carrier === null ? null : printId('lot', carrier) }
}

/** What a write makes of a lot. `carrier`: the UUID of the lot that it is now sold together with. */
type Next = { result: Result | null; held: boolean; carrier?: string | null | undefined; closes_at?: Date | undefined }

/** Notes a new result of a lot, or none, for the journal. Rows about results are kept. Call it before the lot changes. */
export function noteResult(
  tx: Scope & Pick<Context, 'origin'>,
  lot: StoredLot,
  { result, held, carrier = null, closes_at }: Next,
  terms: Pick<Terms, 'reason' | 'about'>,
): void {
  const before = {
    result: printResult(lot.result, lot.currency, lot.carrier),
    held: lot.held,
    closes_at: lot.closes_at,
  }
  const after = { result: printResult(result, lot.currency, carrier), held, closes_at: closes_at ?? lot.closes_at }
  noteChange(tx, { kind: 'lot', uuid: lot.public_id }, before, after, { ...terms, kept: true })
}

/** The session of a lot, as the record of a write of several lots. */
export const sessionOf = ({ session }: StoredLot) => ({ kind: 'session', uuid: session }) as const
