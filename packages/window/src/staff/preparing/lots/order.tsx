import type { LotId, Session } from '@auction-catalogue/client'
import { useSearch } from '@tanstack/react-router'
import {
  startTransition,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import {
  catalogue,
  itemOf,
  knownLots,
  putLots,
  readAgain,
  useHouse,
  useMay,
  type CountedSession,
  type Lot,
} from '../../../api/index.ts'
import { useFormats } from '../../../formats.ts'
import { useKept } from '../../../parts/drafts.ts'
import { Rows } from '../../../parts/rows.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { useSettings } from '../../../settings.ts'
import { textLabels } from '../../../texts/items.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { Steps, type StepOf } from '../../step.tsx'
import { useStaffTexts } from '../../texts/texts.ts'
import { findLacks, findLanguages } from '../lacks.ts'
import { useFixing, useNumbering } from './numbers.tsx'
import { Row } from './order-row.tsx'
import { proposeBid, readIncrements, readPercent } from './starting-bids.ts'

/** Lots in an order; those that came later follow. */
function arrange(lots: Lot[], order: readonly LotId[] | null): Lot[] {
  if (order === null) return lots
  const byId = new Map(lots.map((lot) => [lot.id, lot]))
  const known = new Set(order)
  return [...order.flatMap((id) => byId.get(id) ?? []), ...lots.filter(({ id }) => !known.has(id))]
}

const collator = new Intl.Collator(undefined, { numeric: true })
const lowOf = (lot: Lot) => itemOf(lot)?.estimate?.low?.amount ?? itemOf(lot)?.estimate?.high?.amount ?? Infinity
const referenceOf = (lot: Lot) => itemOf(lot)?.external_reference ?? ''
const sorts = {
  reference: (one: Lot, other: Lot) => collator.compare(referenceOf(one), referenceOf(other)),
  estimate: (one: Lot, other: Lot) => lowOf(one) - lowOf(other) || 0,
  title: (one: Lot, other: Lot) => collator.compare(one.title, other.title),
}

/**
 * The lots of a session: their order, numbers and starting bids, and what they lack. While they load, `soFar` says how many
 * there are, and they cannot be put in order. `children` join its toolbar.
 */
export function Order(props: { session: CountedSession; lots: Lot[]; soFar: string | undefined; children: ReactNode }) {
  const { session, lots, soFar, children } = props
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const { language } = useSettings()
  const { locale } = useHouse()!
  const { lot: wanted } = useSearch({ from: '/sessions/$session/prepare' })
  const [order, setOrder] = useKept<readonly LotId[]>(`order ${session.id}`)
  const [typed, setTyped] = useKept<{ from: string }>(`first number ${session.id}`)
  const typedFrom = typed?.from ?? null
  const [said, setSaid] = useState('')
  const isWhole = soFar === undefined
  const rows = arrange(lots, isWhole ? order : null)
  const lowest = lots.reduce((least, { lot_number }) => Math.min(least, lot_number ?? Infinity), Infinity)
  const from = Number(typedFrom ?? (lowest === Infinity ? 1 : lowest))
  // Thousands of rows show another number: the field is drawn before them.
  const shownFrom = useDeferredValue(from)
  // The row that has the focus is drawn wherever it goes: what is typed in it stays.
  const [held, setHeld] = useState<string | undefined>(wanted)
  const isReordered = isWhole && (order !== null || typedFrom !== null)
  const fixing = useFixing(session)
  const reset = () => {
    setOrder(null)
    setTyped(null)
  }
  const numbering = useNumbering(session, rows, from, isReordered, reset)
  const pricing = usePricing(session)
  const languages = findLanguages(lots, locale)

  // A row that moves takes the focus along.
  const focused = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (focused.current?.isConnected && document.activeElement !== focused.current)
      (focused.current as HTMLElement).focus({ preventScroll: true })
    focused.current = null
  }, [order])
  const latest = useRef(rows)
  useLayoutEffect(() => {
    latest.current = rows
  })
  const move = useCallback(
    (id: LotId, to: (index: number) => number) => {
      const ids = latest.current.map((lot) => lot.id)
      const index = ids.indexOf(id)
      const place = Math.max(0, Math.min(ids.length - 1, to(index)))
      if (place === index || index < 0) return
      focused.current = document.activeElement
      setHeld(id)
      setOrder(ids.toSpliced(index, 1).toSpliced(place, 0, id))
      setSaid(own.movedTo(latest.current[index]!.title, place + 1, ids.length))
    },
    [own],
  )
  return (
    <>
      <div className="toolbar" role="group" aria-label={texts.prepare}>
        {isWhole && (
          <>
            <label>
              {own.sortBy}{' '}
              <select
                value=""
                onChange={({ target }) => {
                  const sort = sorts[target.value as keyof typeof sorts]
                  startTransition(() => setOrder(sort ? rows.toSorted(sort).map(({ id }) => id) : null))
                }}
              >
                <option value="">{texts.none}</option>
                <option value="number">{own.lotNumber}</option>
                <option value="reference">{texts.reference}</option>
                <option value="estimate">{texts.estimate}</option>
                <option value="title">{textLabels.title[language]}</option>
              </select>
            </label>
            <label>
              {own.numberFrom}{' '}
              <input
                type="number"
                min="1"
                className="bid"
                value={typedFrom ?? String(from)}
                onChange={({ target }) => setTyped({ from: target.value })}
              />
            </label>
            <Steps steps={[...(isReordered ? [numbering] : []), fixing, pricing]} />
            {isReordered && (
              <button type="button" className="plain" onClick={reset}>
                {own.resetOrder}
              </button>
            )}
          </>
        )}
        {children}
      </div>
      {!isWhole && <p className="quiet">{soFar}</p>}
      {isWhole && lots.length === 0 && <p>{texts.noLots}</p>}
      <p className="quiet">{session.staff?.numbers_fixed ? own.areFixed : own.orderHelp}</p>
      <p role="status" className="unseen">
        {said}
      </p>
      <div
        className="scrolls"
        tabIndex={0}
        role="region"
        aria-label={own.order}
        onFocus={({ target }) => setHeld(rows[Number(target.closest('tr')?.ariaRowIndex) - 2]?.id)}
      >
        <table className="results cards" aria-rowcount={rows.length + 1}>
          <TableHead
            names={[
              '',
              '',
              own.lotNumber,
              texts.reference,
              textLabels.title[language],
              texts.estimate,
              texts.startingBid,
              own.without,
              '',
            ]}
          />
          <Rows of={rows} shown={rows.findIndex(({ id }) => id === held)}>
            {(lot, index) => (
              <Row
                key={lot.id}
                lot={lot}
                index={index}
                session={session.id}
                number={isReordered ? shownFrom + index : lot.lot_number}
                lacks={findLacks(lot, languages)
                  .map((lack) => own.lacks[lack])
                  .join(', ')}
                mayType={!isReordered && !session.staff?.numbers_fixed}
                isWanted={lot.id === wanted}
                move={isWhole ? move : undefined}
              />
            )}
          </Rows>
        </table>
      </div>
    </>
  )
}

// The service takes as many at once.
const mostLots = 5_000

/** Gives the lots without a starting bid one from their estimates. */
function usePricing(session: Session): StepOf {
  const own = useStaffTexts().preparing
  const formats = useFormats()
  const mayReadStrategies = useMay('bidding_step_configurations.read')
  return {
    title: own.priceLots,
    name: own.store,
    label: own.priceLots,
    fields: (
      <label>
        {own.percentOfLow}
        <input name="percent" inputMode="numeric" autoComplete="off" required />
      </label>
    ),
    run: async ({ percent }, dryRun) => {
      const share = readPercent(percent, own.notPercent)
      if (share === undefined) throw own.notPercent
      const steps = await readIncrements(session, mayReadStrategies)
      // A bid that another person stored meanwhile stays.
      await readAgain(session.id)
      const priced = knownLots(session.id).flatMap((lot) => {
        const item = itemOf(lot)
        const bid = item && lot.starting_bid === null ? proposeBid(item, share, steps) : null
        return bid ? [{ lot, bid }] : []
      })
      if (priced.length === 0) throw own.nothingChanged
      for (let at = 0; at < priced.length; at += mostLots) {
        const part = priced.slice(at, at + mostLots).map(({ lot, bid }) => ({ lot: lot.id, starting_bid: bid }))
        const changed = await catalogue().staff.sessions.updateLots(session.id, { lots: part }, { dryRun })
        if (!dryRun) putLots(changed)
      }
      return (
        <>
          <p>{own.priced(priced.length)}</p>
          <ul className="refusals">
            {priced.slice(0, 50).map(({ lot, bid }) => (
              <li key={lot.id}>
                <b>{lot.lot_number ?? '–'}</b> <span dir="auto">{lot.title}</span> {formats.money(bid)}
              </li>
            ))}
          </ul>
        </>
      )
    },
  }
}
