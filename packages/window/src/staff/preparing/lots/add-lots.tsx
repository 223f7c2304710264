import {
  CatalogueError,
  type FieldError,
  type ItemId,
  type LotsAddition,
  type Session,
  type SessionId,
} from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { catalogue, putLots, store, useAuctions, useMay, type Item } from '../../../api/index.ts'
import { useNow } from '../../../parts/clock.tsx'
import { isPrepared } from '../../../sales/state.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { StepOf } from '../../step.tsx'
import { useStaffTexts } from '../../texts/texts.ts'
import { proposeBid, readIncrements, readPercent } from './starting-bids.ts'

type Refusal = { item: Item; lot: string }

// After so many refusals the service is not asked about the others any more. It names a hundred at once.
const mostRefusals = 200

/** The item that an error of the request is about, and its lot by session and number. */
async function readRefusal({ field, lot: id }: FieldError, items: readonly Item[]): Promise<Refusal | undefined> {
  const item = items[Number(/^lots\.(\d+)\.item$/.exec(field)?.[1])]
  if (!item || !id) return undefined
  const { session, lot_number } = await catalogue().lots.get(id, { expand: ['session'] })
  return { item, lot: `${session.external_reference ?? session.id}/${lot_number ?? '-'}` }
}

/** The sessions to which lots can be added before the sale, each with the title of its auction before its own. */
function usePreparedSessions(untitled: string): { session: Session; name: string }[] {
  const { service: now } = useNow()
  const { data } = useAuctions()
  return (data?.pages ?? [])
    .flatMap((page) => page.data)
    .flatMap(({ title, sessions }) =>
      sessions.map((session) => ({ session, name: `${title} · ${session.title ?? untitled}` })),
    )
    .filter(({ session }) => isPrepared(session, now))
}

/**
 * Adds chosen items to a session as lots, in the order of their references. Items that are in another lot are shown with
 * that lot, and left out unless they are offered again.
 */
export function useAddLots(chosen: readonly Item[], preferred: string | undefined, onAdded: () => void): StepOf {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const sessions = usePreparedSessions(texts.untitled)
  const wanted = sessions.find(({ session }) => session.id === preferred)
  const mayReadStrategies = useMay('bidding_step_configurations.read')
  let accepted: Item[] = []
  let refused: Refusal[] = []

  const rehearse = async (id: SessionId, bodyOf: (item: Item) => LotsAddition['lots'][number]) => {
    accepted = sortByReference(chosen)
    refused = []
    while (accepted.length > 0) {
      try {
        return await catalogue().staff.sessions.addLots(id, { lots: accepted.map(bodyOf) }, { dryRun: true })
      } catch (error) {
        if (!(error instanceof CatalogueError) || error.reason !== 'in_use') throw error
        const { errors = [] } = error
        const found = await Promise.all(errors.map((each) => readRefusal(each, accepted)))
        const more = found.filter((each) => each !== undefined)
        if (more.length === 0 || refused.length >= mostRefusals) throw error
        refused.push(...more)
        accepted = accepted.filter((item) => !more.some((each) => each.item === item))
      }
    }
    return []
  }
  return {
    title: own.addLots(chosen.length, wanted?.name),
    name: own.add,
    fields: (
      <>
        {wanted === undefined && (
          <label>
            {own.toSession}
            <select name="session" required>
              {preferred && <option value="" />}
              {sessions.map(({ session: { id }, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          {own.percentOfEstimate}
          <input name="percent" inputMode="numeric" autoComplete="off" />
        </label>
        <label className="check">
          <input type="checkbox" name="again" />
          {own.again}
        </label>
      </>
    ),
    run: async (answers, dryRun) => {
      const target = wanted ?? sessions.find(({ session }) => session.id === answers['session'])
      if (!target) throw own.nothingToPrepare
      const { session, name } = target
      const percent = readPercent(answers['percent'], own.notPercent)
      const steps = percent ? await readIncrements(session, mayReadStrategies) : []
      const bodyOf = (item: Item) => ({
        item: item.id,
        ...(percent && { starting_bid: proposeBid(item, percent, steps) }),
        ...(answers['again'] && { again: true }),
      })
      if (dryRun) {
        const foretold = await rehearse(session.id, bodyOf)
        const numbers = foretold.map(({ lot_number }) => lot_number!)
        return (
          <>
            {foretold.length > 0 && (
              <p>
                <b dir="auto">{name}</b>: {own.wouldAdd(numbers.length, Math.min(...numbers), Math.max(...numbers))}
              </p>
            )}
            <Refusals refused={refused} />
          </>
        )
      }
      if (accepted.length === 0) throw own.noneToAdd
      const added = await catalogue().staff.sessions.addLots(session.id, { lots: accepted.map(bodyOf) })
      putLots(added)
      await store.invalidateQueries({ queryKey: ['staff items'] })
      onAdded()
      return (
        <>
          {own.added(added.length)}{' '}
          <Link to="/sessions/$session/prepare" params={{ session: session.id }}>
            {texts.prepare}
          </Link>
        </>
      )
    },
  }
}

function Refusals({ refused }: { refused: readonly Refusal[] }) {
  const own = useStaffTexts().preparing
  if (refused.length === 0) return null
  return (
    <>
      <p>{own.refusedItems(refused.length)}</p>
      <ul className="refusals">
        {refused.map(({ item, lot }) => (
          <li key={item.id}>
            <b>{item.external_reference}</b> <span dir="auto">{item.title}</span>
            <span className="refusal"> {own.inLot(lot)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

const collator = new Intl.Collator(undefined, { numeric: true })
const referenceOf = ({ external_reference, id }: { external_reference: string | null; id: ItemId }) =>
  external_reference ?? id

/** Items in the order of their references, in which numbers count as numbers. */
export const sortByReference = (items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => collator.compare(referenceOf(one), referenceOf(other)))
