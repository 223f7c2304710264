import { etag, type LotChange } from '@auction-catalogue/client'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { catalogue, putLots, useHouse, type Lot } from '../../../api/index.ts'
import { printTyped, readPrice } from '../../../amounts.ts'
import { useSettings } from '../../../settings.ts'
import { useStaffTexts } from '../../texts/texts.ts'
import { Words } from '../../../parts/problem.tsx'

type Field = {
  lot: Lot
  /** The class of this field in each row. */
  column: string
  label: string
  /** What is stored, as it is typed. */
  print: (lot: Pick<Lot, 'lot_number' | 'starting_bid'>) => string
  /** What a typed text changes. It throws a text for one that it does not take. */
  read: (text: string) => LotChange
  isWanted: boolean
}

/** The starting bid of a lot. `isWanted`: the user came for this one. */
export function BidField({ lot, isWanted }: { lot: Lot; isWanted: boolean }) {
  const own = useStaffTexts()
  const { currency } = useHouse()!
  const { language } = useSettings()
  return (
    <RowField
      lot={lot}
      column="bid"
      label={own.preparing.startingBidOf(String(lot.lot_number ?? '–'))}
      print={({ starting_bid: bid }) => (bid === null ? '' : printTyped(bid, language))}
      read={(text) => ({ starting_bid: readPrice(text, currency, language, own.notAPrice) })}
      isWanted={isWanted}
    />
  )
}

/** The number of a lot. */
export function NumberField({ lot }: { lot: Lot }) {
  const own = useStaffTexts().preparing
  return (
    <RowField
      lot={lot}
      column="lot-number"
      label={own.numberOf(lot.title)}
      print={({ lot_number: number }) => String(number ?? '')}
      read={(text) => {
        if (!/^[1-9]\d{0,8}$/.test(text.trim())) throw own.notANumber
        return { lot_number: Number(text) }
      }}
      isWanted={false}
    />
  )
}

/** A field of a lot. It is stored when it is left; Enter goes to the field of the next row. */
function RowField({ lot, column, label, print, read, isWanted }: Field) {
  const own = useStaffTexts()
  // `over` is what was stored when the typing began.
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
      const body = read(typed.text)
      const stored = await catalogue().staff.lots.get(lot.id)
      // What another person stored meanwhile is shown, not overwritten.
      if (print(stored) !== typed.over) {
        putLots([stored])
        // Otherwise the field would store the typed one as soon as it is left again.
        setTyped(null)
        throw own.preparing.otherStored(print(stored) || '–')
      }
      const changed = await catalogue().staff.lots.update(lot.id, body, { ifMatch: stored[etag]! })
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
    const next = event.currentTarget
      .closest('tr')
      ?.nextElementSibling?.querySelector<HTMLInputElement>(`input.${column}`)
    if (next) next.focus()
    else event.currentTarget.blur()
    next?.select()
  }
  const name = `${column}-problem-${lot.id}`
  return (
    <>
      <input
        ref={input}
        className={column}
        inputMode={column === 'bid' ? 'decimal' : 'numeric'}
        autoComplete="off"
        aria-label={label}
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
