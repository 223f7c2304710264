import { Option } from 'commander'
import type { PlannedNumber } from '../../files/order-file.ts'
import type { Context } from '../../../context.ts'
import { printId } from '../../../values/ids.ts'
import { locales, type Locale } from '../../../values/locales.ts'
import { amountOptions, readAmount } from '../../amounts.ts'
import {
  announce,
  describeCommand,
  houseOption,
  needed,
  printCount,
  printResult,
  utcOption,
  wholeNumber,
  type CommonOptions,
} from '../../command.ts'
import { changeConfirmed, yesOption } from '../../confirm.ts'
import { printLot } from './lot-line.ts'
import { changeRecords } from '../named-records.ts'
import { readSession } from '../sales/session-line.ts'
import { int32 } from '../../../values/bounds.ts'

type Options = CommonOptions & {
  notice?: string | false
  locale?: Locale
  startingBid?: string | false
  startingBidMinor?: number
  number?: number
  yes?: boolean
}

/** The starting bid of a lot, as people type it and in minor units, and its number. */
export const [bidOption, bidMinorOption] = amountOptions('starting-bid', 'the lowest first bid', 0)
export const lotNumber = wholeNumber(int32.minimum, int32.maximum)
const noticeOption = new Option('--notice <text>', 'the notice, such as "not signed"')

async function setNotice(context: Context, lot: string, notice: string | false, locale?: Locale): Promise<string> {
  const { changeLot } = await import('../../../lots/changes.ts')
  const notices = { [locale ?? context.house.defaultLocale]: notice === false ? null : notice }
  return (await changeLot(context, lot, { notices })).json
}

/** What happens to the number of a lot, if its session is published. */
export async function describeIfPublished(
  context: Context,
  lot: string,
  describe: (number: number | '-') => string,
): Promise<string | undefined> {
  const { findPlace } = await import('../../../lots/queries.ts')
  const place = await findPlace(context, lot)
  return place?.published ? `the session is published: ${describe(place.lot_number ?? '-')}` : undefined
}

async function setTerms(context: Context, lot: string, options: Options): Promise<string> {
  const [{ changeLot }, { findDoubts, unlessDoubtful }] = await Promise.all([
    import('../../../lots/changes.ts'),
    import('../../doubts.ts'),
  ])
  const { startingBid: typed, startingBidMinor, number: lot_number } = options
  const starting_bid =
    typeof typed === 'string'
      ? readAmount('--starting-bid', typed, context.house)
      : typed === false
        ? null
        : startingBidMinor
  const warning =
    lot_number === undefined
      ? undefined
      : await describeIfPublished(context, lot, (number) => `number ${number} becomes ${lot_number}`)
  const change = { starting_bid, lot_number }
  const doubts = options.yes ? [] : await findDoubts(context, 'lot', [{ uuid: lot, starting_bid }])
  const { json } = await unlessDoubtful(context, doubts, (context) =>
    changeConfirmed(context, warning, options, (context) => changeLot(context, lot, change)),
  )
  return json
}

/** `catalogue lots set` */
export const setLot = describeCommand(
  'set',
  'Set the starting bid of a lot until its first bid, its number until five minutes before its session opens, or what is announced about it until it has a result.',
)
  .argument('<id>', 'the id of the lot, or SESSION/NUMBER')
  .addOption(bidOption)
  .addOption(bidMinorOption)
  .option('--no-starting-bid', 'take the starting bid away')
  .option('--number <n>', 'the lot number, which no other lot of the session may have', lotNumber)
  .addOption(noticeOption.conflicts(['startingBid', 'startingBidMinor', 'number']))
  .option('--no-notice', 'take the notice away')
  .addOption(
    new Option('--locale <locale>', 'the language of the notice, else that of the house').choices([...locales]),
  )
  .option('--yes', 'answer the question with yes; the starting bid is right, even if it does not fit the estimate')
  .option(...houseOption)
  .option(...utcOption)
  .action((lot: string, options: Options) => {
    const { notice, locale, startingBid, startingBidMinor, number } = options
    if ([notice, startingBid, startingBidMinor, number].every((value) => value === undefined))
      throw needed('--notice <text>, --starting-bid <money> or --number <n>')
    return changeRecords({ lot }, options, async (context, { lot }, names) => {
      const document =
        notice === undefined ? await setTerms(context, lot, options) : await setNotice(context, lot, notice, locale)
      await printLot(document, names, options)
    })
  })

const printNumber = ({ old, lot_number, title }: PlannedNumber) =>
  `${old ?? '-'} becomes ${lot_number} "${title ?? ''}"`

/** `catalogue lots renumber` */
export const renumberLots = describeCommand(
  'renumber',
  'Number the lots of a session anew, all or none, until five minutes before it opens, while no lot has had a bid.',
)
  .argument('<session>', 'the id or external reference of the session')
  .requiredOption(
    '--order <file>',
    'every unarchived lot on a line, in the new order: the reference of its item, its id or its present number; a second column may have the new number; - is standard input',
  )
  .option(...yesOption)
  .option(...houseOption)
  .action((session: string, options: CommonOptions & { order: string; yes?: boolean }) =>
    changeRecords({ session }, options, async (context, { session }) => {
      const [{ openSource }, { planOrder }, order] = await Promise.all([
        import('../../../load/source.ts'),
        import('../../files/order-file.ts'),
        import('../../../sales/order.ts'),
      ])
      const planned = await planOrder(context, session, await openSource(options.order))
      const changed = planned.filter(({ old, lot_number }) => old !== lot_number)
      const { published } = await readSession(context, session)
      for (const each of changed) announce(printNumber(each))
      const lots = `${printCount(changed.length, 'lot')} of a published session`
      const warning = published && changed.length > 0 ? `new numbers for ${lots}` : undefined
      await changeConfirmed(context, warning, options, (context) => order.renumberLots(context, session, planned))
      const shown = planned.map(({ lot, old, lot_number }) => ({ lot: printId('lot', lot), old, lot_number }))
      await printResult(shown, options, () => `renumbered ${printCount(changed.length, 'lot')}`)
    }),
  )
