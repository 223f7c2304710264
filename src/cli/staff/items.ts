import { Command } from 'commander'
import { describeCommand, houseOption, utcOption, type CommonOptions } from '../command.ts'
import { withRecords } from './named-records.ts'
import { printList } from '../table.ts'
import { printTime } from '../times.ts'

const list = describeCommand('list', 'List the items of a house, newest first, with the number of images and lots.')
  .option(...houseOption)
  .option('--external-reference <text>', 'only the item with this external reference')
  .option(...utcOption)
  .action((options: CommonOptions & { externalReference?: string }) =>
    withRecords({}, options, async (context) => {
      const { listItems } = await import('../../backoffice/queries.ts')
      const items = await listItems(context, { external_reference: options.externalReference })
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
