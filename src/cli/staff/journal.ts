import { InvalidArgumentError } from 'commander'
import type { NamedKind } from '../names.ts'
import type { ShownRow } from '../../journal/queries.ts'
import type { Money } from '../../values/money.ts'
import { isRecordKind } from '../../kinds.ts'
import type { PrefixedKind } from '../../values/ids.ts'
import type { JournalKind } from '../../writes/journal.ts'
import { parseTimestamp } from '../../values/timestamps.ts'
import { printMoney } from '../../values/typed-money.ts'
import {
  describeCommand,
  houseOption,
  nameHouse,
  printCount,
  UsageError,
  utcOption,
  withCatalogue,
  type CommonOptions,
} from '../command.ts'
import { printList } from '../table.ts'
import { printTime } from '../times.ts'
import { contextOf } from './named-records.ts'

/** The most rows that are shown if neither a record nor a time is given. */
const mostRows = 100

/** The most records whose changes are shown one by one: a bid changes itself and its lot. */
const mostRecords = 3

const isPrefixed = (kind: JournalKind): kind is PrefixedKind => kind === 'bid' || isRecordKind(kind)

const namedKinds: NamedKind[] = ['auction', 'session', 'item', 'lot']

function readSince(text: string): Date {
  const since = parseTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (since === undefined)
    throw new InvalidArgumentError('It must be a day, or a time such as 2026-10-12T14:00:00+02:00.')
  return new Date(since)
}

type Options = CommonOptions & { since?: Date; actor?: string }

type Change = ShownRow['changes'][number]

/** `catalogue journal` */
export const journalCommand = describeCommand('journal', 'Show who changed what, the latest first.')
  .argument('[record]', 'the id of a record, or SESSION/NUMBER of a lot: only what concerns it')
  .option('--since <time>', 'only what was done on this day (UTC) or later, or since this time', readSince)
  .option('--actor <name>', 'only what this actor did: the id or name of a key, a user, a task')
  .option(...houseOption)
  .option(...utcOption)
  .action((name: string | undefined, options: Options) =>
    withCatalogue(async (catalogue) => {
      const [{ findHouses, findRecord, requireHouse }, { readJournal }, { parseSubject, subjectPattern }] =
        await Promise.all([
          import('../names.ts'),
          import('../../journal/queries.ts'),
          import('../../writes/journal.ts'),
        ])
      const isId = name !== undefined && new RegExp(subjectPattern).test(name)
      const given = isId ? parseSubject(name) : undefined
      const named = given ? namedKinds.find((kind) => kind === given.kind) : ('lot' as const)
      if (name !== undefined && !isId && !name.includes('/'))
        throw new UsageError(`"${name}" is neither the id of a record nor SESSION/NUMBER of a lot`)
      const { db } = catalogue
      const slug = nameHouse(options, catalogue)
      const found = name !== undefined && named ? await findRecord(db, named, name, slug) : undefined
      const kind = slug === undefined ? given?.kind : undefined
      const owners = kind !== undefined && isPrefixed(kind) ? await findHouses(db, kind, given!.uuid) : []
      const owner = owners.length === 1 ? owners[0] : undefined
      const house = found?.house ?? owner ?? (await requireHouse(db, slug))
      const record = found ? { kind: named, uuid: found.uuid } : given
      const filters = { record, actor: options.actor, since: options.since }
      const isOpen = name === undefined && options.since === undefined
      const rows = await readJournal(contextOf(catalogue, house), filters, isOpen ? mostRows : undefined)
      await printList(rows, 'row', options, [
        { heading: 'time', show: (row) => printTime(row.at, options) },
        { heading: 'actor', kind: 'text', show: ({ actor }) => actor.name ?? actor.id ?? '-' },
        { heading: 'operation', show: (row) => row.operation },
        { heading: 'record', show: (row) => row.record ?? '-' },
        { heading: 'reason', kind: 'text', show: (row) => row.reason ?? '-' },
        { heading: 'changes', kind: 'text', show: (row) => describeChanges(row, record?.uuid) },
      ])
    }),
  )

const isMoney = (value: object): value is Money => 'amount' in value && 'currency' in value

function print(value: unknown): string {
  if (value === null) return '-'
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value)
  if (Array.isArray(value)) return value.map(print).join(', ')
  if (isMoney(value)) return printMoney(value)
  const given = Object.entries(value).filter(([, part]) => part !== null && part !== false)
  return given.map(([name, part]) => `${name} ${print(part)}`).join(', ')
}

function describeChange({ field, ...change }: Change): string {
  if (!('new' in change)) return field
  const [old, next] = [print(change.old ?? null), print(change.new)]
  return change.old == null || old === next ? `${field}: ${next}` : `${field}: ${old} → ${next}`
}

// A write of a session may change hundreds of lots. Of the record that is asked for, all is shown. A change of another
// record than the one before it names its record.
function describeChanges({ record, changes }: ShownRow, asked: string | undefined): string {
  const isAbout = asked === undefined || record?.endsWith(asked) === true
  const shown = isAbout ? changes : changes.filter((each) => each.record?.endsWith(asked))
  const records = new Set(shown.map((each) => each.record)).size
  if (records > mostRecords)
    return `${[...new Set(shown.map(({ field }) => field))].join(', ')} of ${printCount(records, 'record')}`
  const named = shown.map((change, index) => {
    const known = shown[index - 1]?.record ?? (isAbout ? record : change.record)
    return (change.record === null || change.record === known ? '' : `${change.record} `) + describeChange(change)
  })
  return named.join('; ')
}
