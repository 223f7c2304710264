import type { ItemId, JournalEntry, SessionId } from '@auction-catalogue/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { catalogue, useLots, useMay, useSession, type Lot } from '../../api/index.ts'
import { Forbidden } from '../../parts/problem.tsx'
import { useTitle } from '../../parts/title.ts'
import { useTexts } from '../../texts/texts.tsx'
import { JournalRow, journalNames } from './row.tsx'
import { Table } from '../table.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import '../../styles/staff.css'

// Rows of other sales stand between those of this one: so many are looked through for so many rows.
const mostPages = 5
const wanted = 50

type Asked = { record?: string | undefined; actor?: string | undefined }

function useJournal(name: readonly unknown[], asked: Asked, isAbout: (row: JournalEntry) => boolean) {
  return useInfiniteQuery({
    queryKey: ['journal', ...name, asked.actor],
    queryFn: async ({ pageParam, signal }) => {
      const rows: JournalEntry[] = []
      let cursor = pageParam
      for (let pages = 0; pages < mostPages && rows.length < wanted; pages++) {
        const { data, nextCursor } = await catalogue()
          .staff.journal.list({ ...asked, limit: 100, cursor }, { signal })
          .page()
        rows.push(...data.filter(isAbout))
        cursor = nextCursor ?? undefined
        if (cursor === undefined) break
      }
      return { rows, next: cursor }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    // What happens during the sale appears, unless the reader has gone back in time.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 10_000),
  })
}

/** Who changed what in a session and its lots, and when. */
export function SessionJournalPage() {
  const texts = useTexts()
  const { session: id } = useParams({ from: '/sessions/$session' })
  const { data: session } = useSession(id)
  const { data } = useLots(id)
  const isStaff = useMay('staff')
  if (!isStaff) return <Forbidden permission="staff" />
  if (!session || !data?.complete) return <p className="quiet">{texts.loading}</p>
  return <SessionJournal key={id} id={id} auction={session.auction} lots={data.lots} />
}

function SessionJournal({ id, auction, lots }: { id: SessionId; auction: string; lots: Lot[] }) {
  const byId = new Map(lots.map((lot) => [lot.id as string, lot]))
  const isKnown = (record: string | null) =>
    record !== null && (record === id || record === auction || byId.has(record))
  const isAbout = ({ record, changes }: JournalEntry) =>
    isKnown(record) || changes.some((change) => isKnown(change.record))
  return <Rows name={['session', id]} isAbout={isAbout} lots={byId} />
}

/** Who changed what in one record, and when. */
export function RecordJournalPage() {
  const texts = useTexts()
  const { record } = useParams({ from: '/journal/$record' })
  const isStaff = useMay('staff')
  useTitle(texts.journal)
  if (!isStaff) return <Forbidden permission="staff" />
  return (
    <div className="page wide">
      <h1>{texts.journal}</h1>
      <Rows name={[record]} record={record} />
    </div>
  )
}

const all = () => true
const noneKnown: ReadonlyMap<string, Lot> = new Map()

function Rows(props: {
  name: readonly unknown[]
  record?: string
  isAbout?: (row: JournalEntry) => boolean
  lots?: ReadonlyMap<string, Lot>
}) {
  const { name, record, isAbout = all, lots = noneKnown } = props
  const own = useStaffTexts()
  const texts = useTexts()
  const [actor, setActor] = useState('')
  const [people, setPeople] = useState<readonly string[]>([])
  const { data, error, hasNextPage, fetchNextPage, isFetching } = useJournal(
    name,
    { record, actor: actor || undefined },
    isAbout,
  )
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  const seen = [...new Set([...people, ...rows.flatMap(({ actor: { name: person } }) => person ?? [])])].toSorted()
  return (
    <>
      <div className="toolbar">
        <label>
          {own.who}{' '}
          <select
            value={actor}
            onChange={({ target }) => {
              setPeople(seen)
              setActor(target.value)
            }}
          >
            <option value="">{own.everyone}</option>
            {seen.map((person) => (
              <option key={person}>{person}</option>
            ))}
          </select>
        </label>
        {record?.startsWith('itm_') && (
          <Link to="/items/$item" params={{ item: record as ItemId }}>
            {own.toItem}
          </Link>
        )}
      </div>
      <Table
        title={texts.journal}
        error={error}
        isEmpty={data !== undefined && rows.length === 0}
        names={journalNames(own)}
      >
        {rows.map((row) => (
          <JournalRow key={row.id} row={row} lots={lots} />
        ))}
      </Table>
      {hasNextPage && (
        <button type="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {own.older}
        </button>
      )}
    </>
  )
}
