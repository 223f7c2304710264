import type { Session } from '@auction-catalogue/client'
import type { ReactNode } from 'react'
import { useHouse, useLots, type Lot } from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { Countdown, useNow } from '../parts/clock.tsx'
import { useSoFar } from '../session/so-far.ts'
import { DraftAuction } from './preparing/auction-steps.tsx'
import { SessionSteps } from './session-steps.tsx'
import { tally } from './tally.ts'
import { useStaffTexts } from './texts/texts.ts'

const noLots: Lot[] = []

/** The lots of a session by what staff do with them, now. */
export function useTally(session: Session) {
  const { data } = useLots(session.id)
  const { service: now } = useNow()
  return tally(session, data?.lots ?? noLots, now)
}

/** What staff do with the whole session, and its state in figures. `children` join the toolbar. */
export function SaleHead({ session, children }: { session: Session; children?: ReactNode }) {
  const own = useStaffTexts()
  const soFar = useSoFar(session.id)
  const formats = useFormats()
  const { currency } = useHouse()!
  const { open, due, held, bidless, share, total, afterwards, bids } = useTally(session)
  const money = (amount: number) => formats.money({ amount, currency })
  const [next] = open
  return (
    <>
      <div className="toolbar">
        {children}
        <SessionSteps session={session} />
        <DraftAuction session={session} />
      </div>
      <section className="sale-head" aria-label={own.stateOfSale}>
        <dl>
          {session.kind === 'timed' && (
            <>
              <div>
                <dt>{own.nextClose}</dt>
                <dd>
                  {next ? (
                    <>
                      {next.lot_number} · <Countdown to={next.closes_at!} />
                    </>
                  ) : (
                    '–'
                  )}
                </dd>
              </div>
              <Fact name={own.open}>{formats.number(open.length)}</Fact>
            </>
          )}
          <Fact name={own.soldShare}>
            {share === null ? '–' : formats.percentage(String(Math.round(share * 1000) / 10))}
          </Fact>
          <Fact name={own.totalPrices}>{money(total)}</Fact>
          {afterwards.count > 0 && (
            <Fact name={own.afterSale}>
              {formats.number(afterwards.count)} · {money(afterwards.total)}
            </Fact>
          )}
          <Fact name={own.totalBids}>{money(bids)}</Fact>
          <Fact name={own.withoutBid}>{formats.number(bidless.length)}</Fact>
          <Fact name={own.held}>{formats.number(held.length)}</Fact>
          <Fact name={own.withoutResult}>{formats.number(due.length)}</Fact>
        </dl>
        {soFar && <p role="status">{soFar}</p>}
      </section>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
