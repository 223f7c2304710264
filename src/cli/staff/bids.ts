import { Command } from 'commander'
import { amountOptions, readAmount } from '../amounts.ts'
import { describeCommand, houseOption, needed, utcOption, type CommonOptions } from '../command.ts'
import { printLot } from './lots.ts'
import { changeRecords } from './named-records.ts'

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
      const { placeBid } = await import('../../backoffice/bids.ts')
      const amount = amountMinor ?? readAmount('--amount', typed!, context.house)
      await printLot((await placeBid(context, { lot, amount })).json, names, options)
    })
  })

/** `catalogue bids …` */
export const bidsCommand = new Command('bids').description('Bids.').addCommand(place)
