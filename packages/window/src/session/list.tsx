import type { Session } from '@auction-catalogue/client'
import { Link, useParams } from '@tanstack/react-router'
import { memo, startTransition, useState } from 'react'
import { itemOf, useLots, usePermissions, useSession, type Lot } from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { Rows } from '../parts/rows.tsx'
import { useSettings } from '../settings.ts'
import { textLabels } from '../texts/items.ts'
import { useTexts } from '../texts/texts.tsx'
import { priceOf, Standing } from './lot-card.tsx'
import { useSoFar } from './so-far.ts'

// What a column is sorted by. A lot without it comes last, in either direction.
const sorts = {
  number: (lot: Lot) => lot.lot_number,
  estimate: (lot: Lot) => itemOf(lot)?.estimate?.low?.amount ?? itemOf(lot)?.estimate?.high?.amount ?? null,
  bid: (lot: Lot) => priceOf(lot)?.amount ?? null,
  bids: (lot: Lot) => lot.staff?.bids ?? 0,
  close: (lot: Lot) => (lot.closes_at === null ? null : Date.parse(lot.closes_at)),
}
type Sort = keyof typeof sorts

function sortLots(lots: Lot[], by: Sort, isDescending: boolean): Lot[] {
  const sign = isDescending ? -1 : 1
  return lots.toSorted((one, other) => {
    const [first, second] = [sorts[by](one), sorts[by](other)]
    if (first === null || second === null) return Number(first === null) - Number(second === null)
    return sign * (first - second)
  })
}

/** All lots of a session in lines, sorted by a column. It prints whole. */
export function List() {
  const texts = useTexts()
  const { language } = useSettings()
  const { session: id } = useParams({ from: '/sessions/$session' })
  const { data: session } = useSession(id)
  const { data } = useLots(id)
  const soFar = useSoFar(id)
  const { isStaff, isForClient } = usePermissions()
  const hasBids = isStaff && !isForClient
  const [order, setOrder] = useState({ by: 'number' as Sort, isDescending: false })
  if (!data || !session) return <p className="quiet">{texts.loading}</p>
  // A client sees no number of bids.
  const { by, isDescending } = order.by === 'bids' && !hasBids ? { by: 'number' as Sort, isDescending: false } : order
  const choose = (next: Sort) =>
    startTransition(() => setOrder({ by: next, isDescending: next === by && !isDescending }))
  const heading = (name: Sort, words: string) => (
    <th scope="col" aria-sort={by === name ? (isDescending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className="plain" onClick={() => choose(name)}>
        {words} <span aria-hidden="true">{by === name ? (isDescending ? '↓' : '↑') : '↕'}</span>
      </button>
    </th>
  )
  return (
    <>
      <div className="toolbar">
        {data.complete && (
          <button type="button" onClick={() => print()}>
            {texts.print}
          </button>
        )}
        <p className="quiet" role="status">
          {soFar ?? texts.lots(data.lots.length)}
        </p>
      </div>
      <div className="scrolls" tabIndex={0} role="region" aria-label={texts.list}>
        <table className="list" aria-rowcount={data.lots.length + 1}>
          <thead>
            <tr>
              {heading('number', texts.lot(''))}
              <th scope="col">{textLabels.title[language]}</th>
              {heading('estimate', texts.estimate)}
              {heading('bid', texts.currentBid)}
              {hasBids && heading('bids', texts.bids)}
              {heading('close', texts.closes)}
              <td />
            </tr>
          </thead>
          <Rows of={sortLots(data.lots, by, isDescending)}>
            {(lot, index) => <Line key={lot.id} lot={lot} index={index} session={session} hasBids={hasBids} />}
          </Rows>
        </table>
      </div>
    </>
  )
}

/** One lot. Only a changed lot is drawn again. */
const Line = memo(function Line(props: { lot: Lot; index: number; session: Session; hasBids: boolean }) {
  const { lot, index, session, hasBids } = props
  const formats = useFormats()
  const item = itemOf(lot)
  const price = priceOf(lot)
  return (
    <tr aria-rowindex={index + 2}>
      <td>{lot.lot_number ?? '–'}</td>
      <td>
        <Link
          to="/sessions/$session/lots/$lot"
          params={{ session: session.id, lot: lot.id }}
          preload={false}
          dir="auto"
        >
          {lot.title}
        </Link>
      </td>
      <td>{item?.estimate ? formats.estimate(item.estimate) : ''}</td>
      <td>{price ? formats.money(price) : ''}</td>
      {hasBids && <td>{lot.staff?.bids ?? 0}</td>}
      <td>{lot.closes_at && formats.dayTime(lot.closes_at)}</td>
      <td>
        <Standing lot={lot} session={session} />
      </td>
    </tr>
  )
})
