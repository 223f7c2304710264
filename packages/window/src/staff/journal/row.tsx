import type { JournalEntry, LotId, LotResult } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import type { Lot } from '../../api/index.ts'
import { useFormats } from '../../formats.ts'
import type { StaffTexts } from '../texts/en.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { useResultWords } from '../words.tsx'

export type Change = JournalEntry['changes'][number]

/** Whether a change is that of a bid. A refused bid has no id. */
export const isOfBid = (record: string | null): boolean => record === null || record.startsWith('bid_')

/** The columns of a journal. */
export const journalNames = (own: StaffTexts): string[] => [
  own.at,
  own.who,
  own.what,
  own.changes,
  own.why,
  own.request,
]

// A write of many records is told by its first changes.
const most = 8

/** A row of the journal in words. `lots`: their numbers are shown beside their changes. */
export function JournalRow(props: {
  row: JournalEntry
  isAbout?: (change: Change) => boolean
  lots?: ReadonlyMap<string, Lot>
}) {
  const { row, isAbout = () => true, lots } = props
  const own = useStaffTexts()
  const texts = useTexts()
  const formats = useFormats()
  const print = useValue()
  const changes = row.changes.filter(isAbout)
  const isRefused = row.operation === 'placeBid' && row.changes.some(({ record }) => record === null)
  const operation = isRefused ? 'refusedBid' : row.operation
  return (
    <tr>
      <td className="time">{formats.exact(row.at)}</td>
      <td>{row.actor.name ?? row.actor.id ?? row.actor.type}</td>
      <td>{own.operations[operation] ?? operation}</td>
      <td>
        <ul>
          {changes.slice(0, most).map((change) => (
            <li key={`${change.record} ${change.field}`}>
              <LotNumber lot={lots?.get((isOfBid(change.record) ? row.record : change.record) ?? '')} />
              {own.fields[change.field] ?? change.field}: {print(change.field, change.old)} →{' '}
              {print(change.field, change.new)}
            </li>
          ))}
        </ul>
        {changes.length > most && <p className="quiet">{texts.andMore(changes.length - most)}</p>}
      </td>
      <td>{row.reason}</td>
      <td className="quiet request">{row.request_id}</td>
    </tr>
  )
}

/** The number of a lot, which leads to its bids and its journal. */
function LotNumber({ lot }: { lot: Lot | undefined }) {
  if (!lot) return null
  return (
    <>
      <Link
        to="/sessions/$session/lots/$lot/history"
        params={{ session: lot.session, lot: lot.id satisfies LotId }}
        preload={false}
      >
        <b>{lot.lot_number ?? '–'}</b>
      </Link>{' '}
    </>
  )
}

type Money = { amount: number; currency: string }
const isMoney = (value: object): value is Money => 'currency' in value && 'amount' in value

/** Prints a value of the journal: results, money and times as everywhere, the rest as it is stored. */
function useValue(): (field: string, value: unknown) => string {
  const own = useStaffTexts()
  const formats = useFormats()
  const words = useResultWords()
  const print = (value: unknown): string => {
    if (value === null || value === undefined) return '–'
    if (typeof value === 'boolean') return value ? own.yes : own.no
    if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formats.exact(value) : value
    if (typeof value !== 'object') return JSON.stringify(value)
    if (isMoney(value)) return formats.money(value)
    return Object.values(value)
      .filter((each) => each !== null && each !== false)
      .map(print)
      .join(' ')
  }
  return (field, value) => (field === 'result' && value ? words(value as LotResult) : print(value))
}
