import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, type KeyboardEvent } from 'react'
import { itemIdOf, itemOf, leadOf, useMay, type Item, type Search } from '../api/index.ts'
import { useFoundItems, useResults, type Facets, type FoundLot } from '../api/found.ts'
import { useFormats } from '../formats.ts'
import { Photograph } from '../parts/photograph.tsx'
import { Problem } from '../parts/problem.tsx'
import { useTitle } from '../parts/title.ts'
import { priceOf, Standing } from '../session/lot-card.tsx'
import { useTexts } from '../texts/texts.tsx'
import { keepRecent } from './recent.ts'
import { TakenAs } from './taken.tsx'
import '../styles/search.css'

/**
 * What the search at the top of the page finds: the lots of all sales, and the items that are in none, the most relevant
 * first.
 */
export function Results() {
  const texts = useTexts()
  const search = useSearch({ from: '/search' })
  const { q = '' } = search
  const lots = useResults(search)
  const items = useFoundItems(search)
  const isStaff = useMay('staff')
  const title = q === '' ? texts.searchAll : texts.foundFor(q)
  useTitle(title)
  const [found] = q === '' ? [] : (lots.data?.pages ?? [])
  const foundLots = lots.data?.pages.flatMap((page) => page.found) ?? []
  const { list: foundItems, count, isMore } = withoutLots(search, lots, items, isStaff)
  const isOld = lots.isPlaceholderData || items.isPlaceholderData
  useGo(search, isOld || !lots.data || !items.data, foundLots, foundItems, (lots.data?.pages[0]?.total ?? 0) + count)
  const error = lots.error ?? items.error
  const counts = [found && texts.found(found.total, found.totalCapped), count > 0 && texts.foundItems(count, isMore)]
  return (
    <div className="page">
      <h1 dir="auto">{title}</h1>
      <p role="status" className="quiet">
        {found ? counts.filter(Boolean).join(' · ') : q !== '' && !error && texts.loading}
      </p>
      {error && <Problem error={error} retry={() => void Promise.all([lots.refetch(), items.refetch()])} />}
      {found && (
        <div onKeyDown={moveFocus}>
          <TakenAs taken={found} />
          <Narrowing
            search={search}
            facets={addFacets(found.facets, count > 0 ? items.data?.pages[0]?.facets : undefined)}
          />
          {foundLots.length > 0 && (
            <ol className="found" aria-label={texts.lotsFound}>
              {foundLots.map((each) => (
                <Result key={each.lot.id} found={each} words={q} />
              ))}
            </ol>
          )}
          <More of={lots} words={texts.moreFound} />
          {count > 0 && (
            <>
              <h2>{texts.itemsInNoSale}</h2>
              <ol className="found" aria-label={texts.itemsInNoSale}>
                {foundItems.map((each) => (
                  <FoundItem key={each.id} item={each} words={q} />
                ))}
              </ol>
              <More of={items} words={texts.moreItems} />
            </>
          )}
        </div>
      )}
    </div>
  )
}

/**
 * The found items that are in no lot. For a key without `staff` the service also finds the others: they are left out once
 * all found lots are known.
 */
function withoutLots(
  search: Search,
  lots: ReturnType<typeof useResults>,
  items: ReturnType<typeof useFoundItems>,
  isStaff: boolean,
): { list: Item[]; count: number; isMore: boolean } {
  const isNarrowed = search.session !== undefined || search.result !== undefined
  const [first] = items.data?.pages ?? []
  if (!search.q || isNarrowed || !first || (!isStaff && lots.hasNextPage)) return { list: [], count: 0, isMore: false }
  const all = items.data!.pages.flatMap((page) => page.found)
  if (isStaff) return { list: all, count: first.total, isMore: first.totalCapped }
  const inLots = new Set(lots.data?.pages.flatMap((page) => page.found.map(({ lot }) => itemIdOf(lot))))
  const list = all.filter(({ id }) => !inLots.has(id))
  return { list, count: list.length, isMore: list.length > 0 && items.hasNextPage }
}

/** Goes on to what is found if it is only one, or only one has the reference that was typed. */
function useGo({ go, ...search }: Search, isOld: boolean, lots: FoundLot[], items: Item[], total: number): void {
  const navigate = useNavigate()
  const { q = '' } = search
  useEffect(() => {
    if (!go || isOld) return
    const isNamed = (item: Item | null) => item?.external_reference === q
    const all = [
      ...lots.map(({ lot }) => ({
        isNamed: isNamed(itemOf(lot)),
        to: { to: '/sessions/$session/lots/$lot', params: { session: lot.session, lot: lot.id } } as const,
      })),
      ...items.map((item) => ({
        isNamed: isNamed(item),
        to: { to: '/items/$item', params: { item: item.id } } as const,
      })),
    ]
    const named = all.filter((each) => each.isNamed)
    const only = total === 1 ? all[0] : named.length === 1 ? named[0] : undefined
    // The way back leads to the results.
    void navigate({ to: '/search', search, replace: true }).then(() => {
      if (!only) return undefined
      keepRecent(q)
      return navigate(only.to)
    })
  })
}

/** What is counted of lots and of items, together. */
function addFacets(lots: Facets, items: Facets = {}): Facets {
  const add = (name: 'category' | 'maker') => {
    const values = new Map(lots[name]?.map((each) => [each.value, each]))
    for (const each of items[name] ?? [])
      values.set(each.value, { ...each, count: each.count + (values.get(each.value)?.count ?? 0) })
    return [...values.values()].toSorted((one, other) => other.count - one.count)
  }
  return { ...lots, category: add('category'), maker: add('maker') }
}

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }

function More({ of: { hasNextPage, isFetchingNextPage, fetchNextPage }, words }: { of: Pages; words: string }) {
  if (!hasNextPage) return null
  return (
    <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {words}
    </button>
  )
}

// The arrow up leads from the first result back to the field.
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.found a')]
  const place = links.indexOf(document.activeElement as HTMLElement)
  if (step === undefined || place < 0 || place + step === links.length) return
  event.preventDefault()
  ;(links[place + step] ?? document.getElementById('search-all'))?.focus()
}

/** The values by which the results are counted: a choice narrows the search. */
function Narrowing({ search, facets }: { search: Search; facets: Facets }) {
  const texts = useTexts()
  const formats = useFormats()
  const navigate = useNavigate({ from: '/search' })
  const results = { sold: texts.sold, unsold: texts.unsold, withdrawn: texts.withdrawn, none: texts.withoutResult }
  const names = { session: texts.session, category: texts.categories, maker: texts.makers, result: texts.results }
  return (
    <div className="narrowing" role="group" aria-label={texts.filters}>
      {(Object.keys(names) as (keyof typeof names)[]).map((facet) => {
        const values = facets[facet] ?? []
        if (values.length < 2 && search[facet] === undefined) return null
        return (
          <label key={facet}>
            <span className="quiet">{names[facet]}</span>
            <select
              value={search[facet] ?? ''}
              onChange={({ target: { value } }) =>
                void navigate({ search: (before) => ({ ...before, [facet]: value || undefined }), replace: true })
              }
            >
              <option value="">{texts.filterAll}</option>
              {values.map(({ value, name, count }) => (
                <option key={value} value={value}>
                  {name ?? results[value as keyof typeof results] ?? (count > 0 ? texts.untitled : texts.filterChosen)}{' '}
                  ({formats.number(count)})
                </option>
              ))}
            </select>
          </label>
        )
      })}
    </div>
  )
}

function Result({ found: { lot, session }, words }: { found: FoundLot; words: string }) {
  const texts = useTexts()
  const formats = useFormats()
  const item = itemOf(lot)
  const price = priceOf(lot)
  return (
    <li>
      <Link
        to="/sessions/$session/lots/$lot"
        params={{ session: lot.session, lot: lot.id }}
        preload={false}
        onClick={() => keepRecent(words)}
      >
        <Photograph image={leadOf(item)} sizes="80px" isDecoration />
        <span>
          <span className="title" dir="auto">
            {lot.title}
          </span>
          <span className="quiet">
            {texts.lot(lot.lot_number === null ? texts.noNumber : String(lot.lot_number))}
            {session && <span dir="auto"> · {session.title ?? texts.untitled}</span>}
          </span>
        </span>
        <span className="worth">
          {price ? formats.money(price) : item?.estimate && `${texts.estimateShort} ${formats.estimate(item.estimate)}`}
        </span>
        <Standing lot={lot} session={session} />
      </Link>
    </li>
  )
}

function FoundItem({ item, words }: { item: Item; words: string }) {
  const texts = useTexts()
  const formats = useFormats()
  return (
    <li>
      <Link to="/items/$item" params={{ item: item.id }} preload={false} onClick={() => keepRecent(words)}>
        <Photograph image={leadOf(item)} sizes="80px" isDecoration />
        <span>
          <span className="title" dir="auto">
            {item.title}
          </span>
          <span className="quiet">{item.external_reference}</span>
        </span>
        <span className="worth">{item.estimate && `${texts.estimateShort} ${formats.estimate(item.estimate)}`}</span>
      </Link>
    </li>
  )
}
