import type { LotId, Session } from '@auction-catalogue/client'
import { useQuery } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'

// The operations that hold a lot or release it. A result ends it too, which the lot itself shows.
const operations = ['changeLot', 'lots hold', 'lots release', 'lots result']

/** The lots of the house that staff hold, as the journal tells since a session was made. A lot may have a result since. */
async function readHeld({ created_at }: Session, signal: AbortSignal): Promise<ReadonlySet<LotId>> {
  const last = new Map<LotId, { at: string; isHeld: boolean }>()
  for (const operation of operations)
    for await (const { at, changes } of catalogue().staff.journal.list(
      { operation, limit: 100, ...(created_at && { since: created_at }) },
      { signal },
    ))
      for (const { record, field, new: now } of changes)
        if (field === 'held' && (last.get(record as LotId)?.at ?? '') < at)
          last.set(record as LotId, { at, isHeld: now === true })
  return new Set([...last].flatMap(([id, { isHeld }]) => (isHeld ? [id] : [])))
}

/** The lots that staff hold. Holding is no change that a page can follow, so it is read again every ten seconds. */
export const useHeld = (session: Session) =>
  useQuery({
    queryKey: ['held', session.id],
    queryFn: ({ signal }) => readHeld(session, signal),
    refetchInterval: 10_000,
  })
