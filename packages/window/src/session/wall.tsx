import type { SessionId } from '@auction-catalogue/client'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import {
  longestSearch,
  useFoundIds,
  useHouse,
  useLots,
  useMay,
  usePermissions,
  usePictures,
  useSession,
  type Lot,
  type Need,
} from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { useNow } from '../parts/clock.tsx'
import { loadPart } from '../parts/load.ts'
import { Words } from '../parts/problem.tsx'
import { stateOf } from '../sales/state.ts'
import { TakenAs } from '../search/taken.tsx'
import { useTexts } from '../texts/texts.tsx'
import { countOf, filters, isFilter, matches, ofStaff, type Filter } from './filters.ts'
import { LotGrid } from './lot-grid.tsx'
import { SaveCsv } from './save-csv.tsx'
import { useSoFar } from './so-far.ts'

// Only a draft is switched.
const Switching = lazy(async () => ({ default: (await loadPart(() => import('./switching.tsx'))).Switching }))

const noLots: Lot[] = []

/** The lots of a session, photographs first. */
export function Wall() {
  const texts = useTexts()
  const { session: id } = useParams({ from: '/sessions/$session' })
  const { only: chosen, q = '' } = useSearch({ from: '/sessions/$session/' })
  const { data: session } = useSession(id)
  const { data: loaded } = useLots(id)
  const soFar = useSoFar(id)
  const { service: now } = useNow()
  const [query, setQuery] = useSearchWords()
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const mayWrite = useMay('lots.write')
  const { isForClient } = usePermissions()
  // A filter of staff ends with their view.
  const only = isForClient && ofStaff.some((filter) => filter === chosen) ? undefined : chosen
  const house = useHouse()
  const lots = loaded?.lots ?? noLots
  const failed = useItemsOf(id, 'failed')
  const processing = useItemsOf(id, 'processing')
  const missed = failed.error ?? processing.error
  const words = useDeferredValue(query)
  const answer = useFoundIds(id, q)
  // Until the service has answered, and while it cannot, the loaded lots are searched.
  const answered = words.trim() === q ? answer : undefined
  const found = useMemo(() => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
    return lots.filter((lot) => (answered ? answered.ids.has(lot.id) : matches(lot, wanted)))
  }, [lots, words, answered])
  if (!loaded || !session) return <p className="quiet">{texts.loading}</p>
  const facts = { session, now, failed: failed.items, processing: processing.items }
  const shown = isFilter(only) ? found.filter((lot) => filters[only](lot, facts)) : found
  const state = stateOf(session, now)
  const canSwitch = mayWrite && (state === 'draft' || state === 'announced')
  const selected = lots.filter((lot) => selection.has(lot.id))
  const count = (filter: Filter) => {
    if (filter === 'open' && state !== 'running') return 0
    if (loaded.complete) return lots.filter((lot) => filters[filter](lot, facts)).length
    if (filter === 'failed' || filter === 'processing') return facts[filter].size === 0 ? 0 : undefined
    return countOf[filter]?.(session.counts)
  }
  return (
    <>
      <div className="toolbar sticks">
        <input
          id="search"
          type="search"
          value={query}
          maxLength={longestSearch}
          onChange={(event) => setQuery(event.target.value)}
          placeholder={texts.search}
          aria-label={texts.search}
        />
        {canSwitch && (
          <Suspense fallback={<div className="switching" />}>
            <Switching
              session={session}
              selected={selected}
              shown={shown}
              onSelect={(ids) => setSelection(new Set(ids))}
            />
          </Suspense>
        )}
        {loaded.complete && house && !isForClient && <SaveCsv lots={shown} session={session} house={house} />}
        <p className="quiet" role="status">
          {soFar ?? texts.shown(shown.length, lots.length)}
        </p>
        <Filters only={only} count={count} total={loaded.complete ? lots.length : session.counts.lots} />
      </div>
      {missed && (
        <p className="refusal" role="alert">
          {texts.missedPictures} <Words error={missed} />
        </p>
      )}
      {answered && <TakenAs taken={answered} />}
      {shown.length === 0 && loaded.complete && <Nothing isEmpty={lots.length === 0} clear={() => setQuery('')} />}
      <LotGrid session={session} lots={shown} selection={selection} onSelect={canSwitch ? setSelection : undefined} />
    </>
  )
}

/** The words of the search. The address gets them once typing pauses. */
function useSearchWords(): [string, (words: string) => void] {
  const { q = '' } = useSearch({ from: '/sessions/$session/' })
  const [words, setWords] = useState(q)
  const navigate = useNavigate({ from: '/sessions/$session/' })
  const written = useRef(q)
  useEffect(() => {
    if (words.trim() === written.current) return undefined
    const timer = setTimeout(() => {
      const q = words.trim()
      written.current = q
      void navigate({ search: ({ only }) => ({ ...(q && { q }), ...(only && { only }) }), replace: true })
    }, 300)
    return () => clearTimeout(timer)
  }, [words, navigate])
  return [words, setWords]
}

/** The items of a session that have pictures with a need, kept in step by the changes. */
function useItemsOf(session: SessionId, need: Need) {
  const { data, error } = usePictures(session, need)
  const items = useMemo(() => new Set(data?.map(({ item }) => item)), [data])
  return { items, error }
}

/** `count` gives the lots of a filter; undefined while they are not known. */
function Filters({
  only,
  count,
  total,
}: {
  only: string | undefined
  count: (of: Filter) => number | undefined
  total: number
}) {
  const texts = useTexts()
  const formats = useFormats()
  const navigate = useNavigate({ from: '/sessions/$session/' })
  const { isForClient } = usePermissions()
  const names: Record<Filter, string> = {
    open: texts.filterOpen,
    active: texts.filterActive,
    inactive: texts.filterInactive,
    bare: texts.filterBare,
    undescribed: texts.filterUndescribed,
    processing: texts.filterProcessing,
    failed: texts.filterFailed,
    extended: texts.filterExtended,
    sold: texts.sold,
    unsold: texts.unsold,
    withdrawn: texts.withdrawn,
  }
  const choose = (filter?: Filter) =>
    void navigate({ search: ({ q }) => ({ ...(q && { q }), ...(filter && { only: filter }) }), replace: true })
  return (
    <div className="chips" role="group" aria-label={texts.filters}>
      <button type="button" aria-pressed={!isFilter(only)} onClick={() => choose()}>
        {texts.filterAll} <span>{formats.number(total)}</span>
      </button>
      {(Object.keys(filters) as Filter[]).map((filter) => {
        const amount = count(filter)
        if ((isForClient && ofStaff.includes(filter)) || (amount === 0 && only !== filter)) return null
        return (
          <button
            key={filter}
            type="button"
            aria-pressed={only === filter}
            onClick={() => choose(only === filter ? undefined : filter)}
          >
            {names[filter]} {amount !== undefined && <span>{formats.number(amount)}</span>}
          </button>
        )
      })}
    </div>
  )
}

function Nothing({ isEmpty, clear }: { isEmpty: boolean; clear: () => void }) {
  const texts = useTexts()
  const navigate = useNavigate({ from: '/sessions/$session/' })
  if (isEmpty) return <p>{texts.noLots}</p>
  return (
    <p>
      {texts.noMatch}{' '}
      <button
        type="button"
        onClick={() => {
          clear()
          void navigate({ search: {}, replace: true })
        }}
      >
        {texts.clearFilters}
      </button>
    </p>
  )
}
