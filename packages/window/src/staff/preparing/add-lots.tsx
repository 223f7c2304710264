import { CatalogueError, type ItemId, type LotsAddition, type Session, type SessionId } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { catalogue, showLots, store, useAuctions, useMay, type Item } from '../../api/index.ts'
import { useNow } from '../../parts/clock.tsx'
import { isPrepared } from '../../sales/state.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { StepOf } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { proposeBid, readIncrements, readPercent } from './starting-bids.ts'

type Refusal = { item: Item; lot: string }

// After so many refusals the service is not asked about the others any more.
const mostRefusals = 20

/** The item of a refusal and the lot that offers it, as the service names it; undefined for any other error. */
function readOffer(error: unknown): { item: string; lot: string } | undefined {
  if (!(error instanceof CatalogueError) || error.reason !== 'in_use') return undefined
  const [, item, lot] = /(itm_\S+) is .*the lot (.+?)\.$/.exec(error.detail) ?? []
  return item && lot ? { item, lot } : undefined
}

/** The sessions to which lots can be added before the sale. */
export function usePreparedSessions(): Session[] {
  const { service: now } = useNow()
  const { data } = useAuctions()
  return (data?.pages ?? [])
    .flatMap((page) => page.data)
    .flatMap(({ sessions }) => sessions)
    .filter((session) => isPrepared(session, now))
}

/**
 * Adds chosen items to a session as lots, in the order of their references. Items that are in another lot are shown with
 * that lot, and left out unless they are offered again.
 */
export function useAddLots(chosen: readonly Item[], preferred: string | undefined, onAdded: () => void): StepOf {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const sessions = usePreparedSessions()
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
        const offer = readOffer(error)
        const item = accepted.find((each) => each.id === offer?.item)
        if (!offer || !item || refused.length >= mostRefusals) throw error
        refused.push({ item, lot: offer.lot })
        accepted = accepted.filter((each) => each !== item)
      }
    }
    return []
  }
  return {
    title: own.addLots(chosen.length),
    name: own.add,
    fields: (
      <>
        <label>
          {own.toSession}
          <select name="session" required defaultValue={preferred ?? sessions[0]?.id}>
            {sessions.map(({ id, title }) => (
              <option key={id} value={id}>
                {title ?? texts.untitled}
              </option>
            ))}
          </select>
        </label>
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
      const session = sessions.find(({ id }) => id === answers['session'])
      if (!session) throw own.nothingToPrepare
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
            {foretold.length > 0 && <p>{own.wouldAdd(numbers.length, Math.min(...numbers), Math.max(...numbers))}</p>}
            <Refusals refused={refused} />
          </>
        )
      }
      if (accepted.length === 0) throw own.noneToAdd
      const added = await catalogue().staff.sessions.addLots(session.id, { lots: accepted.map(bodyOf) })
      showLots(store, added)
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
