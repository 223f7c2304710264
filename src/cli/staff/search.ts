import { Option, type Command } from 'commander'
import type { Context } from '../../context.ts'
import type { Filters } from '../../search/filters.ts'
import type { SearchedKind } from '../../search/order.ts'
import type { Found } from '../../search/search.ts'
import type { Searcher } from '../../search/searcher.ts'
import { resultStates, type ResultState } from '../../values/offers.ts'
import {
  announce,
  describeCommand,
  houseOption,
  printCount,
  utcOption,
  wholeNumber,
  type CommonOptions,
} from '../command.ts'
import { showProgress } from '../progress.ts'
import { withRecords } from './named-records.ts'
import { printList, type Column } from '../table.ts'

type SearchOptions = CommonOptions & {
  session?: string
  result?: ResultState | 'none'
  open?: boolean
  limit: number
}

// What a table does not say, on standard error: how the words were taken, and how many records match.
function describeFound(kind: SearchedKind, shown: number, { count, walk: { taken }, isRelaxed }: Found): string[] {
  const corrected = Object.entries(taken?.corrected ?? {})
  return [
    ...corrected.map(([word, others]) => `corrected: ${word} to ${others.join(', ')}`),
    ...(isRelaxed ? [`left out: ${taken!.left.join(', ')}`] : []),
    ...(count > shown ? [`the first ${shown} of ${printCount(count, kind)}: --limit shows more`] : []),
  ]
}

const reading = { doing: 'reading', done: 'read', print: (items: number) => printCount(items, 'item'), step: 20_000 }
// Fewer are read within a second.
const longItems = 5_000

/** Searches in an index of the house that is made for it. Shows its progress if it takes long. */
async function searchOnce(context: Context, asked: Omit<Parameters<Searcher['search']>[1], 'walk'>): Promise<Found> {
  const { createSearcher } = await import('../../search/searcher.ts')
  let shown: ReturnType<typeof showProgress> | undefined
  let read = 0
  const searcher = createSearcher(Infinity, Infinity, undefined, (items) => {
    read = items
    if (items >= longItems) shown ??= showProgress(reading, context.house.slug)
    shown?.report(items)
  })
  try {
    const found = await searcher.search(context, { ...asked, walk: undefined })
    shown?.end(read)
    return found
  } catch (error) {
    shown?.fail()
    throw error
  } finally {
    await searcher.close()
  }
}

/** `catalogue lots search` or `items search`, with the columns of the list. */
export function describeSearch<Row extends { id: string | null }>(
  kind: SearchedKind,
  list: (context: Context, rows: string[]) => Promise<Row[]>,
  columnsOf: (options: CommonOptions) => Column<Row>[],
): Command {
  const command = describeCommand(
    'search',
    `Search the ${kind}s of a house in their texts, makers, categories and references, the best first.`,
  )
    .argument('<words...>', 'words, "phrases in quotes", or -words to leave out (after --)')
    .option(...houseOption)
    .option('--limit <n>', 'at most so many', wholeNumber(1, 1_000), 25)
    .option(...utcOption)
  if (kind === 'lot')
    command
      .option('--session <id>', 'only the lots of this session, by its id or external reference')
      .addOption(new Option('--result <state>', 'only lots with this result').choices([...resultStates, 'none']))
      .option('--open', 'only lots that take bids until a time in the future')
  return command.action((words: string[], { session, result, open, limit, ...options }: SearchOptions) =>
    withRecords({ session }, options, async (context, records) => {
      const filters: Filters = { session: records.session, result, open }
      const sorting = { by: 'relevance', descending: false } as const
      const found = await searchOnce(context, {
        kind,
        q: words.join(' '),
        filters,
        sorting,
        facets: [],
        after: undefined,
        limit,
        categories: true,
      })
      const page = found.page.slice(0, limit)
      const listed = new Map(
        (
          await list(
            context,
            page.map(({ row }) => row),
          )
        ).map((row) => [row.id?.slice(-36), row]),
      )
      const rows = page.flatMap(({ id }) => listed.get(id) ?? [])
      await printList(rows, kind, options, columnsOf(options))
      for (const line of describeFound(kind, rows.length, found)) announce(line)
    }),
  )
}
