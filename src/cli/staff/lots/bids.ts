import { Command } from 'commander'
import { amountOptions, readAmount } from '../../amounts.ts'
import { describeCommand, houseOption, needed, utcOption, type CommonOptions } from '../../command.ts'
import { printLot } from './lot-line.ts'
import { printMoney } from '../../../values/typed-money.ts'
import { printList } from '../../table.ts'
import { printTime } from '../../times.ts'
import { changeRecords, withRecords } from '../named-records.ts'
import { readReason } from '../reason.ts'

const [amountOption, amountMinorOption] = amountOptions('amount', 'the bid', 1)

const place = describeCommand('place', 'Record a bid on a lot of a running sale.')
  .requiredOption('--lot <id>', 'the id of the lot, or SESSION/NUMBER')
  .addOption(amountOption)
  .addOption(amountMinorOption)
  .option(...houseOption)
  .option(...utcOption)
  .action((options: CommonOptions & { lot: string; amount?: string; amountMinor?: number }) => {
    const { amount: typed, amountMinor } = options
    if (typed === undefined && amountMinor === undefined) throw needed('--amount <money>')
    return changeRecords({ lot: options.lot }, options, async (context, { lot }, names) => {
      const { placeBid } = await import('../../../lots/bids.ts')
      const amount = amountMinor ?? readAmount('--amount', typed!, context.house)
      await printLot((await placeBid(context, { lot, amount })).json, names, options)
    })
  })

const list = describeCommand('list', 'List the bids on a lot in the order in which they came, cancelled ones too.')
  .argument('<lot>', 'the id of the lot, or SESSION/NUMBER')
  .option(...houseOption)
  .option(...utcOption)
  .action((lot: string, options: CommonOptions) =>
    withRecords({ lot }, options, async (context, { lot }) => {
      const { listBids } = await import('../../../lots/bid-queries.ts')
      const bids = (await listBids(context, lot)).map(({ id, amount, placed_at, cancelled_at, cancel_reason }) => {
        return { id, amount, placed_at, cancelled_at, cancel_reason }
      })
      await printList(bids, 'bid', options, [
        { heading: 'placed', show: (bid) => printTime(bid.placed_at, options) },
        { heading: 'amount', kind: 'number', show: (bid) => printMoney(bid.amount) },
        { heading: 'cancelled', show: (bid) => printTime(bid.cancelled_at, options) },
        { heading: 'reason', kind: 'text', show: (bid) => bid.cancel_reason ?? '-' },
        { heading: 'id', show: (bid) => bid.id ?? '-' },
      ])
    }),
  )

const cancel = describeCommand('cancel', 'Cancel a bid on a lot without a result. The bid stays, marked.')
  .argument('<bid>', 'the id of the bid (see: bids list)')
  .requiredOption('--reason <text>', 'why', readReason)
  .option(...houseOption)
  .option(...utcOption)
  .action((bid: string, options: CommonOptions & { reason: string }) =>
    withRecords({ bid }, options, async (context, { bid }, names) => {
      const { cancelBid } = await import('../../../lots/bids.ts')
      await printLot((await cancelBid(context, { bid, reason: options.reason })).json, names, options)
    }),
  )

/** `catalogue bids …` */
export const bidsCommand = new Command('bids')
  .description('Bids on lots.')
  .addCommand(place)
  .addCommand(list)
  .addCommand(cancel)
