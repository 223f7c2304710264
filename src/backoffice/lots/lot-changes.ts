import type { Context, Written } from '../../context.ts'
import type { Justification } from '../../lots/results.ts'
import type { LotExpansion } from '../../lots/queries.ts'
import type { Locale } from '../../values/locales.ts'
import { holdLots } from './holds.ts'
import { changeLot, type LotChange } from './lots.ts'
import { writeNoticesOf } from '../sales/notices.ts'
import { Refusal } from '../refusal.ts'
import { recordLocked, ResultsRefusal, takeBackLocked, type LotDecision } from './results.ts'

/** What else staff change of a lot: its hold, what is announced of it by locale, and its result or its taking back. */
export type LotChanges = LotChange & {
  held?: boolean | undefined
  notices?: Partial<Record<Locale, string | null>> | undefined
  decision?: Omit<LotDecision, 'lot'> | undefined
  reopening?: (Justification & { closesAt?: Date | undefined }) | undefined
}

/**
 * Changes a lot as `changeLot`, `setNotices`, `setHeld`, `recordResult` and `takeBackResult` do, all or nothing, and
 * returns it.
 * @throws as they do; a field at fault of the result has `result.` before it
 */
export function changeWholeLot(
  context: Context,
  uuid: string,
  { held, notices, decision, reopening, ...change }: LotChanges,
  expand?: readonly LotExpansion[],
): Promise<Written> {
  return changeLot(context, uuid, change, expand, true, async (tx) => {
    // A lot without a result is announced and held; a result ends both.
    if (reopening) await takeBackLocked(tx, uuid, reopening)
    if (notices) await writeNoticesOf(tx, uuid, notices)
    if (held !== undefined) await holdLots(tx, [uuid], held)
    if (decision) await recordLocked(tx, { ...decision, lot: uuid }).catch(nameField)
  })
}

function nameField(error: unknown): never {
  if (!(error instanceof ResultsRefusal)) throw error
  const { message, details } = error
  if (details.field === 'lot') throw new Refusal(message, { isMissing: true })
  throw new Refusal(message, { ...details, ...(details.field && { field: `result.${details.field}` }) })
}
