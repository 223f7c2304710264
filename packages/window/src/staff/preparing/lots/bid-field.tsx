import { etag } from '@auction-catalogue/client'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { catalogue, putLots, useHouse, type Lot } from '../../../api/index.ts'
import { printTyped, readPrice } from '../../../amounts.ts'
import { useSettings } from '../../../settings.ts'
import { useStaffTexts } from '../../texts/texts.ts'
import { Words } from '../../../parts/problem.tsx'

/**
 * The starting bid of a lot. It is stored when the field is left; Enter goes to the field of the next row. `isWanted`:
 * the user came for this one.
 */
export function BidField({ lot, isWanted }: { lot: Lot; isWanted: boolean }) {
  const own = useStaffTexts()
  const { currency } = useHouse()!
  const { language } = useSettings()
  const print = ({ starting_bid: bid }: Pick<Lot, 'starting_bid'>) => (bid === null ? '' : printTyped(bid, language))
  // `over` is the stored bid when the typing began.
  const [typed, setTyped] = useState<{ text: string; over: string } | null>(null)
  const [problem, setProblem] = useState<ReactNode>(null)
  const [isStored, setStored] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isWanted) input.current!.focus()
  }, [isWanted])
  const save = async () => {
    if (typed === null) return
    if ([typed.over, print(lot)].includes(typed.text.trim())) {
      setTyped(null)
      setProblem(null)
      return
    }
    try {
      const starting_bid = readPrice(typed.text, currency, language, own.notAPrice)
      const stored = await catalogue().staff.lots.get(lot.id)
      // A bid that another person stored meanwhile is shown, not overwritten.
      if (print(stored) !== typed.over) {
        putLots([stored])
        // Otherwise the field would store the typed one as soon as it is left again.
        setTyped(null)
        throw own.preparing.otherStartingBid(print(stored) || '–')
      }
      const changed = await catalogue().staff.lots.update(lot.id, { starting_bid }, { ifMatch: stored[etag]! })
      putLots([changed])
      // What was typed while it was stored stays.
      setTyped((last) => (last && last !== typed ? { ...last, over: print(changed) } : null))
      setProblem(null)
      setStored(true)
    } catch (error) {
      setProblem(typeof error === 'string' ? error : <Words error={error} />)
    }
  }
  const goOn = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    const next = event.currentTarget.closest('tr')?.nextElementSibling?.querySelector<HTMLInputElement>('input.bid')
    if (next) next.focus()
    else event.currentTarget.blur()
    next?.select()
  }
  const name = `bid-problem-${lot.id}`
  return (
    <>
      <input
        ref={input}
        className="bid"
        inputMode="decimal"
        autoComplete="off"
        aria-label={own.preparing.startingBidOf(String(lot.lot_number ?? '–'))}
        aria-invalid={problem !== null}
        aria-describedby={name}
        value={typed?.text ?? print(lot)}
        onChange={({ target }) => {
          setTyped((last) => ({ text: target.value, over: last?.over ?? print(lot) }))
          setStored(false)
        }}
        onBlur={() => void save()}
        onKeyDown={goOn}
      />{' '}
      {isStored && (
        <span className="quiet" role="status">
          ✓<span className="unseen"> {own.isStored}</span>
        </span>
      )}
      <span id={name} className="refusal" role="alert">
        {problem}
      </span>
    </>
  )
}
