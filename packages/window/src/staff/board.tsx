import type { LotId, Session } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { leadOf, itemOf, useLots, type Lot } from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { Photograph } from '../parts/photograph.tsx'
import { Standing } from '../session/lot-card.tsx'
import { useTally } from './head.tsx'
import { LotSteps } from './lot-steps.tsx'
import { useTexts } from '../texts/texts.tsx'
import { useStaffTexts } from './texts/texts.ts'
import '../styles/staff.css'

const noLots: Lot[] = []
const most = 12
// Those that are decided make room for others.
const mostWaiting = 50

/** The board of a timed sale: what closes next, what comes in, and what waits for a person. */
export function Board({ session }: { session: Session }) {
  const own = useStaffTexts()
  const { open, due, held, bidless, decided } = useTally(session)
  const row = (lot: Lot, wishes: Parameters<typeof LotSteps>[0]['wishes']) => (
    <BoardLot key={lot.id} lot={lot} session={session}>
      <LotSteps lot={lot} session={session} wishes={wishes} />
    </BoardLot>
  )
  return (
    <div className="board">
      <Panel title={own.closesNext} count={open.length} none={own.noneOpen}>
        {open.slice(0, most).map((lot) => row(lot, ['bid', 'withdraw']))}
      </Panel>
      <Bids session={session} />
      <Panel title={own.held} count={held.length} none={own.none}>
        {held.slice(0, mostWaiting).map((lot) => row(lot, ['sell', 'pass', 'hold', 'withdraw']))}
      </Panel>
      <Panel title={own.withoutResult} count={due.length} none={own.none}>
        {due.slice(0, mostWaiting).map((lot) => row(lot, ['sell', 'pass', 'hold', 'withdraw']))}
      </Panel>
      <Panel title={own.decided} count={decided.length} none={own.none}>
        {decided.slice(0, most).map((lot) => row(lot, ['reopen', 'correct', 'afterSale']))}
      </Panel>
      <Panel title={own.withoutBid} count={bidless.length} none={own.none}>
        {bidless.slice(0, most).map((lot) => row(lot, ['bid', 'hold', 'withdraw']))}
      </Panel>
    </div>
  )
}

function Panel(props: { title: string; count: number; none: string; children: ReactNode[] }) {
  const { title, count, none, children } = props
  const texts = useTexts()
  const formats = useFormats()
  return (
    <section className="panel" aria-label={title}>
      <h2>
        {title} <span className="quiet">{formats.number(count)}</span>
      </h2>
      {count === 0 && <p className="quiet">{none}</p>}
      <ul>{children}</ul>
      {children.length < count && <p className="quiet">{texts.andMore(count - children.length)}</p>}
    </section>
  )
}

function BoardLot({ lot, session, children }: { lot: Lot; session: Session; children: ReactNode }) {
  const own = useStaffTexts()
  const formats = useFormats()
  return (
    <li className="board-lot">
      <Photograph image={leadOf(itemOf(lot))} isDecoration sizes="64px" />
      <Link to="/sessions/$session/lots/$lot/history" params={{ session: session.id, lot: lot.id }}>
        <b>{lot.lot_number}</b> <span dir="auto">{lot.title}</span>
      </Link>
      <span>{lot.current_bid ? formats.money(lot.current_bid) : own.noBid}</span>
      <Standing lot={lot} session={session} />
      {children}
    </li>
  )
}

type Seen = { id: number; lot: LotId; number: number | null; words: string; at: number }

/** The bids since the page was opened, as the changes bring them. */
function Bids({ session }: { session: Session }) {
  const own = useStaffTexts()
  const formats = useFormats()
  const { data } = useLots(session.id)
  const lots = data?.lots ?? noLots
  const known = useRef<Map<LotId, number> | null>(null)
  const [seen, setSeen] = useState<Seen[]>([])
  useEffect(() => {
    if (lots.length === 0) return
    const before = known.current
    known.current = new Map(lots.map((lot) => [lot.id, lot.current_bid?.amount ?? 0]))
    // A lot that is loaded later has the bids of before.
    const raised = lots.filter(({ id, current_bid: bid }) => (bid?.amount ?? 0) > (before?.get(id) ?? Infinity))
    if (raised.length === 0) return
    setSeen((last) => [
      ...raised.map((lot, index) => ({
        id: (last[0]?.id ?? 0) + raised.length - index,
        lot: lot.id,
        number: lot.lot_number,
        words: formats.money(lot.current_bid!),
        at: Date.now(),
      })),
      ...last.slice(0, 2 * most),
    ])
  }, [lots])
  return (
    <section className="panel" aria-label={own.bidsComing}>
      <h2>{own.bidsComing}</h2>
      {seen.length === 0 && <p className="quiet">{own.noneYet}</p>}
      <div role="log" aria-label={own.bidsComing}>
        <ol>
          {seen.map((bid) => (
            <li key={bid.id} className="board-lot">
              <span className="quiet">{formats.time(bid.at)}</span>
              <Link to="/sessions/$session/lots/$lot/history" params={{ session: session.id, lot: bid.lot }}>
                <b>{bid.number}</b>
              </Link>
              <span>{bid.words}</span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
