import { etag, type House, type LotChange, type LotResult, type Session } from '@auction-catalogue/client'
import { readPrice } from '../amounts.ts'
import { catalogue, connection, itemOf, putLots, useHouse, type Lot } from '../api/index.ts'
import { useSettings } from '../settings.ts'
import { useIncrements, useLot } from '../api/single.ts'
import { useFormats } from '../formats.ts'
import { useIsPast } from '../parts/clock.tsx'
import { leastBid } from './clerk/doubts.ts'
import { isSameResult } from './decisions.ts'
import { Reason } from './session-steps.tsx'
import { Steps, type StepOf } from './step.tsx'
import { useStaffTexts } from './texts/texts.ts'
import { useResultWords } from './words.tsx'

// Whether the item of a lot that was not sold is offered again.
async function isInOtherLot(lot: Lot): Promise<boolean> {
  const external_reference = itemOf(lot)?.external_reference
  if (!external_reference) return false
  const { data } = await catalogue().staff.items.list({ external_reference, offered: 'open', limit: 1 }).page()
  return data.length > 0
}

type Wish = 'bid' | 'hold' | 'sell' | 'pass' | 'withdraw' | 'reopen' | 'correct' | 'afterSale'

/** What staff do with one lot. `wishes`: those that fit the place; only those that the lot allows are shown. */
export function LotSteps(props: { lot: Lot; session: Session; wishes: Wish[] }) {
  const { lot, session, wishes } = props
  const steps = useLotSteps(lot, session)
  // Lots of several sales may stand in one list, with the same numbers.
  const about = (
    <p>
      <b dir="auto">{lot.title}</b> {session.title && <span dir="auto">· {session.title}</span>}
    </p>
  )
  return (
    <Steps
      steps={wishes.flatMap((wish) => {
        const step = steps[wish]
        if (!step) return []
        const fields = (
          <>
            {about}
            {step.fields}
          </>
        )
        return [{ ...step, fields }]
      })}
    />
  )
}

function useLotSteps(lot: Lot, session: Session): Partial<Record<Wish, StepOf>> {
  const { finished, kind } = session
  const own = useStaffTexts()
  const formats = useFormats()
  const words = useResultWords()
  const house: House = useHouse()!
  const { language } = useSettings()
  const number = String(lot.lot_number)
  const isHeld = lot.staff?.held ?? false
  const isClosed = useIsPast(lot.closes_at)
  const isOpen = !finished && lot.closes_at !== null && !isClosed
  const price = (text: string | undefined) => readPrice(text ?? '', house.currency, language, own.notAPrice)
  const say = (result: LotResult | null) => own.lotIs(number, words(result))
  const change = async (body: LotChange, dryRun: boolean): Promise<Lot> => {
    // A result that another person recorded meanwhile is shown, not overwritten.
    const stored = await catalogue().staff.lots.get(lot.id)
    if (!isSameResult(stored.result, lot.result)) {
      putLots([stored])
      throw own.lotIs(number, words(stored.result))
    }
    const changed = await catalogue().staff.lots.update(lot.id, body, { dryRun, ifMatch: stored[etag]! })
    if (!dryRun) putLots([changed])
    return changed
  }
  const decide = (name: string, state: 'unsold' | 'withdrawn', title: string): StepOf => ({
    title,
    name,
    run: async ({ reason }, dryRun) =>
      say((await change({ result: { state, ...(reason?.trim() && { reason: reason.trim() }) } }, dryRun)).result),
  })
  const bid: StepOf = {
    title: own.bidTitle(number),
    name: own.bid,
    fields: (
      <>
        <BidsSoFar lot={lot} session={session} />
        <label>
          {own.bidAmount}
          <input name="amount" inputMode="decimal" required autoComplete="off" />
        </label>
      </>
    ),
    run: async ({ amount }, dryRun) => {
      const money = price(amount)
      if (money === null) throw own.notAPrice
      const { closes_at } = await catalogue().staff.bids.place(lot.id, { amount: money }, { dryRun })
      return own.bidIs(number, formats.money(money), closes_at ? formats.exact(closes_at) : '–')
    },
  }
  const reopen: StepOf = {
    title: own.reopenTitle(number),
    name: own.reopen,
    isDangerous: true,
    fields: (
      <>
        {kind === 'timed' && !finished && isClosed && (
          <label>
            {own.reopenMinutes}
            <input name="minutes" inputMode="numeric" autoComplete="off" />
          </label>
        )}
        <Reason />
      </>
    ),
    run: async ({ minutes = '', reason = '' }, dryRun) => {
      if (!/^\d{0,5}$/.test(minutes.trim())) throw own.notMinutes
      const closes_at = minutes.trim() && new Date(connection.clock.now() + Number(minutes) * 60_000).toISOString()
      const body = { result: null, reason, ...(closes_at && { closes_at }), ...(finished && { correct: true }) }
      const changed = await change(body, dryRun)
      // A lot that was decided before its close takes bids until then.
      return (closes_at || (isOpen && kind === 'timed')) && changed.closes_at
        ? own.reopened(number, formats.exact(changed.closes_at))
        : own.takenBackLot(number)
    },
  }
  const correct: StepOf = {
    title: own.correctTitle(number),
    name: own.correct,
    isDangerous: true,
    fields: (
      <>
        <label>
          {own.result}
          <select name="state" defaultValue={lot.result?.after_sale ? 'afterSale' : lot.result?.state}>
            <option value="sold">{own.recordSold}</option>
            <option value="afterSale">{own.afterSale}</option>
            <option value="unsold">{own.unsold}</option>
            <option value="withdrawn">{own.withdrawn}</option>
          </select>
        </label>
        <label>
          {own.correctAmount}
          <input
            name="amount"
            inputMode="numeric"
            autoComplete="off"
            placeholder={lot.result?.amount ? formats.money(lot.result.amount) : ''}
          />
        </label>
        <Reason />
      </>
    ),
    run: async ({ state, amount, reason = '' }, dryRun) => {
      const money = price(amount)
      const after_sale = state === 'afterSale'
      const decided = { state: after_sale ? 'sold' : (state as LotResult['state']), after_sale }
      // A lot that was sold together with another stays with it, unless it gets a price of its own.
      const carrier = decided.state === 'sold' && money === null ? lot.result?.with : null
      const result = {
        ...decided,
        ...(money && { amount: money }),
        ...(carrier && { with: carrier }),
        correct: true,
        reason,
      }
      return say((await change({ result }, dryRun)).result)
    },
  }
  const afterSale: StepOf = {
    title: own.afterSaleTitle(number),
    name: own.afterSale,
    fields: (
      <label>
        {own.afterSaleAmount}
        <input name="amount" inputMode="decimal" autoComplete="off" />
      </label>
    ),
    run: async ({ amount }, dryRun) => {
      const result = { state: 'sold', after_sale: true, amount: price(amount) } as const
      const said = say((await change({ result }, dryRun)).result)
      return dryRun && (await isInOtherLot(lot)) ? (
        <>
          {said} <b className="refusal">{own.isInOtherLot}</b>
        </>
      ) : (
        said
      )
    },
  }
  const sell: StepOf = {
    title: own.sellTitle(number),
    name: own.recordSold,
    fields: (
      <label>
        {own.sellAmount}
        <input
          name="amount"
          inputMode="numeric"
          autoComplete="off"
          placeholder={lot.current_bid ? formats.money(lot.current_bid) : ''}
        />
      </label>
    ),
    run: async ({ amount }, dryRun) => {
      const money = price(amount)
      return say((await change({ result: { state: 'sold', ...(money && { amount: money }) } }, dryRun)).result)
    },
  }
  const hold: StepOf = {
    title: isHeld ? own.releaseTitle(number) : own.holdTitle(number),
    name: isHeld ? own.release : own.hold,
    isDirect: true,
    run: async (_, dryRun) => {
      await change({ held: !isHeld }, dryRun)
      return isHeld ? own.released(number) : own.heldLot(number)
    },
  }
  if (lot.result === null)
    return {
      ...(isOpen && lot.active && { bid }),
      hold,
      ...((!isOpen || kind === 'live') && {
        sell,
        pass: decide(own.passed, 'unsold', own.passTitle(number)),
      }),
      withdraw: {
        ...decide(own.withdraw, 'withdrawn', own.withdrawTitle(number)),
        fields: <Reason isOptional />,
        isDangerous: true,
      },
    }
  return { reopen, correct, ...(lot.result.state === 'unsold' && { afterSale }) }
}

/** The highest bid on a lot, and the least that the next one can be. */
function BidsSoFar({ lot, session }: { lot: Lot; session: Session }) {
  const own = useStaffTexts()
  const formats = useFormats()
  const { currency } = useHouse()!
  const { current_bid, starting_bid } = useLot(lot.id).data ?? lot
  const steps = useIncrements(session)
  const isKnown = current_bid === null || session.increment_strategy === null || steps !== undefined
  const amount = leastBid(starting_bid?.amount ?? null, current_bid?.amount ?? null, steps ?? [])
  return (
    <dl className="relations">
      <dt>{own.highestBid}</dt>
      <dd>{current_bid ? formats.money(current_bid) : '–'}</dd>
      <dt>{own.nextBid}</dt>
      <dd>{isKnown ? formats.money({ amount, currency }) : '–'}</dd>
    </dl>
  )
}
