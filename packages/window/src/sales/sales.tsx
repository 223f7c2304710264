import type { Session, SessionId } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { useAuctions, useLots, useMay, usePermissions, itemOf, leadOf, type Auction } from '../api/index.ts'
import { useLotCounts } from '../api/counts.ts'
import { useFormats } from '../formats.ts'
import { useNow } from '../parts/clock.tsx'
import { Photograph } from '../parts/photograph.tsx'
import { Problem } from '../parts/problem.tsx'
import { useTitle } from '../parts/title.ts'
import { isOpen } from '../session/filters.ts'
import { Standing } from '../session/lot-card.tsx'
import { useTexts } from '../texts/texts.tsx'
import { stateIn } from './state.ts'
import '../styles/sales.css'

/** All auctions with their sessions, the running ones first. */
export function Sales() {
  const texts = useTexts()
  useTitle(texts.sales)
  const auctions = useAuctions()
  const { service: now } = useNow()
  const all = auctions.data?.pages.flatMap((page) => page.data) ?? []
  const { data: counts } = useLotCounts(all.flatMap(({ sessions }) => sessions.map(({ id }) => id)))
  const mayRead = useMay('lots.read')
  const isStaff = useMay('staff')
  const { isForClient } = usePermissions()
  const problem = auctions.error && <Problem error={auctions.error} retry={() => void auctions.refetch()} />
  if (!auctions.data) return problem ?? <p className="quiet page">{texts.loading}</p>
  const running = all.flatMap((auction) =>
    auction.sessions
      .filter((session) => stateIn(auction, session, now) === 'running')
      .map((session) => ({ auction, session })),
  )
  return (
    <div className="page wide">
      <h1>{texts.sales}</h1>
      {!isForClient && (isStaff || mayRead) && (
        <div className="toolbar">
          {isStaff && <Link to="/prepare">{texts.prepare}</Link>}
          {mayRead && <Link to="/pictures">{texts.pictureDesk}</Link>}
        </div>
      )}
      {running.length > 0 && (
        <section aria-labelledby="running">
          <h2 id="running" className="section-title">
            {texts.runningNow}
          </h2>
          <div className="runnings">
            {running.map(({ auction, session }) => (
              <div key={session.id} className="running-place">
                <RunningSession auction={auction} session={session} />
              </div>
            ))}
          </div>
        </section>
      )}
      {all.length === 0 && (
        <p>
          {texts.noSales} {texts.noSalesHelp}
        </p>
      )}
      <div className="auctions">
        {all.map((auction) => (
          <AuctionSection key={auction.id} auction={auction} counts={counts} now={now} />
        ))}
      </div>
      {problem}
      {auctions.hasNextPage && (
        <button type="button" onClick={() => void auctions.fetchNextPage()} disabled={auctions.isFetchingNextPage}>
          {texts.moreSales}
        </button>
      )}
    </div>
  )
}

// How many results a running session shows.
const latest = 3

/** A running session with its latest results, and the lots that come next. */
function RunningSession({ auction, session }: { auction: Auction; session: Session }) {
  const texts = useTexts()
  const formats = useFormats()
  const { service: now } = useNow()
  const { data } = useLots(session.id)
  const open = (data?.lots ?? [])
    .filter((lot) => isOpen(lot, session, now))
    .toSorted((one, other) => Date.parse(one.closes_at!) - Date.parse(other.closes_at!))
  const decided = (data?.lots ?? [])
    .filter(({ result }) => result?.at)
    .toSorted((one, other) => Date.parse(other.result!.at!) - Date.parse(one.result!.at!))
  return (
    <Link to="/sessions/$session" params={{ session: session.id }} className="running">
      <div>
        <p className="quiet">{auction.title}</p>
        <h3>{session.title ?? texts.untitled}</h3>
        <p className="live">
          {data?.complete ? (open.length > 0 ? texts.openLots(open.length) : texts.allClosed) : ' '}
        </p>
        {decided.length > 0 && (
          <ul className="latest">
            {decided.slice(0, latest).map((lot) => (
              <li key={lot.id}>
                <b>{lot.lot_number}</b> <span dir="auto">{lot.title}</span> <Standing lot={lot} session={session} />{' '}
                {lot.result?.amount && formats.money(lot.result.amount)}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="strip" aria-hidden="true">
        {open.slice(0, 8).map((lot) => (
          <Photograph key={lot.id} image={leadOf(itemOf(lot))} isDecoration />
        ))}
      </div>
    </Link>
  )
}

type Counts = ReadonlyMap<SessionId, number> | undefined

function AuctionSection({ auction, counts, now }: { auction: Auction; counts: Counts; now: number }) {
  const texts = useTexts()
  return (
    <section className="auction" aria-labelledby={auction.id}>
      <h2 id={auction.id}>
        {auction.title} {!auction.published && <span className="badge">{texts.draft}</span>}
      </h2>
      {auction.description && <p className="prose">{auction.description}</p>}
      {auction.sessions.length === 0 && <p className="quiet">{texts.noSessions}</p>}
      <ul className="sessions">
        {auction.sessions.map((session) => (
          <li key={session.id}>
            <SessionLine auction={auction} session={session} lots={counts?.get(session.id)} now={now} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function SessionLine(props: { auction: Auction; session: Session; lots: number | undefined; now: number }) {
  const { auction, session, lots, now } = props
  const texts = useTexts()
  const formats = useFormats()
  const state = stateIn(auction, session, now)
  const opens = session.opens_at
  return (
    <Link to="/sessions/$session" params={{ session: session.id }}>
      <span className="name">{session.title ?? texts.untitled}</span>
      <span className="quiet">
        {texts[session.kind]} ·{' '}
        {opens === null
          ? texts.noOpening
          : Date.parse(opens) > now
            ? texts.opens(formats.dayTime(opens))
            : texts.opened(formats.dayTime(opens))}
      </span>
      <span className="quiet count">{lots !== undefined && texts.lots(lots)}</span>
      <span className="badge" data-state={state}>
        {texts[state]}
      </span>
    </Link>
  )
}
