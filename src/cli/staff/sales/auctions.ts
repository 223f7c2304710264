import { Command } from 'commander'
import type { Static } from 'typebox'
import type { Auction } from '../../../auctions/schema.ts'
import type { Names } from '../../names.ts'
import { describeCommand, houseOption, needed, printResult, utcOption, type CommonOptions } from '../../command.ts'
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

type Texts = { title?: string; description?: string }

type CreateOptions = CommonOptions & { externalReference: string; title: string; description?: string }

const load = () =>
  Promise.all([
    import('../../../auctions/auctions.ts'),
    import('../../../http/body/validation.ts'),
    import('../../../auctions/schema.ts'),
  ])

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

const create = describeCommand('create', 'Make a draft auction.')
  .requiredOption('--external-reference <text>', 'the reference, which no other auction of the house has')
  .requiredOption('--title <text>', 'the title')
  .option('--description <text>', 'the description')
  .option(...houseOption)
  .action(({ externalReference: external_reference, title, description, ...options }: CreateOptions) =>
    withRecords({}, options, async (context) => {
      const [{ createAuction }, { parseBody }, { AuctionCreate }] = await load()
      const body = { external_reference, title, ...(description && { description }) }
      const { json } = await createAuction(context, parseBody(AuctionCreate, body, 'POST'))
      await printResult(JSON.parse(json) as AuctionDocument, options, ({ id, title }) => [
        `made the auction ${external_reference} ${id} "${title}"`,
      ])
    }),
  )

const set = describeCommand('set', 'Change the texts of a draft auction. An empty description clears it.')
  .argument('<id>', 'the id or external reference of the auction')
  .option('--title <text>', 'the title')
  .option('--description <text>', 'the description')
  .option(...houseOption)
  .action((auction: string, { title, description, ...options }: CommonOptions & Texts) => {
    if (title === undefined && description === undefined) throw needed('--title <text> or --description <text>')
    return changeRecords({ auction }, options, async (context, { auction }, names) => {
      const { changeDraftAuction } = (await load())[0]
      const body = {
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description: description || null }),
      }
      const { json } = await changeDraftAuction(context, auction, body)
      await printResult(JSON.parse(json) as AuctionDocument, options, (shown) => printAuction(shown, names))
    })
  })

/** `catalogue auctions …` */
export const auctionsCommand = new Command('auctions')
  .description('Auctions: a list, new ones, their texts, and publication.')
  .addCommand(list)
  .addCommand(create)
  .addCommand(set)
  .addCommand(publication('publish', 'Publish an auction. While it is published, its texts cannot be changed.', true))
  .addCommand(publication('unpublish', 'Make an auction a draft again.', false))
