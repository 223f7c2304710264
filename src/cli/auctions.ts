import { Command } from 'commander'
import type { Static } from 'typebox'
import type { Auction } from '../auctions/schema.ts'
import { setAuctionPublished } from '../backoffice/auctions.ts'
import { describeCommand, printResult, type CommonOptions } from './command.ts'
import { withRecord } from './named-records.ts'

type AuctionDocument = Static<typeof Auction>

const printAuction = ({ id, title, published }: AuctionDocument) =>
  `auction ${id} "${title}": ${published ? 'published' : 'a draft'}`

function publication(name: string, description: string, published: boolean): Command {
  return describeCommand(name, description)
    .argument('<id>', 'the id of the auction')
    .action((id: string, options: CommonOptions) =>
      withRecord('auction', id, async (context, uuid) => {
        const auction = JSON.parse(await setAuctionPublished(context, uuid, published)) as AuctionDocument
        await printResult(auction, options, printAuction)
      }),
    )
}

/** `catalogue auctions …` */
export const auctionsCommand = new Command('auctions')
  .description('Publication of auctions.')
  .addCommand(publication('publish', 'Publish an auction. While it is published, its texts cannot be changed.', true))
  .addCommand(publication('unpublish', 'Make an auction a draft again.', false))
