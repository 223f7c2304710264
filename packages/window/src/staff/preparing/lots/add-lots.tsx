import {
  CatalogueError,
  type FieldError,
  type ItemId,
  type LotId,
  type LotsAddition,
  type Session,
  type SessionId,
  type StateConflict,
} from '@auction-catalogue/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  auctionsQuery,
  catalogue,
  connection,
  putLots,
  store,
  useAuctions,
  useMay,
  type Auction,
  type Item,
} from '../../../api/index.ts'
import { useNow } from '../../../parts/clock.tsx'
import { FieldWords, Why } from '../../../parts/problem.tsx'
import { isPrepared } from '../../../sales/state.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { StepOf } from '../../step.tsx'
import { useStaffTexts } from '../../texts/texts.ts'
import { proposeBid, readIncrements, readPercent } from './starting-bids.ts'

type Refusal = { item: Item; causes: readonly StateConflict[]; faults: readonly FieldError[] }

// The service names a hundred causes at once. So often what remains is rehearsed.
const mostRehearsals = 5

/** The sessions to which lots can be added before the sale, each with its own title first, which a narrow list shows. */
const listPrepared = (
  auctions: readonly Auction[],
  now: number,
  untitled: string,
): { session: Session; name: string }[] =>
  auctions
    .flatMap(({ title, sessions }) =>
      sessions.map((session) => ({ session, name: `${session.title ?? untitled} · ${title}` })),
    )
    .filter(({ session }) => isPrepared(session, now))

/** The same, as they come to be known. */
export function usePrepared(): { session: Session; name: string }[] {
  const texts = useTexts()
  const { service: now } = useNow()
  const { data } = useAuctions()
  return listPrepared(data?.pages.flatMap((page) => page.data) ?? [], now, texts.untitled)
}

/** The sessions may be read after the dialog has opened. */
function SessionField({ preferred }: { preferred: string | undefined }) {
  const own = useStaffTexts().preparing
  const sessions = usePrepared()
  if (sessions.some(({ session }) => session.id === preferred)) return null
  return (
    <label>
      {own.toSession}
      <select name="session" required={sessions.length > 0}>
        {preferred && <option value="" />}
        {sessions.map(({ session: { id }, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/**
 * Adds chosen items to a session as lots, in the order of their references. Items that are in another lot are shown with
 * that lot, and left out unless they are offered again.
 */
export function useAddLots(chosen: readonly Item[], preferred: string | undefined, onAdded: () => void): StepOf {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const wanted = usePrepared().find(({ session }) => session.id === preferred)
  const mayReadStrategies = useMay('bidding_step_configurations.read')
  let accepted: Item[] = []
  let refused: Refusal[] = []
  let unnamed = 0

  const rehearse = async (id: SessionId, bodyOf: (item: Item) => LotsAddition['lots'][number]) => {
    accepted = sortByReference(chosen)
    refused = []
    unnamed = 0
    for (let rehearsals = 1; accepted.length > 0; rehearsals++) {
      try {
        return await catalogue().staff.sessions.addLots(id, { lots: accepted.map(bodyOf) }, { dryRun: true })
      } catch (error) {
        const { conflicts = [], errors = [], count = conflicts.length } = error instanceof CatalogueError ? error : {}
        const causesOf = Map.groupBy(conflicts, ({ record }) => record)
        // `lots.17.item` is of the item with this place in the body.
        const faultsOf = Map.groupBy(errors, ({ field }) => Number(field.split('.')[1]))
        const judged = accepted.map((item, index) => {
          return { item, causes: causesOf.get(item.id) ?? [], faults: faultsOf.get(index) ?? [] }
        })
        const more = judged.filter(({ causes, faults }) => causes.length + faults.length > 0)
        if (more.length === 0) throw error
        refused.push(...more)
        accepted = judged.filter((each) => !more.includes(each)).map(({ item }) => item)
        if (rehearsals < mostRehearsals || count === conflicts.length) continue
        unnamed = count - conflicts.length
        accepted = []
      }
    }
    return []
  }
  return {
    title: own.addLots(chosen.length, wanted?.name),
    name: own.add,
    fields: (
      <>
        <SessionField preferred={preferred} />
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
      const { pages } = await store.ensureInfiniteQueryData(auctionsQuery)
      const auctions = pages.flatMap((page) => page.data)
      const target = listPrepared(auctions, connection.clock.now(), texts.untitled).find(
        ({ session }) => session.id === (answers['session'] ?? preferred),
      )
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
            <Refusals refused={refused} unnamed={unnamed} />
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

function Refusals({ refused, unnamed }: { refused: readonly Refusal[]; unnamed: number }) {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  if (refused.length === 0) return null
  return (
    <>
      <p>{own.refusedItems(refused.length + unnamed)}</p>
      <ul className="refusals">
        {refused.map(({ item, causes, faults }) => (
          <li key={item.id}>
            <b>{item.external_reference}</b> <span dir="auto">{item.title}</span>
            {causes.map((cause) => (
              <span key={cause.reason} className="refusal">
                {' '}
                <Cause cause={cause} />
              </span>
            ))}
            {faults.map((fault) => (
              <span key={fault.field} className="refusal">
                <FieldWords error={fault} />
              </span>
            ))}
          </li>
        ))}
      </ul>
      {unnamed > 0 && <p className="quiet">{texts.andMore(unnamed)}</p>}
    </>
  )
}

function Cause({ cause }: { cause: StateConflict }) {
  const own = useStaffTexts().preparing
  const { reason, used_by } = cause
  if (reason !== 'in_use' || !used_by?.length) return <Why {...cause} />
  return (
    <>
      {own.inLot}{' '}
      {used_by.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <LotLink id={id as LotId} />
        </span>
      ))}
      .
    </>
  )
}

/** A lot by its session and number, which lead to it. */
function LotLink({ id }: { id: LotId }) {
  const { data: lot } = useQuery({
    queryKey: ['lot with session', id],
    queryFn: ({ signal }) => catalogue().lots.get(id, { expand: ['session'], signal }),
  })
  if (!lot) return id
  const { session, lot_number } = lot
  return (
    <Link to="/sessions/$session/lots/$lot" params={{ session: session.id, lot: id }}>
      {session.external_reference ?? session.id}/{lot_number ?? '–'}
    </Link>
  )
}

const collator = new Intl.Collator(undefined, { numeric: true })
const referenceOf = ({ external_reference, id }: { external_reference: string | null; id: ItemId }) =>
  external_reference ?? id

/** Items in the order of their references, in which numbers count as numbers. */
export const sortByReference = (items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => collator.compare(referenceOf(one), referenceOf(other)))
