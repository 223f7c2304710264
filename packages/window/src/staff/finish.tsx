import { CatalogueError, etag, type Session, type SessionChange } from '@auction-catalogue/client'
import { catalogue, connection, knownLots, lotsQuery, store, useLots, type Lot } from '../api/index.ts'
import { useNow } from '../parts/clock.tsx'
import { closeOf } from '../session/filters.ts'
import { useSoFar } from '../session/so-far.ts'
import { useTexts } from '../texts/texts.tsx'
import type { StepOf } from './step.tsx'
import { useStaffTexts } from './texts/texts.ts'

const mostNamed = 10

const isUndecided = ({ result }: Lot) => result === null
// As the service has it: also a lot whose closing time is not known yet.
const isNotClosed = (lot: Lot, now: number) =>
  lot.active && isUndecided(lot) && (lot.closes_at === null || closeOf(lot) > now)

/** Finishes a session: also with open lots and lots without a result, if that is ticked. */
export function useFinish(session: Session): StepOf {
  const own = useStaffTexts()
  const { id, kind } = session
  // What the dialog names: open lots, and those without a result.
  const listInTheWay = () => {
    const lots = knownLots(id)
    const open = kind === 'timed' ? lots.filter((lot) => isNotClosed(lot, connection.clock.now())) : []
    return [...open.map((lot) => `${lot.id} open`), ...lots.filter(isUndecided).map((lot) => lot.id)]
  }
  return {
    title: own.finishTitle,
    name: own.finish,
    isDangerous: true,
    fields: <InTheWay session={session} />,
    run: async ({ early, without }, dryRun, once) => {
      await store.ensureQueryData(lotsQuery(id))
      const stored = await once(async () => ({
        session: await catalogue().sessions.get(id),
        named: new Set(listInTheWay()),
      }))
      if (listInTheWay().some((each) => !stored.named.has(each))) throw own.othersInTheWay
      const body: SessionChange = {
        finished: true,
        ...(early && { early: true }),
        ...(without && { allow_without_result: true }),
      }
      const ifMatch = stored.session[etag]!
      await catalogue()
        .staff.sessions.update(id, body, { dryRun, ifMatch })
        .catch((error: unknown) => {
          const { reason } = error instanceof CatalogueError ? error : {}
          // Open lots have no result either.
          const without_result = without ? [] : [own.finishWithout]
          if (reason === 'not_closed') throw own.tickToFinish([own.finishEarly, ...without_result])
          throw reason === 'without_result' ? own.tickToFinish(without_result) : error
        })
      if (!dryRun) await store.invalidateQueries({ queryKey: ['session', id] })
      return own.finished
    },
  }
}

/** Names the lots for which a session cannot be finished, and asks whether it is in spite of them. */
function InTheWay({ session }: { session: Session }) {
  const texts = useTexts()
  const own = useStaffTexts()
  const { service: now } = useNow()
  const { data } = useLots(session.id)
  const soFar = useSoFar(session.id)
  const lots = data?.lots ?? []
  const isPart = soFar !== undefined || Boolean(data?.broken)
  const ask = (name: string, words: string, some: readonly Lot[]) => {
    const numbers = some.slice(0, mostNamed).map(({ lot_number }) => lot_number ?? '–')
    const named = some.length > 0 ? `${words}: ${numbers.join(', ')}` : words
    return (
      (some.length > 0 || isPart) && (
        <label className="check">
          <input type="checkbox" name={name} />
          {some.length > mostNamed ? `${named} ${texts.andMore(some.length - mostNamed)}` : named}
        </label>
      )
    )
  }
  return (
    <>
      {soFar && <p className="quiet">{soFar}</p>}
      {session.kind === 'timed' &&
        ask(
          'early',
          own.finishEarly,
          lots.filter((lot) => isNotClosed(lot, now)),
        )}
      {ask('without', own.finishWithout, lots.filter(isUndecided))}
    </>
  )
}
