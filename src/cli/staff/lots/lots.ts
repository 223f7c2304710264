import { Command, Option } from 'commander'
import type { ListedLot } from '../../../lots/list-queries.ts'
import type { Source } from '../../../load/source.ts'
import { resultStates, type ResultState } from '../../../values/offers.ts'
import type { Money } from '../../../values/money.ts'
import { printMoney } from '../../../values/typed-money.ts'
import { readAmount } from '../../amounts.ts'
import {
  describeCommand,
  houseOption,
  needed,
  printCount,
  printResult,
  UsageError,
  utcOption,
  type CommonOptions,
} from '../../command.ts'
import { describeCsv, localeOf, printCsv, type Cells, type CsvOptions } from '../csv.ts'
import { describeSwitch } from './switches.ts'
import { printLot, type LotDocument } from './lot-line.ts'
import { lotResult } from './lot-result.ts'
import { bidMinorOption, bidOption, describeIfPublished, lotNumber, renumberLots, setLot } from './lot-terms.ts'
import { withLotFile } from './lot-files.ts'
import { changeConfirmed, yesOption } from '../../confirm.ts'
import { changeRecords, withRecords } from '../named-records.ts'
import { describeSearch } from '../search.ts'
import { printList, type Column } from '../../table.ts'
import { printTime } from '../../times.ts'

type AddOptions = CommonOptions & {
  session?: string
  item?: string
  number?: number
  startingBid?: string
  startingBidMinor?: number
  units?: boolean
  yes?: boolean
  active?: boolean
  again?: boolean
  file?: string
}

const add = describeCommand('add', 'Add a lot to an unfinished session, or the lots of a file. A new lot is inactive.')
  .option('--session <id>', 'the id or external reference of the session that gets the lot')
  .option('--item <id>', 'the id or external reference of the item that the lot offers')
  .option('--number <n>', 'the lot number, which no other lot of the session may have', lotNumber)
  .addOption(bidOption)
  .addOption(bidMinorOption)
  .option('--units', 'a starting bid such as 450, without currency and decimals, is in units')
  .option('--active', 'a late lot of a live session that has opened: it is active, and comes last unless --number says')
  .option('--again', 'the item may be sold, or in another lot without a result')
  .option('--yes', 'the starting bids are right, even if they do not fit the estimates; holds for the whole file')
  .addOption(
    new Option(
      '--file <file>',
      'a file of lots, added all or none: CSV with the headings session, item, number, and starting_bid or starting_bid_minor, or NDJSON with these fields in minor units; - is standard input',
    ).conflicts(['session', 'item', 'number', 'startingBid', 'startingBidMinor']),
  )
  .option(...houseOption)
  .option(...utcOption)
  .action(({ session, item, number, startingBid, startingBidMinor, file, ...options }: AddOptions) => {
    if (file !== undefined) return addFile(file, options)
    if (session === undefined) throw needed('--session <id>')
    if (item === undefined) throw needed('--item <id>')
    if (number === undefined && !options.active) throw needed('--number <n>')
    return changeRecords({ session, item }, options, async (context, records, names) => {
      const [{ addLots }, { findDoubts, unlessDoubtful }] = await Promise.all([
        import('../../../lots/adding.ts'),
        import('../../doubts.ts'),
      ])
      const typed =
        startingBid === undefined ? null : readAmount('--starting-bid', startingBid, context.house, options.units)
      const { active, again } = options
      const lot = { ...records, lot_number: number, starting_bid: startingBidMinor ?? typed, active, again }
      const doubts = options.yes ? [] : await findDoubts(context, 'item', [{ ...lot, uuid: lot.item }])
      const [document] = await unlessDoubtful(context, doubts, (context) => addLots(context, [lot], false))
      await printLot(document!, names, options)
    })
  })

async function addFile(path: string, options: AddOptions): Promise<void> {
  const { addLotsOfFile, readNamedLots } = await import('../../files/lot-file.ts')
  const read = (source: Source) => readNamedLots(source, options)
  return withLotFile(path, options, read, async (context, file, announceSession, print) => {
    const added = (await addLotsOfFile(context, file, options, announceSession, print)).map(
      ({ session, documents }) => ({
        session: session.name,
        lots: documents.map((json) => JSON.parse(json) as LotDocument),
      }),
    )
    const documents = added.flatMap(({ lots }) => lots)
    await printResult(documents, options, () =>
      added.map(({ session, lots }) => {
        const byNumber = lots.toSorted((one, other) => one.lot_number! - other.lot_number!)
        const ends = [byNumber[0]!, ...byNumber.slice(1).slice(-1)]
        const named = ends.map(({ lot_number }) => `${session}/${lot_number}`)
        return `added ${printCount(lots.length, 'lot')}: ${named.join(' to ')}`
      }),
    )
  })
}

const archive = describeCommand(
  'archive',
  'Archive a lot that was a mistake, until five minutes before its session opens, while no lot has had a bid.',
)
  .argument('<id>', 'the id of the lot, or SESSION/NUMBER')
  .option(...yesOption)
  .option(...houseOption)
  .option(...utcOption)
  .action((lot: string, options: CommonOptions & { yes?: boolean }) =>
    changeRecords({ lot }, options, async (context, { lot }, names) => {
      const { changeLot } = await import('../../../lots/changes.ts')
      const warning = await describeIfPublished(context, lot, (number) => `the number ${number} becomes free`)
      const { json } = await changeConfirmed(context, warning, options, (context) =>
        changeLot(context, lot, { archived: true }),
      )
      await printLot(json, names, options, true)
    }),
  )

type Filters = {
  session?: string
  auction?: string
  number?: number
  active?: boolean
  result?: ResultState | 'none'
  seller?: string
  consignment?: string
}

const printAmount = (money: Money | null) => (money === null ? '-' : printMoney(money))
const nameLot = ({ session_reference, session, lot_number }: ListedLot) =>
  `${session_reference ?? session ?? '-'}/${lot_number ?? '-'}`

/** The columns of a list of lots. Those that a narrow terminal must show come first. */
export const lotColumns = (options: CommonOptions): Column<ListedLot>[] => [
  { heading: 'lot', show: nameLot },
  { heading: 'title', kind: 'text', show: (lot) => lot.title ?? '-' },
  { heading: 'state', show: (lot) => (lot.active ? 'active' : 'inactive') },
  { heading: 'closes', show: (lot) => printTime(lot.closes_at, options) },
  { heading: 'current', kind: 'number', show: (lot) => printAmount(lot.current_bid) },
  { heading: 'starting', kind: 'number', show: (lot) => printAmount(lot.starting_bid) },
  { heading: 'result', show: (lot) => (lot.result ? lot.result.state : lot.held ? 'held' : '-') },
  { heading: 'price', kind: 'number', show: (lot) => printAmount(lot.result?.amount ?? null) },
  { heading: 'bids', kind: 'number', show: (lot) => String(lot.bids) },
  { heading: 'item', show: (lot) => lot.item_reference ?? lot.item ?? '-' },
  { heading: 'id', show: (lot) => lot.id ?? '-' },
]

const cells: Cells<'lots', ListedLot> = {
  session: (lot) => lot.session_reference ?? lot.session,
  number: (lot) => lot.lot_number,
  item: (lot) => lot.item_reference ?? lot.item,
  title: (lot) => lot.texts!.title,
  active: (lot) => lot.active,
  estimate_low: (lot) => lot.estimate_low,
  estimate_high: (lot) => lot.estimate_high,
  starting_bid: (lot) => lot.starting_bid,
  current_bid: (lot) => lot.current_bid,
  closes_at: (lot) => lot.closes_at,
  sold: (lot) => lot.sold,
  result: (lot) => lot.result?.state ?? null,
  price: (lot) => lot.result?.amount ?? null,
  id: (lot) => lot.id,
  seller: (lot) => lot.seller_number ?? lot.seller,
  consignment: (lot) => lot.consignment_number ?? lot.consignment,
}

const list = describeCsv(describeCommand('list', 'List the lots of a house by number, with the number of bids.'))
  .argument('[session]', 'only the lots of this session, by its id or external reference')
  .option(...houseOption)
  .option('--session <id>', 'the same as the argument')
  .option('--auction <id>', 'only the lots of this auction, by its id or external reference')
  .option('--number <n>', 'only lots with this number', lotNumber)
  .option('--active', 'only active lots')
  .option('--no-active', 'only inactive lots')
  .addOption(new Option('--result <state>', 'only lots with this result').choices([...resultStates, 'none']))
  .option('--seller <number>', 'only lots with items of this seller, by its number or id')
  .option('--consignment <number>', 'only lots with items of this consignment, by its number or id')
  .option(...utcOption)
  .action((named: string | undefined, options: CsvOptions & Filters) => {
    const { session = named, auction } = options
    if (named !== undefined && options.session !== undefined)
      throw new UsageError('name the session once, without --session')
    return withRecords({ session, auction }, options, async (context, records) => {
      const { listLots } = await import('../../../lots/list-queries.ts')
      const locale = localeOf(options, context.house)
      const { number, active, result, seller, consignment } = options
      const filters = { ...records, lot_number: number, active, result, seller, consignment }
      const lots = await listLots(context, filters, locale)
      if (options.csv) return printCsv('lots', lots, cells, context.house, options)
      await printList(lots, 'lot', options, lotColumns(options))
    })
  })

const search = describeSearch(
  'lot',
  async (context, rows) => (await import('../../../lots/list-queries.ts')).listLots(context, { rows }),
  lotColumns,
)

/** `catalogue lots …` */
export const lotsCommand = new Command('lots').description('Lots of sessions.')
const commands = [
  list,
  search,
  add,
  describeSwitch({
    name: 'activate',
    description: 'Switch lots on, all or none, until five minutes before their session opens.',
    done: 'activated',
    sets: { active: true },
  }),
  describeSwitch({
    name: 'deactivate',
    description: 'Switch lots off, all or none, until five minutes before their session opens.',
    done: 'deactivated',
    sets: { active: false },
  }),
  archive,
  setLot,
  renumberLots,
  describeSwitch({
    name: 'hold',
    description: 'Hold lots, all or none: a person records their results, not the job at the close.',
    done: 'held',
    sets: { held: true },
  }),
  describeSwitch({
    name: 'release',
    description: 'Release held lots, all or none.',
    done: 'released',
    sets: { held: false },
  }),
  lotResult,
]
for (const command of commands) lotsCommand.addCommand(command)
