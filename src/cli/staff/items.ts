import { Command, Option } from 'commander'
import type { ListedItem } from '../../items/list-queries.ts'
import { lackable, offers, type Missing, type Offered } from '../../values/offers.ts'
import { describeCommand, houseOption, printResult, utcOption, type CommonOptions } from '../command.ts'
import { describeCsv, localeOf, printCsv, type Cells, type CsvOptions } from './csv.ts'
import { createItem, setItem } from './item-terms.ts'
import { changeRecords, withRecords } from './named-records.ts'
import { describeSearch } from './search.ts'
import { printList, type Column } from '../table.ts'
import { printTime } from '../times.ts'

const cells: Cells<'items', ListedItem> = {
  item: (item) => item.external_reference ?? item.id,
  title: (item) => item.texts!.title,
  estimate_low: (item) => item.estimate_low,
  estimate_high: (item) => item.estimate_high,
  images: (item) => item.public_images,
  created_at: (item) => item.created_at,
  id: (item) => item.id,
}

const columns = (options: CommonOptions): Column<ListedItem>[] => [
  { heading: 'item', show: (item) => item.external_reference ?? item.id ?? '-' },
  { heading: 'title', kind: 'text', show: (item) => item.title ?? '-' },
  { heading: 'images', kind: 'number', show: (item) => String(item.images) },
  { heading: 'lots', kind: 'number', show: (item) => String(item.lots) },
  { heading: 'created', show: (item) => printTime(item.created_at, options) },
  { heading: 'id', show: (item) => item.id ?? '-' },
]

type Filters = {
  externalReference?: string
  consignment?: string
  seller?: string
  offered?: Offered
  without?: Missing
}

const list = describeCsv(
  describeCommand('list', 'List the items of a house, newest first, with the number of images and lots.'),
)
  .option(...houseOption)
  .option('--external-reference <text>', 'only the item with this external reference')
  .option('--consignment <name>', 'only the items of this consignment, by its number or id')
  .option('--seller <name>', 'only the items of this seller, by number, name or id')
  .addOption(
    new Option('--offered <state>', 'only items in no lot, in a lot without a result, unsold, or sold').choices(offers),
  )
  .addOption(
    new Option(
      '--without <what>',
      'only items without a public image, an estimate, or a text in this language',
    ).choices(lackable),
  )
  .option(...utcOption)
  .action((options: CsvOptions & Filters) =>
    withRecords({ consignment: options.consignment, seller: options.seller }, options, async (context, records) => {
      const { listItems } = await import('../../items/list-queries.ts')
      const locale = localeOf(options, context.house)
      const { externalReference: external_reference, offered, without } = options
      const items = await listItems(context, { external_reference, offered, without, ...records }, locale)
      if (options.csv) return printCsv('items', items, cells, context.house, options)
      await printList(items, 'item', options, columns(options))
    }),
  )

const archive = describeCommand('archive', 'Archive an item that no lot without a result offers.')
  .argument('<id>', 'the id or external reference of the item')
  .option(...houseOption)
  .action((item: string, options: CommonOptions) =>
    changeRecords({ item }, options, async (context, { item: uuid }) => {
      const { archiveItem } = await import('../../items/items.ts')
      const { json } = await archiveItem(context, uuid)
      await printResult(
        JSON.parse(json) as { title: string },
        options,
        ({ title }) => `archived the item ${item} "${title}"`,
      )
    }),
  )

const search = describeSearch(
  'item',
  async (context, rows) => (await import('../../items/list-queries.ts')).listItems(context, { rows }),
  columns,
)

/** `catalogue items …` */
export const itemsCommand = new Command('items')
  .description('Items: a list, a search, new ones, changes, and the archive.')
  .addCommand(list)
  .addCommand(search)
  .addCommand(createItem)
  .addCommand(setItem)
  .addCommand(archive)
