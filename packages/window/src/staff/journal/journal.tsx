import type { ItemId, JournalEntry } from '@auction-catalogue/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { catalogue, useLots, useMay, useSession, type Lot } from '../../api/index.ts'
import { Forbidden } from '../../parts/problem.tsx'
import { useTitle } from '../../parts/title.ts'
import { useSoFar } from '../../session/so-far.ts'
import { useTexts } from '../../texts/texts.tsx'
import { JournalRow, journalNames } from './row.tsx'
import { Table } from '../table.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import '../../styles/staff.css'

// Rows of other sales stand between those of this one: so many pages are looked through for so many rows.
const mostPages = 5
const wanted = 50

type Asked = { record?: string | undefined; actor?: string | undefined }

const useJournal = (name: readonly unknown[], asked: Asked, isBack: boolean) =>
  useInfiniteQuery({
    queryKey: ['journal', ...name, asked.actor],
    queryFn: ({ pageParam: cursor, signal }) =>
      catalogue()
        .staff.journal.list({ ...asked, limit: 100, cursor }, { signal })
        .page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // What happens during the sale appears, unless the reader has gone back in time.
    refetchInterval: isBack ? false : 10_000,
  })

/** Who changed what in a session and its lots, and when. While lots are read, the rows of those that are known. */
export function SessionJournalPage() {
  const { session: id } = useParams({ from: '/sessions/$session' })
  const { data: session } = useSession(id)
  const { data } = useLots(id)
  const soFar = useSoFar(id)
  const isStaff = useMay('staff')
  if (!isStaff) return <Forbidden permission="staff" />
  const lots = new Map<string, Lot>(data?.lots.map((lot) => [lot.id, lot]))
  const isKnown = (record: string | null) =>
    record !== null && (record === id || record === session?.auction || lots.has(record))
  const isAbout = ({ record, changes }: JournalEntry) =>
    isKnown(record) || changes.some((change) => isKnown(change.record))
  return <Rows key={id} name={['session', id]} isAbout={isAbout} lots={lots} soFar={soFar} />
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
  soFar?: string | undefined
}) {
  const { name, record, isAbout = all, lots = noneKnown, soFar } = props
  const own = useStaffTexts()
  const texts = useTexts()
  const [actor, setActor] = useState('')
  const [people, setPeople] = useState<readonly string[]>([])
  // How many times older rows were asked for, the first ones included.
  const [times, setTimes] = useState(1)
  const asked = { record, actor: actor || undefined }
  const { data, error, hasNextPage, fetchNextPage, isFetching } = useJournal(name, asked, times > 1)
  const rows = data?.pages.flatMap((page) => page.data.filter(isAbout)) ?? []
  const isShort = rows.length < wanted * times && (data?.pages.length ?? 0) < mostPages * times
  const isWanting = data !== undefined && !soFar && !error && hasNextPage && isShort
  useEffect(() => {
    if (isWanting && !isFetching) void fetchNextPage()
  }, [isWanting, isFetching, fetchNextPage])
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
              setTimes(1)
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
      {soFar && <p className="quiet">{soFar}</p>}
      <Table
        title={texts.journal}
        error={error}
        isEmpty={data !== undefined && !soFar && !isWanting && rows.length === 0}
        names={journalNames(own)}
      >
        {rows.map((row) => (
          <JournalRow key={row.id} row={row} lots={lots} />
        ))}
      </Table>
      {hasNextPage && (
        <button
          type="button"
          disabled={isFetching || isWanting || soFar !== undefined}
          onClick={() => {
            setTimes(times + 1)
            void fetchNextPage()
          }}
        >
          {own.older}
        </button>
      )}
    </>
  )
}
