import type { Session } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { memo, useEffect, useRef, useState } from 'react'
import { itemOf, leadOf, useHouse, type Lot } from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { Countdown, useNow } from '../parts/clock.tsx'
import { Photograph } from '../parts/photograph.tsx'
import { useSettings } from '../settings.ts'
import { useTexts } from '../texts/texts.tsx'
import { isExtended } from './filters.ts'

/** One lot on the wall. */
export const LotCard = memo(function LotCard(props: {
  lot: Lot
  session: Session
  index: number
  count: number
  /** Its position, in pixels. */
  x: number
  y: number
  width: number
  isCurrent: boolean
  onFocus: (place: { index: number; id: string }) => void
  isSelected: boolean
  onSelect?: ((index: number, isRange: boolean) => void) | undefined
}) {
  const { lot, session, index, x, y, width, isCurrent, isSelected, onSelect } = props
  const texts = useTexts()
  const formats = useFormats()
  const item = itemOf(lot)
  const number = lot.lot_number === null ? texts.noNumber : String(lot.lot_number)
  const isOpen = session.published
  const price = priceOf(lot)
  const isNew = useFlash(price?.amount)
  return (
    <li
      className="lot-card"
      style={{ width, transform: `translate(${x}px, ${y}px)` }}
      data-index={index}
      data-off={!lot.active}
      aria-setsize={props.count}
      aria-posinset={index + 1}
      onFocus={() => props.onFocus({ index, id: lot.id })}
    >
      {onSelect && (
        <label className="tick">
          <input
            type="checkbox"
            checked={isSelected}
            tabIndex={-1}
            aria-label={texts.selectLot(number)}
            onClick={(event) => onSelect(index, event.shiftKey)}
            onChange={() => undefined}
          />
        </label>
      )}
      <Link
        to="/sessions/$session/lots/$lot"
        params={{ session: session.id, lot: lot.id }}
        tabIndex={isCurrent ? 0 : -1}
      >
        <Photograph image={leadOf(item)} isDecoration={item === null} />
        <Notice lot={lot} />
        <span className="number">
          <b>
            <span className="unseen">{texts.lot('')}</span>
            {number}
          </b>
          <Standing lot={lot} session={session} />
        </span>
        <span className="title" dir="auto">
          {lot.title}
        </span>
        <span className="bid" data-new={isNew}>
          <b>{price ? formats.money(price) : isOpen ? texts.noBid : ''}</b>{' '}
          {item?.estimate && (
            <span className="quiet">
              <span>{texts.estimateShort} </span>
              <span>{formats.estimate(item.estimate)}</span>
            </span>
          )}
        </span>
      </Link>
    </li>
  )
})

/** The price of a sold lot if it is published, else the highest bid. */
export const priceOf = (lot: Lot) => lot.result?.amount ?? lot.current_bid

/** What the house announces about a lot, in the language of the window if it has it. */
export function Notice({ lot }: { lot: Lot }) {
  const { language } = useSettings()
  const house = useHouse()
  const own = lot.notice_translations[language]
  const notice = own ?? lot.notice
  if (notice === null) return null
  return (
    <span className="notice" lang={own === undefined ? house?.locale : language}>
      {notice}
    </span>
  )
}

/** The state of a lot: the time that is left, or how it ended. The key may not read the session. */
export function Standing({ lot, session }: { lot: Lot; session: Session | undefined }) {
  const texts = useTexts()
  const { service: now } = useNow(lot.closes_at !== null)
  if (lot.result) {
    const { state, after_sale } = lot.result
    return (
      <span className="badge" data-state={state}>
        {after_sale ? texts.afterSale : texts[state]}
      </span>
    )
  }
  if (!lot.active) return <span className="badge">{texts.off}</span>
  const isClosed = lot.closes_at !== null && Date.parse(lot.closes_at) <= now
  // The house records a result later than the close.
  if (session?.finished || isClosed)
    return (
      <span className="badge" title={texts.closed}>
        {texts.closed}
      </span>
    )
  if (lot.closes_at === null || session?.published === false) return null
  return (
    <span className="standing">
      {isExtended(lot) && (
        <span className="badge" data-state="extended">
          {texts.extended}
        </span>
      )}
      <Countdown to={lot.closes_at} />
    </span>
  )
}

/** True for a moment after a value has changed. */
export function useFlash(value: number | undefined): boolean {
  const last = useRef(value)
  const [isNew, setNew] = useState(false)
  useEffect(() => {
    if (last.current === value) return undefined
    last.current = value
    setNew(true)
    const timer = setTimeout(() => setNew(false), 2_500)
    return () => clearTimeout(timer)
  }, [value])
  return isNew
}
