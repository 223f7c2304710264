import type { JournalEntry, LotId, Session } from '@auction-catalogue/client'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { connection } from './connection.ts'

// The operations that hold a lot or release it. A result ends it too, which the lot itself shows.
const operations = ['changeLot', 'lots hold', 'lots release', 'lots result']

// A row may appear later than its time.
const overlapMilliseconds = 30_000

/** What the journal tells of each lot last, and the time (ISO 8601) from which it is read on. */
type Told = { last: ReadonlyMap<LotId, { at: string; isHeld: boolean }>; since: string }

/**
 * The lots of the house that staff hold, as the journal tells since a session was made. A lot may have a result since.
 * Once that was read, only new rows are.
 */
async function readHeld({ id, created_at }: Session, client: QueryClient, signal: AbortSignal) {
  const queryKey = ['held journal', id]
  const told = client.getQueryData<Told>(queryKey)
  const next = new Date(connection.clock.now() - overlapMilliseconds).toISOString()
  const last = new Map(told?.last)
  const since = told?.since ?? created_at
  const take = ({ at, changes }: JournalEntry) => {
    for (const { record, field, new: now } of changes)
      if (field === 'held' && (last.get(record as LotId)?.at ?? '') < at)
        last.set(record as LotId, { at, isHeld: now === true })
  }
  const read = async (filter: { operation?: string }) => {
    const query = { ...filter, limit: 100, ...(since && { since }) }
    for await (const entry of catalogue().staff.journal.list(query, { signal })) take(entry)
  }
  await Promise.all(told ? [read({})] : operations.map((operation) => read({ operation })))
  client.setQueryData<Told>(queryKey, { last, since: next })
  return new Set([...last].flatMap(([lot, { isHeld }]) => (isHeld ? [lot] : [])))
}

/** The lots that staff hold. Holding is no change that a page can follow, so it is read again every ten seconds. */
export const useHeld = (session: Session) =>
  useQuery({
    queryKey: ['held', session.id],
    queryFn: ({ client, signal }): Promise<ReadonlySet<LotId>> => readHeld(session, client, signal),
    refetchInterval: 10_000,
  })
