import type { Bid } from '@auction-catalogue/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { catalogue, putLots, store, useMay, useSession, type Lot } from '../../api/index.ts'
import { useLot } from '../../api/single.ts'
import { useFormats } from '../../formats.ts'
import { Forbidden, Problem } from '../../parts/problem.tsx'
import { useTitle } from '../../parts/title.ts'
import { Standing } from '../../session/lot-card.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { isOfBid, JournalRow, journalNames, type Change } from './row.tsx'
import { LotSteps } from '../lot-steps.tsx'
import { Reason } from '../session-steps.tsx'
import { Stage, Steps } from '../step.tsx'
import { Table } from '../table.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import '../../styles/staff.css'
import '../../styles/lot.css'

/** The bids on a lot and its journal: what a complaint asks for. */
export function HistoryPage() {
  const texts = useTexts()
  const own = useStaffTexts()
  const { session: sessionId, lot: id } = useParams({ from: '/sessions/$session/lots/$lot/history' })
  const { data: lot, error } = useLot(id)
  const { data: session } = useSession(sessionId)
  const isStaff = useMay('staff')
  useTitle(lot && `${lot.lot_number ?? ''} ${texts.history}`)
  if (!isStaff) return <Forbidden permission="staff" />
  const problem = error && <Problem error={error} />
  if (!lot || !session) return problem ?? <p className="quiet page">{texts.loading}</p>
  return (
    <div className="page wide">
      {problem}
      <nav className="lot-nav" aria-label={texts.history}>
        <Link to="/sessions/$session/desk" params={{ session: sessionId }}>
          ← {session.title ?? texts.untitled}
        </Link>
        <span>
          <Link to="/sessions/$session/lots/$lot" params={{ session: sessionId, lot: id }}>
            {own.toLot}
          </Link>
          {lot.lot_number !== null && (
            <Link
              to="/sessions/$session/prints"
              params={{ session: sessionId }}
              search={{ from: lot.lot_number, to: lot.lot_number }}
            >
              {texts.print}
            </Link>
          )}
        </span>
      </nav>
      <Stage>
        <div className="heading">
          <h1>
            {lot.lot_number} <span dir="auto">{lot.title}</span>
          </h1>
          <Standing lot={lot} session={session} />
          <LotSteps
            lot={lot}
            session={session}
            wishes={['bid', 'sell', 'pass', 'hold', 'withdraw', 'reopen', 'correct', 'afterSale']}
          />
        </div>
        <Bids key={`bids ${id}`} lot={lot} />
        <Journal key={`journal ${id}`} lot={lot} />
      </Stage>
    </div>
  )
}

// The lot changes with each bid and result, and its history with it. Until that is read, the rows and the focus stay.
const useHistory = <Row,>(
  name: string,
  { id, updated_at, staff }: Lot,
  read: (signal: AbortSignal) => Promise<Row[]>,
) =>
  useQuery({
    queryKey: ['history', name, id, updated_at, staff],
    queryFn: ({ signal }) => read(signal),
    staleTime: 5_000,
    placeholderData: keepPreviousData,
  })

async function readAll<Row>(list: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of list) rows.push(row)
  return rows
}

function Bids({ lot }: { lot: Lot }) {
  const own = useStaffTexts()
  const texts = useTexts()
  const formats = useFormats()
  const { data, error } = useHistory('bids', lot, (signal) =>
    readAll(catalogue().staff.bids.list(lot.id, { limit: 100 }, { signal })),
  )
  const cancel = (bid: Bid) => ({
    title: own.cancelBidTitle(formats.money(bid.amount)),
    name: own.cancelBid,
    isDangerous: true,
    fields: <Reason />,
    run: async ({ reason = '' }, dryRun: boolean) => {
      const changed = await catalogue().staff.bids.cancel(bid.id!, { reason }, { dryRun })
      if (!dryRun) putLots([changed])
      if (!dryRun) await store.invalidateQueries({ queryKey: ['history'] })
      return own.highestIs(changed.current_bid ? formats.money(changed.current_bid) : own.noBid)
    },
  })
  return (
    <Table
      title={texts.bids}
      error={error}
      isEmpty={data?.length === 0}
      names={[own.placedAt, own.amount, own.state, '']}
    >
      {data?.map((bid, index) => (
        <tr key={bid.id ?? index}>
          <td>{bid.placed_at ? formats.exact(bid.placed_at) : '–'}</td>
          <td>{formats.money(bid.amount)}</td>
          <td>
            {bid.cancelled_at && `${own.cancelled} ${formats.exact(bid.cancelled_at)}: ${bid.cancel_reason ?? ''}`}
          </td>
          <td>{bid.id && !bid.cancelled_at && !lot.result && <Steps steps={[cancel(bid)]} />}</td>
        </tr>
      ))}
    </Table>
  )
}

function Journal({ lot }: { lot: Lot }) {
  const own = useStaffTexts()
  const texts = useTexts()
  const { data, error } = useHistory('journal', lot, (signal) =>
    readAll(catalogue().staff.journal.list({ record: lot.id, limit: 100 }, { signal })),
  )
  const isAbout = ({ record }: Change) => record === lot.id || isOfBid(record)
  return (
    <Table title={texts.journal} error={error} isEmpty={data?.length === 0} names={journalNames(own)}>
      {data?.map((row) => (
        <JournalRow key={row.id} row={row} isAbout={isAbout} />
      ))}
    </Table>
  )
}
