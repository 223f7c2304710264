import type { Bid, JournalEntry, LotId, Session } from '@auction-catalogue/client'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { catalogue, store, useHeld, useLot, useMay, useSession, type Lot } from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { Forbidden, Problem } from '../parts/problem.tsx'
import { useTitle } from '../parts/title.ts'
import { Standing } from '../session/lot-card.tsx'
import { useTexts } from '../texts/texts.tsx'
import { LotSteps } from './lot-steps.tsx'
import { Reason } from './session-steps.tsx'
import { Stage, Steps } from './step.tsx'
import { useStaffTexts } from './texts/texts.ts'
import '../styles/staff.css'

/** The bids on a lot and its journal: what a complaint asks for. */
export function HistoryPage() {
  const texts = useTexts()
  const own = useStaffTexts()
  const { session: sessionId, lot: id } = useParams({ from: '/sessions/$session/lots/$lot/history' })
  const { data: lot, error } = useLot(id)
  const { data: session } = useSession(sessionId)
  const isStaff = useMay('staff')
  useTitle(lot && `${lot.lot_number ?? ''} ${own.history}`)
  if (!isStaff) return <Forbidden permission="staff" />
  if (error) return <Problem error={error} />
  if (!lot || !session) return <p className="quiet page">{texts.loading}</p>
  return (
    <div className="page wide">
      <nav className="lot-nav" aria-label={own.history}>
        <Link to="/sessions/$session/desk" params={{ session: sessionId }}>
          ← {session.title ?? texts.untitled}
        </Link>
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
      </nav>
      <Stage>
        <div className="heading">
          <h1>
            {lot.lot_number} <span dir="auto">{lot.title}</span>
          </h1>
          <Standing lot={lot} session={session} />
          <OwnSteps lot={lot} session={session} />
        </div>
        <Bids lot={lot} />
        <Journal id={id} />
      </Stage>
    </div>
  )
}

function OwnSteps({ lot, session }: { lot: Lot; session: Session }) {
  const { data: held } = useHeld(session)
  return (
    <LotSteps
      lot={lot}
      session={session}
      isHeld={held?.has(lot.id) ?? false}
      wishes={['bid', 'sell', 'pass', 'hold', 'withdraw', 'reopen', 'correct', 'afterSale']}
    />
  )
}

// The lot changes with each bid and result, and its history with it.
const useHistory = <Row,>(name: string, lot: LotId, version: unknown, read: (signal: AbortSignal) => Promise<Row[]>) =>
  useQuery({ queryKey: ['history', name, lot, version], queryFn: ({ signal }) => read(signal), staleTime: 5_000 })

async function readAll<Row>(list: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of list) rows.push(row)
  return rows
}

function Bids({ lot }: { lot: Lot }) {
  const own = useStaffTexts()
  const formats = useFormats()
  const { data, error } = useHistory('bids', lot.id, lot.updated_at, (signal) =>
    readAll(catalogue().staff.bids.list(lot.id, { limit: 100 }, { signal })),
  )
  const cancel = (bid: Bid) => ({
    title: own.cancelBidTitle(formats.money(bid.amount)),
    name: own.cancelBid,
    isDangerous: true,
    fields: <Reason />,
    run: async ({ reason = '' }, dryRun: boolean) => {
      const changed = await catalogue().staff.bids.cancel(bid.id!, { reason }, { dryRun })
      if (!dryRun) void store.invalidateQueries({ queryKey: ['history'] })
      return own.highestIs(changed.current_bid ? formats.money(changed.current_bid) : own.noBid)
    },
  })
  return (
    <Table
      title={own.bids}
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

function Journal({ id }: { id: LotId }) {
  const own = useStaffTexts()
  const formats = useFormats()
  const { data: lot } = useLot(id)
  const { data, error } = useHistory('journal', id, lot?.updated_at, (signal) =>
    readAll(catalogue().staff.journal.list({ record: id, limit: 100 }, { signal })),
  )
  return (
    <Table
      title={own.journal}
      error={error}
      isEmpty={data?.length === 0}
      names={[own.at, own.who, own.what, own.changes, own.reason, own.request]}
    >
      {data?.map((row) => (
        <tr key={row.id}>
          <td>{formats.exact(row.at)}</td>
          <td>{row.actor.name ?? row.actor.id ?? row.actor.type}</td>
          <td>{row.operation}</td>
          <td>
            <Changes row={row} id={id} />
          </td>
          <td>{row.reason}</td>
          <td className="quiet">{row.request_id}</td>
        </tr>
      ))}
    </Table>
  )
}

/** What a row of the journal changed of this lot. */
function Changes({ row, id }: { row: JournalEntry; id: LotId }) {
  const print = useValue()
  return (
    <ul>
      {row.changes
        .filter(({ record }) => record === id || record?.startsWith('bid_'))
        .map((change) => (
          <li key={`${change.record} ${change.field}`}>
            {change.field}: {print(change.old)} → {print(change.new)}
          </li>
        ))}
    </ul>
  )
}

type Money = { amount: number; currency: string }
const isMoney = (value: object): value is Money => 'currency' in value && 'amount' in value

/** Prints a value of the journal: money and times as everywhere, the rest as it is stored. */
function useValue(): (value: unknown) => string {
  const formats = useFormats()
  const print = (value: unknown): string => {
    if (value === null || value === undefined) return '–'
    if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formats.exact(value) : value
    if (typeof value !== 'object') return JSON.stringify(value)
    if (isMoney(value)) return formats.money(value)
    return Object.values(value)
      .filter((each) => each !== null && each !== false)
      .map(print)
      .join(' ')
  }
  return print
}

function Table(props: { title: string; error: unknown; isEmpty: boolean; names: string[]; children: ReactNode }) {
  const { title, error, isEmpty, names, children } = props
  const own = useStaffTexts()
  return (
    <section className="panel">
      <div className="scrolls" tabIndex={0} role="region" aria-label={title}>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              {names.map((name) =>
                name === '' ? (
                  <td key={name} />
                ) : (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
      {isEmpty && <p className="quiet">{own.none}</p>}
      {error !== null && <Problem error={error} />}
    </section>
  )
}
