import { CatalogueError, etag, type Session, type SessionId } from '@auction-catalogue/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { catalogue, store, type Lot } from '../../../api/index.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { StepOf } from '../../step.tsx'
import { useStaffTexts } from '../../texts/texts.ts'

const operations = ['changeSession', 'sessions set']

/** Whether the numbers of a session are fixed, as the journal tells: the session itself does not show it. */
async function readFixed(record: SessionId, signal: AbortSignal): Promise<boolean> {
  let last = { at: '', isFixed: false }
  for (const operation of operations)
    for await (const { at, changes } of catalogue().staff.journal.list({ record, operation, limit: 100 }, { signal }))
      for (const { field, new: now } of changes)
        if (field === 'numbers_fixed' && last.at < at) last = { at, isFixed: now === true }
  return last.isFixed
}

const keyOf = (id: SessionId) => ['numbers fixed', id]

/** Whether the numbers of the lots are fixed, and the step that fixes them or takes that back. */
export function useFixing({ id }: Session): { isFixed: boolean; step: StepOf } {
  const own = useStaffTexts().preparing
  const { data: isFixed = false } = useQuery({ queryKey: keyOf(id), queryFn: ({ signal }) => readFixed(id, signal) })
  const step: StepOf = {
    title: isFixed ? own.releaseNumbers : own.fixNumbers,
    name: isFixed ? own.releaseNumbers : own.fixNumbers,
    run: async (_, dryRun, once) => {
      const stored = await once(() => catalogue().sessions.get(id))
      const body = { numbers_fixed: !isFixed }
      await catalogue().staff.sessions.update(id, body, { dryRun, ifMatch: stored[etag]! })
      if (!dryRun) store.setQueryData(keyOf(id), !isFixed)
      return isFixed ? own.numbersReleased : own.numbersFixed
    },
  }
  return { isFixed, step }
}

// So many numbers are listed before they are stored.
const most = 50

/** Numbers lots in an order, and shows the old and new numbers first. */
export function useNumbering(
  { id }: Session,
  lots: readonly Lot[],
  from: number,
  isReordered: boolean,
  isFixed: boolean,
  onStored: () => void,
): StepOf {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  // The version of the session over which the order was made. An order that is stored later is not overwritten.
  const over = useRef<Promise<string | undefined>>(undefined)
  const lookAgain = () => {
    over.current = catalogue()
      .sessions.get(id)
      .then((stored) => stored[etag])
      .catch(() => undefined)
  }
  useEffect(() => {
    if (isReordered) lookAgain()
  }, [isReordered, isFixed])
  return {
    title: own.numberLots,
    name: own.number,
    label: own.numberLots,
    run: async (_, dryRun, once) => {
      const changed = lots.flatMap((lot, index) =>
        lot.lot_number === from + index ? [] : [[lot, from + index] as const],
      )
      if (changed.length === 0 && dryRun) throw own.nothingChanged
      const ifMatch = (await over.current) ?? (await once(() => catalogue().sessions.get(id)))[etag]!
      const body = { lots: lots.map((lot) => lot.id), from }
      await catalogue()
        .staff.sessions.orderLots(id, body, { dryRun, ifMatch })
        .catch((error: unknown) => {
          // A file may have fixed them, of which the journal knows nothing.
          if (error instanceof CatalogueError && error.reason === 'numbers_fixed') store.setQueryData(keyOf(id), true)
          // The reason is shown; after it, staff may number the lots all the same.
          lookAgain()
          throw error
        })
      if (!dryRun) {
        await store.invalidateQueries({ queryKey: ['lots', id] })
        onStored()
        return own.numbered(changed.length)
      }
      return (
        <>
          <p>{own.wouldNumber(changed.length)}</p>
          <ul className="refusals">
            {changed.slice(0, most).map(([lot, number]) => (
              <li key={lot.id}>
                <b>
                  {lot.lot_number ?? '–'} → {number}
                </b>{' '}
                <span dir="auto">{lot.title}</span>
              </li>
            ))}
          </ul>
          {changed.length > most && <p className="quiet">{texts.andMore(changed.length - most)}</p>}
        </>
      )
    },
  }
}
