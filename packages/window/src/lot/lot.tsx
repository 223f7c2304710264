import type { LotId, Session, SessionId } from '@auction-catalogue/client'
import { Link, useNavigate, useParams, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { itemIdOf, useLots, useMay, useSession, type Lot } from '../api/index.ts'
import { useLot } from '../api/single.ts'
import { useFormats } from '../formats.ts'
import { useNow } from '../parts/clock.tsx'
import { useKeys } from '../parts/keys.ts'
import { Problem } from '../parts/problem.tsx'
import { useRedirect } from '../parts/redirect.ts'
import { useTitle } from '../parts/title.ts'
import { isExtended } from '../session/filters.ts'
import { markLot } from '../session/place.ts'
import { Notice, priceOf, Standing, useFlash } from '../session/lot-card.tsx'
import { useTexts } from '../texts/texts.tsx'
import { ItemView } from './item.tsx'
import '../styles/lot.css'

/** A lot: the bidding on it, and its item. */
export function LotPage() {
  const texts = useTexts()
  const { session: sessionId, lot: id } = useParams({ from: '/sessions/$session/lots/$lot' })
  const { data: lot, error, refetch } = useLot(id)
  const { data: session } = useSession(sessionId)
  const { data: loaded } = useLots(sessionId)
  const isStaff = useMay('staff')
  useTitle(lot && `${lot.lot_number ?? ''} ${lot.title}`)
  const lots = loaded?.lots ?? []
  const index = lots.findIndex((each) => each.id === id)
  const [previous, next] = index < 0 ? [] : [lots[index - 1], lots[index + 1]]
  useNeighbourKeys(sessionId, previous?.id, next?.id)
  useEffect(() => markLot(id), [id])
  // The address may have another session than the lot's own.
  const isElsewhere = lot !== undefined && lot.session !== sessionId
  useRedirect(
    isElsewhere ? { to: '/sessions/$session/lots/$lot', params: { session: lot.session, lot: id } } : undefined,
  )
  if (isElsewhere) return null
  return (
    <div className="page wide">
      <nav className="lot-nav" aria-label={texts.wall}>
        <Link to="/sessions/$session" params={{ session: sessionId }}>
          ← {session?.title ?? texts.wall}
        </Link>
        <span>
          {isStaff && (
            <Link to="/sessions/$session/lots/$lot/history" params={{ session: sessionId, lot: id }}>
              {texts.history}
            </Link>
          )}
          <Neighbour session={sessionId} lot={previous} label={texts.previousLot} sign="←" />
          <Neighbour session={sessionId} lot={next} label={texts.nextLot} sign="→" />
        </span>
      </nav>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {lot && (
        <ItemView key={id} id={itemIdOf(lot)} title={lot.title}>
          <Bidding lot={lot} session={session} />
        </ItemView>
      )}
    </div>
  )
}

function useNeighbourKeys(session: SessionId, previous: LotId | undefined, next: LotId | undefined) {
  const navigate = useNavigate()
  const { history } = useRouter()
  useKeys((event) => {
    const lot = event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : undefined
    if (lot) void navigate({ to: '/sessions/$session/lots/$lot', params: { session, lot }, replace: true })
    // One that is held down closed a dialog.
    else if (event.key !== 'Escape' || event.repeat) return
    // Goes back to the wall with its filter, its search and its place.
    else if (history.canGoBack()) history.back()
    else void navigate({ to: '/sessions/$session', params: { session } })
  })
}

function Neighbour(props: { session: SessionId; lot: Lot | undefined; label: string; sign: string }) {
  const { session, lot, label, sign } = props
  if (lot === undefined) return null
  return (
    <Link
      to="/sessions/$session/lots/$lot"
      params={{ session, lot: lot.id }}
      replace
      className="neighbour"
      aria-label={`${label}: ${lot.lot_number ?? ''} ${lot.title}`}
    >
      {sign === '←' && '← '}
      {lot.lot_number}
      {sign === '→' && ' →'}
    </Link>
  )
}

function Bidding({ lot, session }: { lot: Lot; session: Session | undefined }) {
  const texts = useTexts()
  const formats = useFormats()
  const price = priceOf(lot)
  const isNew = useFlash(price?.amount)
  const { closes_at, timed, result } = lot
  const { service: now } = useNow(closes_at !== null)
  return (
    <div className="bidding">
      <p className="number">
        <span>{texts.lot(lot.lot_number === null ? `(${texts.noNumber})` : String(lot.lot_number))}</span>
        <Standing lot={lot} session={session} />
      </p>
      <p className="amount bid" data-new={isNew} aria-live="polite">
        <b>{price ? formats.money(price) : texts.noBid}</b>
        {lot.starting_bid && (
          <span className="quiet">
            {texts.startingBid} {formats.money(lot.starting_bid)}
          </span>
        )}
      </p>
      <Notice lot={lot} />
      {result?.with && (
        <p>
          <Link to="/sessions/$session/lots/$lot" params={{ session: lot.session, lot: result.with }}>
            {texts.soldWith}
          </Link>
        </p>
      )}
      <p className="quiet">
        {closes_at === null
          ? texts.noClosing
          : `${Date.parse(closes_at) > now ? texts.closes : texts.closedAt} ${formats.exact(closes_at)}`}
        {isExtended(lot) && timed?.scheduled_closes_at && (
          <>
            <br />
            {texts.scheduled} {formats.exact(timed.scheduled_closes_at)} ·{' '}
            {texts.extendedBy(formats.duration(Date.parse(closes_at!) - Date.parse(timed.scheduled_closes_at)))}
          </>
        )}
        {result?.at && (
          <>
            <br />
            {texts.resultAt(formats.exact(result.at))}
          </>
        )}
      </p>
    </div>
  )
}
