import { etag } from '@auction-catalogue/client'
import { useEffect, useRef } from 'react'
import { catalogue, putSession, store, type CountedSession, type Lot } from '../../../api/index.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { StepOf } from '../../step.tsx'
import { useStaffTexts } from '../../texts/texts.ts'

/** The step that fixes the numbers of the lots, or takes that back. */
export function useFixing({ id, staff }: CountedSession): StepOf {
  const own = useStaffTexts().preparing
  const isFixed = staff?.numbers_fixed
  return {
    title: isFixed ? own.releaseNumbers : own.fixNumbers,
    name: isFixed ? own.releaseNumbers : own.fixNumbers,
    isDirect: true,
    fields: <p className="quiet">{isFixed ? own.releaseHelp : own.fixHelp}</p>,
    run: async () => {
      const stored = await catalogue().sessions.get(id)
      const body = { numbers_fixed: !isFixed }
      putSession(await catalogue().staff.sessions.update(id, body, { ifMatch: stored[etag]! }))
      return isFixed ? own.numbersReleased : own.numbersFixed
    },
  }
}

// So many numbers are listed before they are stored.
const most = 50

/** Numbers lots in an order, and shows the old and new numbers first. */
export function useNumbering(
  { id, staff }: CountedSession,
  lots: readonly Lot[],
  from: number,
  isReordered: boolean,
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
  }, [isReordered, staff?.numbers_fixed])
  return {
    title: own.numberLots,
    name: own.number,
    label: own.numberLots,
    fields: lots.length > 0 && <p className="quiet">{own.numberHelp(from, from + lots.length - 1)}</p>,
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
