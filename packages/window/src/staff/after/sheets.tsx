import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { itemOf, useHouse, useMay } from '../../api/index.ts'
import { saveCsv } from '../../parts/csv.ts'
import { Forbidden, Problem } from '../../parts/problem.tsx'
import { TableHead } from '../../parts/table-head.tsx'
import { useTitle } from '../../parts/title.ts'
import { useWords } from '../../prints/words.ts'
import { useSettings } from '../../settings.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import type { AfterSearch } from './results-of.ts'
import { printSheets, readSheets, sheetColumns, type Sheet, type SheetLot } from './sheet.ts'
import '../../styles/prints.css'

const needed = ['staff', 'lots.read', 'auctions.read', 'seller_profiles.read'] as const

/** A sheet of the results for each seller, on paper and as CSV. */
export function SheetsPage() {
  const own = useStaffTexts().after
  const texts = useTexts()
  const search = useSearch({ from: '/after/sheets' })
  const may = [useMay(needed[0]), useMay(needed[1]), useMay(needed[2]), useMay(needed[3])]
  const missing = needed.find((_, index) => !may[index])
  useTitle(own.sheets)
  const { data, error, refetch } = useQuery({
    queryKey: ['found', 'sheets', search],
    queryFn: ({ signal }) => readSheets(search, signal),
    enabled: missing === undefined,
  })
  const { currency } = useHouse()!
  const paper = useRef<HTMLDivElement>(null)
  if (missing) return <Forbidden permission={missing} />
  const name = data?.length === 1 ? `${own.sheets} ${data[0]!.seller?.seller_number ?? ''}`.trim() : own.sheets
  return (
    <div className="page">
      <div className="prints">
        <h1>{own.sheets}</h1>
        <div className="toolbar">
          <Link to="/after" search={search}>
            {own.toLots}
          </Link>
          {data && data.length > 0 && (
            <>
              <button type="button" onClick={() => saveCsv(name, sheetColumns, printSheets(data, currency))}>
                {texts.saveCsv}
              </button>
              <button type="button" className="primary" onClick={() => print()}>
                {texts.print}
              </button>
            </>
          )}
        </div>
        {error && <Problem error={error} retry={() => void refetch()} />}
        {!data && !error && <p className="quiet">{own.readingSheets}</p>}
        {data?.length === 0 && <p className="quiet">{texts.noMatch}</p>}
        {data && data.length > 0 && (
          <div ref={paper} className="paper" data-paper="sheets" tabIndex={0} role="region" aria-label={own.sheets}>
            {data.map((sheet) => (
              <Paper key={sheet.id} sheet={sheet} only={search.result} />
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

/** The sheet of one seller. It begins a page. `only`: the results that it has, if it leaves others out. */
function Paper({ sheet: { id, seller, lots }, only }: { sheet: Sheet; only: AfterSearch['result'] }) {
  const own = useStaffTexts().after
  const { language } = useSettings()
  const words = useWords(language)
  const texts = useTexts()
  const house = useHouse()!
  const total = lots.reduce((sum, { price }) => sum + (price?.amount ?? 0), 0)
  const name = seller ? `${seller.name ?? ''} (${seller.seller_number})`.trim() : (id ?? own.noSeller)
  return (
    <section className="print-sheet">
      <header className="print-head">
        <p>{house.name}</p>
        <h2 dir="auto">{name}</h2>
        <p>
          <b>{words.papers.results}</b>
          {only && ` · ${only === 'none' ? texts.withoutResult : words[only]}`}
        </p>
      </header>
      <table>
        <TableHead
          names={[words.lot, texts.consignment, words.title, words.estimate, words.result, words.price]}
          amounts={[words.estimate, words.price]}
        />
        {[...Map.groupBy(lots, ({ session }) => session.id).values()].map((group) => (
          <tbody key={group[0]!.session.id}>
            <tr>
              <th colSpan={6} scope="rowgroup" dir="auto">
                {group[0]!.session.title ?? texts.untitled}
                {group[0]!.session.opens_at && ` · ${words.formats.dayTime(group[0]!.session.opens_at)}`}
              </th>
            </tr>
            {group.map((each) => (
              <Line key={each.lot.id} of={each} />
            ))}
          </tbody>
        ))}
      </table>
      <dl className="print-sums">
        <div>
          <dt>{own.total}</dt>
          <dd>{words.formats.money({ amount: total, currency: house.currency })}</dd>
        </div>
      </dl>
      {lots.some(({ isShared }) => isShared) && <p className="print-small">{own.nobodysPrice}</p>}
    </section>
  )
}

function Line({ of: { lot, consignment, price, soldWith } }: { of: SheetLot }) {
  const own = useStaffTexts().after
  const { language } = useSettings()
  const words = useWords(language)
  const { result } = lot
  const estimate = itemOf(lot)?.estimate
  return (
    <tr>
      <td className="print-number">{lot.lot_number}</td>
      <td>{consignment}</td>
      <td dir="auto">{lot.title}</td>
      <td className="print-amount">{estimate && words.formats.estimate(estimate)}</td>
      <td>
        {result && (result.after_sale ? words.afterSale : words[result.state])}
        {soldWith.length > 0 && <span className="print-small"> {own.soldTogether(soldWith.join(', '))}</span>}
      </td>
      <td className="print-amount">{price && words.formats.money(price)}</td>
    </tr>
  )
}
