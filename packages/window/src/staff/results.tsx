import type { LotId, ResultsRecord, Session } from '@auction-catalogue/client'
import { Link, useParams } from '@tanstack/react-router'
import { memo, useCallback, useState } from 'react'
import {
  catalogue,
  itemOf,
  knownLot,
  leadOf,
  putLots,
  readAgain,
  useLots,
  useMay,
  useSession,
  type Lot,
} from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { useIsPast } from '../parts/clock.tsx'
import { Photograph } from '../parts/photograph.tsx'
import { Forbidden } from '../parts/problem.tsx'
import { Rows } from '../parts/rows.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { useTexts } from '../texts/texts.tsx'
import { isSameResult } from './decisions.ts'
import { SaleHead, useTally } from './head.tsx'
import { LotSteps } from './lot-steps.tsx'
import { Stage, Steps, type StepOf } from './step.tsx'
import { useStaffTexts } from './texts/texts.ts'
import { useResultWords } from './words.tsx'
import '../styles/staff.css'

/** The results of a session. */
export function ResultsPage() {
  const texts = useTexts()
  const { session: id } = useParams({ from: '/sessions/$session' })
  const { data: session } = useSession(id)
  const { data } = useLots(id)
  const isStaff = useMay('staff')
  if (!isStaff) return <Forbidden permission="staff" />
  if (!session || !data) return <p className="quiet">{texts.loading}</p>
  return (
    <Stage>
      <Results session={session} lots={data.lots} />
    </Stage>
  )
}

function Results({ session, lots }: { session: Session; lots: Lot[] }) {
  const own = useStaffTexts()
  const texts = useTexts()
  const words = useResultWords()
  const { due } = useTally(session)
  const [chosen, setChosen] = useState<ReadonlySet<LotId>>(new Set())
  const isDue = new Set(due.map(({ id }) => id))
  const selected = due.filter(({ id }) => chosen.has(id))
  const record = async (body: ResultsRecord, dryRun: boolean) => {
    const changed = await catalogue().staff.sessions.recordResults(session.id, body, { dryRun })
    if (!dryRun) {
      putLots(changed)
      setChosen(new Set())
    }
    const sold = changed.filter(({ result }) => result?.state === 'sold').length
    return own.recorded(sold, changed.length - sold)
  }
  const asBids: StepOf = {
    title: own.recordAllTitle,
    name: own.recordAll,
    run: (_, dryRun) => record({}, dryRun),
  }
  // A saleroom session takes another result for a lot that has one. A timed one refuses it.
  const checkSeen = async () => {
    await readAgain(session.id)
    for (const { id, result } of selected) {
      const stored = knownLot(id)
      if (stored && !isSameResult(stored.result, result))
        throw own.lotIs(String(stored.lot_number), words(stored.result))
    }
  }
  const ofSelected = (name: string, state: 'sold' | 'unsold'): StepOf => ({
    title: own.recordSelected(name, selected.length),
    name,
    run: async (_, dryRun) => {
      if (session.kind === 'live') await checkSeen()
      return record({ results: selected.map(({ id }) => ({ lot: id, state })) }, dryRun)
    },
  })
  const toggle = useCallback(
    (id: LotId) =>
      setChosen((last) => {
        const next = new Set(last)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    [],
  )
  return (
    <>
      <SaleHead session={session}>
        {session.kind === 'timed' && due.length > 0 && <Steps steps={[asBids]} />}
        {due.length > 0 && (
          <button type="button" onClick={() => setChosen(isDue)}>
            {own.selectDue(due.length)}
          </button>
        )}
        {selected.length > 0 && (
          <>
            <b role="status">{texts.selected(selected.length)}</b>
            <Steps steps={[ofSelected(own.soldAtBid, 'sold'), ofSelected(own.passed, 'unsold')]} />
            <button type="button" className="plain" onClick={() => setChosen(new Set())}>
              {texts.clearSelection}
            </button>
          </>
        )}
        <Link to="/after" search={{ session: session.id }}>
          {texts.afterTheSale}
        </Link>
      </SaleHead>
      <div className="scrolls" tabIndex={0} role="region" aria-label={texts.results}>
        <table className="results decisions cards" aria-rowcount={lots.length + 1}>
          <TableHead names={['', '', own.lot, own.title, own.highestBid, own.result, '']} />
          <Rows of={lots}>
            {(lot, index) => (
              <Line
                key={lot.id}
                lot={lot}
                index={index}
                session={session}
                isDue={isDue.has(lot.id)}
                isChosen={chosen.has(lot.id)}
                onToggle={toggle}
              />
            )}
          </Rows>
        </table>
      </div>
    </>
  )
}

/** One lot. Only a changed lot is drawn again. */
const Line = memo(function Line(props: {
  lot: Lot
  index: number
  session: Session
  isDue: boolean
  isChosen: boolean
  onToggle: (id: LotId) => void
}) {
  const { lot, index, session, isDue, isChosen, onToggle } = props
  const own = useStaffTexts()
  const texts = useTexts()
  const formats = useFormats()
  const words = useResultWords()
  // A saleroom may decide a lot before its online bidding closes.
  const isClosed = useIsPast(lot.closes_at) || session.finished
  return (
    <tr aria-rowindex={index + 2}>
      <td>
        {isDue && (
          <input
            type="checkbox"
            aria-label={texts.selectLot(String(lot.lot_number))}
            checked={isChosen}
            onChange={() => onToggle(lot.id)}
          />
        )}
      </td>
      <td className="tiny">
        <Photograph image={leadOf(itemOf(lot))} isDecoration sizes="72px" />
      </td>
      <td data-name={own.lot}>
        <Link to="/sessions/$session/lots/$lot/history" params={{ session: session.id, lot: lot.id }} preload={false}>
          {lot.lot_number ?? '–'}
        </Link>
      </td>
      <td>
        <span dir="auto">{lot.title}</span>
      </td>
      <td data-name={own.highestBid}>{lot.current_bid ? formats.money(lot.current_bid) : '–'}</td>
      <td>
        {lot.result ? words(lot.result) : isDue && isClosed ? texts.closed : ''}
        {!lot.result && lot.staff?.held && ` · ${own.held}`}
      </td>
      <td>
        <LotSteps
          lot={lot}
          session={session}
          wishes={isDue ? ['sell', 'pass', 'hold', 'withdraw'] : ['reopen', 'correct', 'afterSale']}
        />
      </td>
    </tr>
  )
})
