import { CatalogueError, type LotId, type Session } from '@auction-catalogue/client'
import { isOlder, type Lot, type Lots } from '../api/index.ts'
import { outcomeOf, useEntries, type Entry, type Outcome } from './decisions.ts'

/**
 * The lots of a session as this tab has decided them. `resultOf` is the result that a lot will have, `isReferred`
 * says whether it is held, `isTakenBack` whether this tab has taken its result back and the service holds it.
 */
export function useStandings(session: Session) {
  const entries = useEntries().filter((entry) => entry.session === session.id)
  const last = new Map<LotId, Entry>()
  for (const entry of entries) if (entry.state === 'waiting' || entry.state === 'stored') last.set(entry.lot, entry)
  return {
    entries,
    isTakenBack: (lot: Lot): boolean => {
      const { state, decision } = last.get(lot.id) ?? {}
      const isStored = state === 'stored' && decision?.kind === 'back' && decision.of === 'result'
      return isStored && !lot.result && lot.staff?.held === true
    },
    isReferred: (lot: Lot): boolean => {
      const { state, decision } = last.get(lot.id) ?? {}
      // The service holds a lot whose result is taken back. This clerk goes on with it.
      if (state === 'waiting' || decision?.kind === 'back') return decision?.kind === 'referred'
      return !lot.result && (lot.staff?.held ?? false)
    },
    resultOf: (lot: Lot): Outcome => {
      const entry = last.get(lot.id)
      // Until the page shows the stored lot, the decision holds, or the lot would stand ready again for a moment.
      const holds = entry && (entry.state === 'waiting' || isOlder(lot, { updated_at: entry.updated_at ?? null }))
      const outcome = holds ? outcomeOf(entry.decision) : undefined
      return outcome === undefined ? lot.result : outcome
    },
  }
}

type Standings = Pick<ReturnType<typeof useStandings>, 'isReferred' | 'resultOf'>

/**
 * The next lot without a result after a number: first those that are not held, from the beginning again if need be.
 * While lots beyond `seenTo` load, only one that surely is the next.
 */
export function findNext(
  { lots, seenTo }: Pick<Lots, 'lots' | 'seenTo'>,
  after: number,
  { isReferred, resultOf }: Standings,
): Lot | undefined {
  const open = lots.filter((lot) => resultOf(lot) === null)
  const free = open.filter((lot) => !isReferred(lot))
  const later = (lot: Lot) => lot.lot_number! > after
  if (seenTo !== Infinity) return free.find((lot) => later(lot) && lot.lot_number! <= seenTo)
  return free.find(later) ?? free[0] ?? open.find(later) ?? open[0]
}

/** What the last decision that still holds was about, and the result that it left. */
export function findLastDecided(entries: Entry[]) {
  const taken = new Set<LotId>()
  for (const entry of entries.toReversed()) {
    const { session, lot, number, decision, state, seen, error } = entry
    // A result that something else depends on cannot be taken back. What failed otherwise is tried again.
    const isKept = decision.kind === 'back' && error instanceof CatalogueError && error.status === 409
    if (taken.has(lot) || (state === 'refused' && !isKept)) continue
    // What was decided before about a lot that is open again, or that another clerk decided, has ended too.
    if (decision.kind === 'back' || state === 'overtaken') taken.add(lot)
    else {
      const of = decision.kind === 'referred' ? ('referral' as const) : ('result' as const)
      const outcome = outcomeOf(decision)
      return { session, lot, number, of, seen: outcome === undefined ? seen : outcome }
    }
  }
  return undefined
}
