import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { itemOf, leadOf, type Search } from '../api/index.ts'
import { useResults, type Facets, type FoundLot } from '../api/found.ts'
import { useFormats } from '../formats.ts'
import { Photograph } from '../parts/photograph.tsx'
import { Problem } from '../parts/problem.tsx'
import { useTitle } from '../parts/title.ts'
import { priceOf, Standing } from '../session/lot-card.tsx'
import { useTexts } from '../texts/texts.tsx'
import { keepRecent } from './recent.ts'
import { TakenAs } from './taken.tsx'
import '../styles/search.css'

/** The lots of all sales that the search at the top of the page finds, the most relevant first. */
export function Results() {
  const texts = useTexts()
  const search = useSearch({ from: '/search' })
  const { q = '' } = search
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useResults(search)
  const title = q === '' ? texts.searchAll : texts.foundFor(q)
  useTitle(title)
  const found = q === '' ? undefined : data?.pages[0]
  const lots = data?.pages.flatMap((page) => page.found) ?? []
  return (
    <div className="page">
      <h1 dir="auto">{title}</h1>
      <p role="status" className="quiet">
        {found ? texts.found(found.total, found.totalCapped) : q !== '' && !error && texts.loading}
      </p>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {found && (
        <>
          <TakenAs taken={found} />
          <Narrowing search={search} facets={found.facets} />
          <ol className="found" aria-label={title} onKeyDown={moveFocus}>
            {lots.map((each) => (
              <Result key={each.lot.id} found={each} words={q} />
            ))}
          </ol>
        </>
      )}
      {found && hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.moreFound}
        </button>
      )}
    </div>
  )
}

// The arrow up leads from the first result back to the field.
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')]
  const to = links.indexOf(document.activeElement as HTMLElement) + step
  if (to === links.length) return
  event.preventDefault()
  ;(links[to] ?? document.getElementById('search-all'))?.focus()
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
