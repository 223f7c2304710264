import { memo } from 'react'
import type { Session } from '@auction-catalogue/client'
import { itemOf, leadOf, useHouse, type Lot } from '../api/index.ts'
import { useNow } from '../parts/clock.tsx'
import { tally } from '../staff/tally.ts'
import { estimateOf, Title, type Of } from './catalogue.tsx'
import { useWords } from './words.ts'

/** A line of the auctioneer's book, with empty cells to write in. */
export const BookLine = memo(function BookLine(of: Of) {
  const { lot, words } = of
  const { starting_bid: start, current_bid: bid } = lot
  const source = leadOf(itemOf(lot))?.preview_url
  return (
    <tr>
      <td className="print-number">{lot.lot_number}</td>
      <td className="print-thumb">{source && <img src={source} alt="" loading="lazy" />}</td>
      <td>
        <Title {...of} />
      </td>
      <td className="print-amount">{estimateOf(lot, words)}</td>
      <td className="print-amount">{start && words.formats.money(start)}</td>
      <td className="print-amount">{bid && words.formats.money(bid)}</td>
      <td className="print-blank" />
      <td className="print-blank" />
      <td className="print-blank" />
    </tr>
  )
})

/** A line of the results. `carrier` is the number of the lot whose price includes this one. */
export const ResultLine = memo(function ResultLine(props: Of & { carrier: number | null; isClosed: boolean }) {
  const { carrier, isClosed, ...of } = props
  const { lot, words } = of
  const { result } = lot
  const state = result?.after_sale ? words.afterSale : result ? words[result.state] : isClosed ? words.toFollow : ''
  return (
    <tr>
      <td className="print-number">{lot.lot_number}</td>
      <td>
        <Title {...of} />
      </td>
      <td className="print-amount">{result?.amount && words.formats.money(result.amount)}</td>
      <td>{result?.with && carrier !== null ? words.with(String(carrier)) : state}</td>
    </tr>
  )
})

/** The sums below the results. */
export function Sums({ session, lots, locale }: { session: Session; lots: Lot[]; locale: string }) {
  const words = useWords(locale)
  const { currency } = useHouse()!
  const { service: now } = useNow(false)
  const { share, total, afterwards } = tally(session, lots, now)
  const count = (state: string) => lots.filter(({ result }) => result?.state === state).length
  const sold = count('sold') - afterwards.count
  const unsold = count('unsold') + afterwards.count
  const money = (amount: number) => words.formats.money({ amount, currency })
  const facts: [string, string][] = [
    [words.total, money(total)],
    [words.soldShare, share === null ? '–' : words.formats.percentage(String(Math.round(share * 1000) / 10))],
    [words.sold, words.soldOf(sold, sold + unsold)],
    [words.unsold, words.formats.number(unsold)],
    [words.withdrawn, words.formats.number(count('withdrawn'))],
    ...(afterwards.count > 0
      ? [
          [words.afterSale, `${words.formats.number(afterwards.count)} · ${money(afterwards.total)}`] as [
            string,
            string,
          ],
        ]
      : []),
  ]
  return (
    <>
      <dl className="print-sums">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="print-small">{words.withoutPremium}</p>
    </>
  )
}
