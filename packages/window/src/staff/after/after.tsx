import type { ConsignmentId, LotId } from '@auction-catalogue/client'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { memo, useState } from 'react'
import {
  catalogue,
  itemIdOf,
  itemOf,
  knownLot,
  leadOf,
  useAuction,
  useAuctions,
  useMay,
  useRecords,
  type Item,
  type Lot,
} from '../../api/index.ts'
import { useNamed } from '../../api/single.ts'
import { useFormats } from '../../formats.ts'
import { Photograph } from '../../parts/photograph.tsx'
import { Forbidden, Problem, Words } from '../../parts/problem.tsx'
import { useTitle } from '../../parts/title.ts'
import { Standing } from '../../session/lot-card.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { orRetry, useChoices, useNumberedSellers } from '../choices.ts'
import { Combobox } from '../combobox.tsx'
import { LotSteps } from '../lot-steps.tsx'
import { useAddLots } from '../preparing/lots/add-lots.tsx'
import { Stage, Steps } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import {
  readUnsold,
  useOfferedAgain,
  useResultsOf,
  useUnsold,
  type AfterSearch,
  type LotOfSession,
} from './results-of.ts'
import '../../styles/search.css'
import '../../styles/staff.css'

/** The results of all sales, by seller, consignment, sale and state. */
export function AfterPage() {
  const texts = useTexts()
  const isStaff = useMay('staff')
  const mayReadSales = useMay('auctions.read')
  const mayReadLots = useMay('lots.read')
  useTitle(texts.afterTheSale)
  if (!isStaff) return <Forbidden permission="staff" />
  if (!mayReadSales || !mayReadLots) return <Forbidden permission={mayReadSales ? 'lots.read' : 'auctions.read'} />
  return (
    <div className="page wide">
      <Stage>
        <h1>{texts.afterTheSale}</h1>
        <Results />
      </Stage>
    </div>
  )
}

/** Leads to the sheets once it is chosen of whom, and says so until then. */
function SheetsLink() {
  const own = useStaffTexts().after
  const search = useSearch({ from: '/after' })
  const mayReadSellers = useMay('seller_profiles.read')
  const { seller, consignment, auction, session } = search
  if (!mayReadSellers) return null
  if (!(seller ?? consignment ?? auction ?? session)) return <span className="quiet">{own.sheetsOf}</span>
  return (
    <Link to="/after/sheets" search={search}>
      {own.sheets}
    </Link>
  )
}

/** Seller, consignment and sale are found by typing. */
function Choices() {
  const own = useStaffTexts().after
  const texts = useTexts()
  const search = useSearch({ from: '/after' })
  const navigate = useNavigate({ from: '/after' })
  const { seller, consignment, auction } = search
  const mayReadSellers = useMay('seller_profiles.read')
  const [isTyping, setTyping] = useState(false)
  const sellers = useNumberedSellers()
  const consignments = useChoices<ConsignmentId>('consignment', { seller, isWanted: isTyping })
  const auctions = useAuctions()
  const found = auctions.data?.pages.flatMap((page) => page.data).map(({ id, title }) => ({ id, name: title }))
  const sales = orRetry({ ...auctions, data: found && { choices: found, isPart: auctions.hasNextPage } })
  const { data: chosenAuction } = useAuction(auction)
  const choose = (change: AfterSearch) => void navigate({ search: (last) => ({ ...last, ...change }), replace: true })
  return (
    <div className="filters" role="group" aria-label={texts.filters}>
      {mayReadSellers && (
        <>
          <Combobox
            label={texts.seller}
            list={sellers}
            chosen={seller === undefined ? '' : (sellers?.choices.find(({ id }) => id === seller)?.name ?? '…')}
            onChoose={(choice) => choose({ seller: choice?.id, consignment: undefined, session: undefined })}
          />
          <Combobox
            label={texts.consignment}
            list={consignments}
            chosen={useNumberOf(consignment)}
            onChoose={(choice) => choose({ consignment: choice?.id, session: undefined })}
            onFocus={() => setTyping(true)}
          />
        </>
      )}
      <Combobox
        label={own.sale}
        list={sales}
        chosen={auction === undefined ? '' : (chosenAuction?.title ?? '…')}
        onChoose={(choice) => choose({ auction: choice?.id, session: undefined })}
      />
    </div>
  )
}

function useNumberOf(id: AfterSearch['consignment']): string {
  const { data } = useNamed(id ?? 'none', () =>
    id === undefined ? Promise.resolve({}) : catalogue().consignments.get(id),
  )
  return id === undefined ? '' : (data?.number ?? '…')
}

type Chosen = ReadonlyMap<LotId, Item>
const none: Chosen = new Map()
const canOffer = (lot: Lot) => lot.result?.state === 'unsold' && itemOf(lot) !== null

function Results() {
  const own = useStaffTexts().after
  const texts = useTexts()
  const search = useSearch({ from: '/after' })
  const navigate = useNavigate({ from: '/after' })
  const formats = useFormats()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useResultsOf(search)
  const again = useOfferedAgain(search)
  // What is chosen ends with the search in which it was.
  const name = JSON.stringify(search)
  const [selection, setSelection] = useState({ name, chosen: none })
  const [problem, setProblem] = useState<unknown>()
  const [isReading, setReading] = useState(false)
  const chosen = selection.name === name ? selection.chosen : none
  const setChosen = (next: Chosen) => setSelection({ name, chosen: next })
  const found = data?.pages.flatMap((page) => page.found) ?? []
  const [first] = data?.pages ?? []
  const facets = first?.facets
  // The lots of one seller are few: they are read, because those that were offered again do not count.
  const isWhole = data !== undefined && !hasNextPage
  const read = useUnsold(search, again !== undefined && !isWhole)
  const unsold = isWhole ? found : read
  const waiting = unsold?.filter(({ lot }) => canOffer(lot) && !again?.has(itemIdOf(lot)))
  const selected: Item[] = [...new Map([...chosen.values()].map((item) => [item.id, item])).values()]
  const offer = useAddLots(selected, undefined, () => setChosen(none))
  const states = { sold: texts.sold, unsold: texts.unsold, withdrawn: texts.withdrawn, none: texts.withoutResult }
  const countOf = (state: string) => facets?.result.find(({ value }) => value === state)?.count ?? 0
  const choose = (change: AfterSearch) => void navigate({ search: (last) => ({ ...last, ...change }), replace: true })
  const mayBeUnsold = search.result === undefined || search.result === 'unsold'
  const count = mayBeUnsold ? (waiting?.length ?? countOf('unsold')) : 0
  const selectAll = async () => {
    setProblem(undefined)
    setReading(true)
    try {
      const all = waiting ?? (await readUnsold(search)).filter(({ lot }) => canOffer(lot))
      const added = all.map(({ lot }) => [lot.id, itemOf(lot)!] as const)
      // Others may have been chosen meanwhile, also in another search.
      setSelection((last) => {
        if (last.name === name) return { name, chosen: new Map([...last.chosen, ...added]) }
        return last.chosen.size === 0 ? { name, chosen: new Map(added) } : last
      })
    } catch (error) {
      setProblem(error)
    }
    setReading(false)
  }
  const toggle = (lot: Lot) => {
    const next = new Map(chosen)
    if (!next.delete(lot.id)) next.set(lot.id, itemOf(lot)!)
    setChosen(next)
  }
  return (
    <>
      <div className="toolbar">
        <Choices />
        {facets && (facets.session.length > 1 || search.session) && (
          <label className="stacked">
            {texts.session}
            <select
              value={search.session ?? ''}
              onChange={({ target }) => choose({ session: (target.value || undefined) as AfterSearch['session'] })}
            >
              <option value="">{texts.filterAll}</option>
              {facets.session.map(({ value, name, count }) => (
                <option key={value} value={value}>
                  {name ?? texts.untitled} ({formats.number(count)})
                </option>
              ))}
            </select>
          </label>
        )}
        {(count > 0 || selected.length > 0) && (
          <div className="switching" role="group" aria-label={texts.select}>
            {count > 0 && (
              <button type="button" disabled={isReading} aria-busy={isReading} onClick={() => void selectAll()}>
                {/* Of more than 10,000 lots the service only estimates how many are unsold. */}
                {!waiting && first?.totalCapped
                  ? own.selectAllUnsold
                  : (count < countOf('unsold') ? own.selectWaiting : own.selectUnsold)(formats.number(count))}
              </button>
            )}
            {selected.length > 0 && (
              <>
                <b role="status">{texts.selected(selected.length)}</b>
                <Steps steps={[{ ...offer, label: own.offerAgain }]} />
                <button type="button" className="plain" onClick={() => setChosen(none)}>
                  {texts.clearSelection}
                </button>
              </>
            )}
          </div>
        )}
        <SheetsLink />
        {first && (
          <p role="status" className="quiet">
            {texts.found(first.total, first.totalCapped)}
          </p>
        )}
        <div className="chips" role="group" aria-label={texts.results}>
          <button type="button" aria-pressed={!search.result} onClick={() => choose({ result: undefined })}>
            {texts.filterAll}
          </button>
          {(Object.keys(states) as (keyof typeof states)[]).map((state) => (
            <button
              key={state}
              type="button"
              aria-pressed={search.result === state}
              onClick={() => choose({ result: state })}
            >
              {states[state]} <span>{facets && formats.number(countOf(state))}</span>
            </button>
          ))}
        </div>
      </div>
      {problem !== undefined && (
        <p className="refusal" role="alert">
          <Words error={problem} />
        </p>
      )}
      {!data && (error ? <Problem error={error} retry={() => void refetch()} /> : <p>{texts.loading}</p>)}
      <ol className="found outcomes" aria-label={texts.results}>
        {found.map((each) => (
          <Outcome
            key={each.lot.id}
            found={each}
            isAgain={each.lot.result?.state === 'unsold' && (again?.has(itemIdOf(each.lot)) ?? false)}
            isChosen={chosen.has(each.lot.id)}
            onToggle={toggle}
          />
        ))}
      </ol>
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.moreFound}
        </button>
      )}
    </>
  )
}

/** One lot with its result. */
const Outcome = memo(function Outcome(props: {
  found: LotOfSession
  isAgain: boolean
  isChosen: boolean
  onToggle: (lot: Lot) => void
}) {
  const { found, isAgain, isChosen, onToggle } = props
  const { session } = found
  const own = useStaffTexts().after
  const texts = useTexts()
  const formats = useFormats()
  const { seller } = useSearch({ from: '/after' })
  const lot = useRecords(() => knownLot(found.lot.id)) ?? found.lot
  const item = itemOf(lot)
  const number = String(lot.lot_number ?? texts.noNumber)
  const owner = useNumberedSellers()?.choices.find(({ id }) => id === item?.seller)
  const { result } = lot
  return (
    <li>
      <span className="pick">
        {result?.state === 'unsold' && item && (
          <input
            type="checkbox"
            aria-label={texts.selectLot(number)}
            checked={isChosen}
            onChange={() => onToggle(lot)}
          />
        )}
      </span>
      <Photograph image={leadOf(item)} sizes="80px" isDecoration />
      <span>
        <Link
          className="title"
          to="/sessions/$session/lots/$lot/history"
          params={{ session: session.id, lot: lot.id }}
          preload={false}
          dir="auto"
        >
          {lot.title}
        </Link>
        <span className="quiet">
          {texts.lot(number)} · <span dir="auto">{session.title ?? texts.untitled}</span>
          {item?.external_reference && ` · ${item.external_reference}`}
          {owner && seller === undefined && <span dir="auto"> · {owner.name}</span>}
        </span>
      </span>
      <span className="worth">
        {result?.amount ? (
          <b>{formats.money(result.amount)}</b>
        ) : (
          item?.estimate && `${texts.estimateShort} ${formats.estimate(item.estimate)}`
        )}
      </span>
      <span className="outcome">
        <Standing lot={lot} session={session} />
        {isAgain && <span className="badge">{own.offeredAgain}</span>}
        {result?.with && <span className="quiet">{texts.soldWith}</span>}
      </span>
      {result?.state === 'unsold' && <LotSteps lot={lot} session={session} wishes={['afterSale']} />}
    </li>
  )
})
