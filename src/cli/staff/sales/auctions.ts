import { Command } from 'commander'
import type { Static } from 'typebox'
import type { Auction } from '../../../auctions/schema.ts'
import type { Names } from '../../names.ts'
import { describeCommand, houseOption, printResult, utcOption, type CommonOptions } from '../../command.ts'
import { changeRecords, withRecords } from '../named-records.ts'
import { printList } from '../../table.ts'
import { printTime } from '../../times.ts'

type AuctionDocument = Static<typeof Auction>

const printAuction = ({ id, title, published }: AuctionDocument, names: Names) =>
  `auction ${names.get(id) ?? id} "${title}": ${published ? 'published' : 'a draft'}`

function publication(name: string, description: string, published: boolean): Command {
  return describeCommand(name, description)
    .argument('<id>', 'the id or external reference of the auction')
    .option(...houseOption)
    .action((auction: string, options: CommonOptions) =>
      changeRecords({ auction }, options, async (context, { auction }, names) => {
        const { changeAuction } = await import('../../../auctions/auctions.ts')
        const document = JSON.parse((await changeAuction(context, auction, { published })).json) as AuctionDocument
        await printResult(document, options, (shown) => printAuction(shown, names))
      }),
    )
}

const list = describeCommand(
  'list',
  'List the auctions of a house, newest first, with the number of sessions and lots.',
)
  .option(...houseOption)
  .option('--published', 'only published auctions')
  .option('--no-published', 'only drafts')
  .option('--external-reference <text>', 'only the auction with this external reference')
  .option(...utcOption)
  .action((options: CommonOptions & { published?: boolean; externalReference?: string }) =>
    withRecords({}, options, async (context) => {
      const { listAuctions } = await import('../../../auctions/queries.ts')
      const { published, externalReference: external_reference } = options
      const found = await listAuctions(context, { published, external_reference })
      const auctions = found.map(({ id, external_reference, title, published, sessions, lots, created_at }) => {
        return { id, external_reference, title, published, sessions: sessions.length, lots, created_at }
      })
      await printList(auctions, 'auction', options, [
        { heading: 'auction', show: (auction) => auction.external_reference ?? auction.id ?? '-' },
        { heading: 'title', kind: 'text', show: (auction) => auction.title ?? '-' },
        { heading: 'state', show: (auction) => (auction.published ? 'published' : 'draft') },
        { heading: 'sessions', kind: 'number', show: (auction) => String(auction.sessions) },
        { heading: 'lots', kind: 'number', show: (auction) => String(auction.lots) },
        { heading: 'created', show: (auction) => printTime(auction.created_at, options) },
        { heading: 'id', show: (auction) => auction.id ?? '-' },
      ])
    }),
  )

/** `catalogue auctions …` */
export const auctionsCommand = new Command('auctions')
  .description('Auctions: a list, and publication.')
  .addCommand(list)
  .addCommand(publication('publish', 'Publish an auction. While it is published, its texts cannot be changed.', true))
  .addCommand(publication('unpublish', 'Make an auction a draft again.', false))
