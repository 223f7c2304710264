import type { Session, SessionId } from '@auction-catalogue/client'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { useAuction, useLots, useMay, usePermissions, useSession } from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { useNow } from '../parts/clock.tsx'
import { Forbidden, Problem } from '../parts/problem.tsx'
import { useTitle } from '../parts/title.ts'
import { isPrepared, stateIn, stateOf } from '../sales/state.ts'
import { useTexts } from '../texts/texts.tsx'
import { closeOf, isExtended, isOpen } from './filters.ts'

/** The head of a session: its end, its extensions, and its three views. */
export function SessionPage() {
  const texts = useTexts()
  const { session: id } = useParams({ from: '/sessions/$session' })
  const { data: session, error, refetch } = useSession(id)
  const lots = useLots(id)
  const broken = lots.data?.broken
  const mayRead = useMay('auctions.read')
  const isStaff = useMay('staff')
  const { isForClient } = usePermissions()
  useTitle(session && (session.title ?? texts.untitled))
  if (!mayRead) return <Forbidden permission="auctions.read" />
  if (error && !session) return <Problem error={error} retry={() => void refetch()} />
  return (
    <div className="page wide">
      <div className="session-head">
        <h1>{session ? (session.title ?? texts.untitled) : '\u00a0'}</h1>
        <nav className="tabs" aria-label={session?.title ?? texts.untitled}>
          <Link to="/sessions/$session" params={{ session: id }} activeOptions={{ exact: true, includeSearch: false }}>
            {texts.wall}
          </Link>
          <Link to="/sessions/$session/list" params={{ session: id }}>
            {texts.list}
          </Link>
          <Link to="/sessions/$session/schedule" params={{ session: id }}>
            {texts.schedule}
          </Link>
          {!isForClient && (
            <Link to="/sessions/$session/pictures" params={{ session: id }}>
              {texts.pictureDesk}
            </Link>
          )}
          {isStaff && (
            <>
              {session && <PrepareLink session={session} />}
              <Link to="/sessions/$session/desk" params={{ session: id }}>
                {texts.desk}
              </Link>
              <Link to="/sessions/$session/results" params={{ session: id }}>
                {texts.results}
              </Link>
              <Link to="/sessions/$session/journal" params={{ session: id }}>
                {texts.journal}
              </Link>
              <Link to="/sessions/$session/prints" params={{ session: id }}>
                {texts.prints}
              </Link>
            </>
          )}
        </nav>
        <Progress id={id} />
      </div>
      {lots.error && <Problem error={lots.error} retry={() => void lots.refetch()} />}
      {broken && (
        <p className="problem" role="alert">
          {texts.brokenList(broken.count, broken.request)}
        </p>
      )}
      {(lots.data || !lots.error) && <Outlet />}
    </div>
  )
}

/** Leads to the preparation of a session until it opens. */
function PrepareLink({ session }: { session: Session }) {
  const texts = useTexts()
  const { service: now } = useNow()
  if (!isPrepared(session, now)) return null
  return (
    <Link to="/sessions/$session/prepare" params={{ session: session.id }}>
      {texts.prepare}
    </Link>
  )
}

function Progress({ id }: { id: SessionId }) {
  const texts = useTexts()
  const formats = useFormats()
  const { data: session } = useSession(id)
  const { data: auction } = useAuction(session?.auction)
  const { data } = useLots(id)
  const { service: now } = useNow()
  const isStaff = useMay('staff')
  if (!session || !data) return <p className="facts" />
  const state = stateOf(session, now)
  const shown = stateIn(auction, session, now)
  const active = data.lots.filter((lot) => lot.active && lot.closes_at !== null)
  // In the room every lot comes to the desk of the clerk, also one that is off.
  const isAtDesk = isStaff && session.kind === 'live'
  const open = data.lots.filter((lot) => (isAtDesk ? lot.result === null : isOpen(lot, session, now)))
  const extended = data.lots.filter(isExtended).length
  const last = active.reduce((latest, lot) => Math.max(latest, closeOf(lot)), 0)
  const opens = session.opens_at
  return (
    <p className="quiet facts">
      <span className="badge" data-state={shown}>
        {texts[shown]}
      </span>
      {state === 'running' &&
        data.complete &&
        (open.length > 0 ? <b className="live">{texts.openLots(open.length)}</b> : texts.allClosed)}
      {state !== 'running' && state !== 'finished' && opens !== null && (
        <span>{texts.opens(formats.dayTime(opens))}</span>
      )}
      <span>{texts.premium(formats.percentage(session.settings.buyer_premium_percentage))}</span>
      {extended > 0 && data.complete && (
        <Link to="/sessions/$session" params={{ session: id }} search={{ only: 'extended' }}>
          {texts.extendedLots(extended)}
        </Link>
      )}
      {last > 0 && data.complete && (last <= now || state !== 'finished') && (
        <span>{(last > now ? texts.saleEnds : texts.saleEnded)(formats.dayTime(last))}</span>
      )}
    </p>
  )
}
