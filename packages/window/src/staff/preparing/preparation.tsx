import { Link } from '@tanstack/react-router'
import { useAuctions, useMay, type Auction } from '../../api/index.ts'
import { useNow } from '../../parts/clock.tsx'
import { Forbidden, Problem } from '../../parts/problem.tsx'
import { useTitle } from '../../parts/title.ts'
import { isPrepared } from '../../sales/state.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Stage } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { AuctionSteps, NewAuction } from './auction-steps.tsx'
import { Missing } from './missing.tsx'
import { SessionLink } from './session-link.tsx'
import '../../styles/staff.css'
import '../../styles/sales.css'

/** The sales that are being prepared, and how a new one is made. */
export function PreparationPage() {
  const { preparing: own, cataloguing } = useStaffTexts()
  const texts = useTexts()
  useTitle(texts.prepare)
  const isStaff = useMay('staff')
  const mayWrite = useMay('lots.write')
  const auctions = useAuctions()
  const { service: now } = useNow()
  if (!isStaff) return <Forbidden permission="staff" />
  const problem = auctions.error && <Problem error={auctions.error} retry={() => void auctions.refetch()} />
  if (!auctions.data) return problem ?? <p className="quiet page">{texts.loading}</p>
  const all = auctions.data.pages.flatMap((page) => page.data)
  // An auction is prepared until the public sees it.
  const listed = ({ published, sessions }: Auction) =>
    sessions.filter((each) => isPrepared(each, now) || (!published && !each.finished))
  const open = all.filter((auction) => auction.sessions.length === 0 || listed(auction).length > 0)
  return (
    <div className="page wide">
      <Stage>
        <h1>{texts.prepare}</h1>
        <div className="toolbar">
          <Link to="/prepare/items">{own.items}</Link>
          {mayWrite && <Link to="/catalogue">{cataloguing.catalogueItem}</Link>}
          <NewAuction />
        </div>
        {problem}
        {open.length === 0 && <p className="quiet">{own.nothingToPrepare}</p>}
        <div className="auctions">
          {open.map((auction) => (
            <section key={auction.id} className="auction" aria-labelledby={auction.id}>
              <h2 id={auction.id} dir="auto">
                {auction.title} {!auction.published && <span className="badge">{texts.draft}</span>}
              </h2>
              {auction.sessions.length === 0 && <p className="quiet">{texts.noSessions}</p>}
              <ul className="sessions">
                {listed(auction).map((session) => (
                  <li key={session.id}>
                    <SessionLink session={session} auction={auction} now={now} />
                    <Missing session={session} />
                  </li>
                ))}
              </ul>
              <AuctionSteps auction={auction} />
            </section>
          ))}
        </div>
        {auctions.hasNextPage && (
          <button type="button" onClick={() => void auctions.fetchNextPage()} disabled={auctions.isFetchingNextPage}>
            {texts.moreSales}
          </button>
        )}
      </Stage>
    </div>
  )
}
