import { Command } from 'commander'
import type { ListedItem } from '../../backoffice/queries.ts'
import { describeCommand, houseOption, utcOption } from '../command.ts'
import { describeCsv, localeOf, printCsv, type Cells, type CsvOptions } from './csv.ts'
import { withRecords } from './named-records.ts'
import { printList } from '../table.ts'
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

const list = describeCsv(
  describeCommand('list', 'List the items of a house, newest first, with the number of images and lots.'),
)
  .option(...houseOption)
  .option('--external-reference <text>', 'only the item with this external reference')
  .option(...utcOption)
  .action((options: CsvOptions & { externalReference?: string }) =>
    withRecords({}, options, async (context) => {
      const { listItems } = await import('../../backoffice/queries.ts')
      const locale = localeOf(options, context.house)
      const items = await listItems(context, { external_reference: options.externalReference }, locale)
      if (options.csv) return printCsv('items', items, cells, context.house, options)
      await printList(items, 'item', options, [
        { heading: 'item', show: (item) => item.external_reference ?? item.id ?? '-' },
        { heading: 'title', kind: 'text', show: (item) => item.title ?? '-' },
        { heading: 'images', kind: 'number', show: (item) => String(item.images) },
        { heading: 'lots', kind: 'number', show: (item) => String(item.lots) },
        { heading: 'created', show: (item) => printTime(item.created_at, options) },
        { heading: 'id', show: (item) => item.id ?? '-' },
      ])
    }),
  )

/** `catalogue items …` */
export const itemsCommand = new Command('items').description('Items: a list.').addCommand(list)
