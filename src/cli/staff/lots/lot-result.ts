import { Argument, Option } from 'commander'
import type { Context } from '../../../context.ts'
import type { Justification } from '../../../lots/outcomes.ts'
import { resultStates, type ResultState } from '../../../values/offers.ts'
import { parseId, printId } from '../../../values/ids.ts'
import { amountOptions, readAmount } from '../../amounts.ts'
import { describeCommand, houseOption, needed, UsageError, utcOption, type CommonOptions } from '../../command.ts'
import { printLot } from './lot-line.ts'
import { changeRecords } from '../named-records.ts'
import { readReason } from '../reason.ts'
import { readTime } from '../../times.ts'

type Options = CommonOptions &
  Justification & {
    amount?: string
    amountMinor?: number
    afterSale?: boolean
    with?: string
    closesAt?: Date
  }

const [amountOption, amountMinorOption] = amountOptions('amount', 'the price without premium', 1)

/** The options that justify the change of a result. */
export const correctOption = ['--correct', 'replace another result, also after the end of the session'] as const
export const reasonOption = [
  '--reason <text>',
  'why the result changes; needed after the end of the session',
  readReason,
] as const

async function findCarrier(context: Context, lot: string, name: string): Promise<string> {
  const [{ findSibling }, { CommandError }] = await Promise.all([
    import('../../../lots/queries.ts'),
    import('../../command-error.ts'),
  ])
  const uuid =
    parseId('lot', name) ?? (/^-?\d{1,10}$/.test(name) ? await findSibling(context, lot, Number(name)) : undefined)
  if (uuid === undefined) throw new CommandError(`the session has no lot ${name}`)
  return uuid
}

async function record(
  context: Context,
  lot: string,
  state: ResultState,
  carrier: string | undefined,
  options: Options,
): Promise<string> {
  const { amount: typed, amountMinor, afterSale: after_sale, correct, reason } = options
  const amount = typed === undefined ? amountMinor : readAmount('--amount', typed, context.house)
  const { recordResults } = await import('../../../lots/results.ts')
  const decision = { lot, state, amount, after_sale, with: carrier, correct, reason }
  return (await recordResults(context, { results: [decision] })).documents[0]!
}

/** `catalogue lots result` */
export const lotResult = describeCommand('result', 'Record what became of a lot, or take its result back (open).')
  .argument('<id>', 'the id of the lot, or SESSION/NUMBER')
  .addArgument(new Argument('<state>', 'the result').choices([...resultStates, 'open']))
  .addOption(amountOption)
  .addOption(amountMinorOption)
  .option('--after-sale', 'the lot was unsold, and is sold after its sale')
  .option('--with <lot>', 'it was sold together with this lot, by number or id, which has the price of both')
  .addOption(new Option('--closes-at <time>', 'an open timed lot takes bids again until then').argParser(readTime))
  .option(...correctOption)
  .option(...reasonOption)
  .option(...houseOption)
  .option(...utcOption)
  .action((lot: string, state: ResultState | 'open', options: Options) => {
    const { amount, amountMinor, afterSale, with: carrier, closesAt, correct, reason } = options
    if (state !== 'sold' && [amount, amountMinor, afterSale, carrier].some((value) => value !== undefined))
      throw new UsageError('a price, --after-sale and --with are for a lot that is sold')
    if (state !== 'open' && closesAt)
      throw new UsageError("option '--closes-at <time>' is for a lot that is open again")
    if (state === 'open' && reason === undefined) throw needed('--reason <text>')
    return changeRecords({ lot }, options, async (context, { lot }, names) => {
      const { changeLot } = await import('../../../lots/changes.ts')
      const other = carrier === undefined ? undefined : await findCarrier(context, lot, carrier)
      const document =
        state === 'open'
          ? (await changeLot(context, lot, { reopening: { closesAt, correct, reason } })).json
          : await record(context, lot, state, other, options)
      const known = other === undefined ? names : new Map([...names, [printId('lot', other), carrier!]])
      await printLot(document, known, options)
    })
  })
