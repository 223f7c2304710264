import { Option } from 'commander'
import type { Range } from '../../chosen-lots.ts'
import type { Names } from '../../names.ts'
import type { Context } from '../../../context.ts'
import type { Justification } from '../../../lots/outcomes.ts'
import { announce, describeCommand, houseOption, printCount, printResult, type CommonOptions } from '../../command.ts'
import { readRanges } from '../lots/switches.ts'
import { correctOption, reasonOption } from '../lots/lot-result.ts'
import { changeRecords } from '../named-records.ts'

type Options = CommonOptions & Justification & { except?: Range[]; unsold?: Range[]; file?: string; units?: boolean }

type Document = { result: { state: string } | null }

function printStates(documents: Document[]): string {
  const counts = new Map<string, number>()
  for (const { result } of documents) if (result) counts.set(result.state, (counts.get(result.state) ?? 0) + 1)
  return Array.from(counts, ([state, count]) => `${count} ${state}`).join(', ')
}

async function printRecorded(
  { documents, changed, held = 0 }: { documents: string[]; changed: number; held?: number },
  options: CommonOptions,
) {
  const lots = documents.map((json) => JSON.parse(json) as Document)
  const same = lots.length - changed
  await printResult(lots, options, () => [
    `recorded ${printCount(changed, 'result')}${changed > 0 && same === 0 ? `: ${printStates(lots)}` : ''}`,
    ...(same > 0 ? [`${printCount(same, 'lot')} had the result already; together: ${printStates(lots)}`] : []),
    ...(held > 0 ? [`${printCount(held, 'held lot')} left without a result`] : []),
  ])
}

async function recordClosed(context: Context, session: string, options: Options, names: Names) {
  const [{ chooseLots }, { recordResults }] = await Promise.all([
    import('../../chosen-lots.ts'),
    import('../../../lots/results.ts'),
  ])
  const choose = async (ranges?: Range[]) => (ranges ? (await chooseLots(context, session, names, ranges)).uuids : [])
  const { correct, reason } = options
  const [except, unsold] = [await choose(options.except), await choose(options.unsold)]
  await printRecorded(await recordResults(context, { session, except, unsold, correct, reason }), options)
}

async function recordFile(context: Context, session: string, path: string, options: Options, names: Names) {
  const [{ openSource }, { createPrinter }, { readResults, recordResultsOfFile }] = await Promise.all([
    import('../../../load/source.ts'),
    import('../../command-error.ts'),
    import('../../files/results-file.ts'),
  ])
  const file = await readResults(await openSource(path), options)
  if (file.ignored.length > 0) announce(`${file.name}: not stored: ${file.ignored.join(', ')}`)
  const print = (typed: Names) => createPrinter(new Map([...names, ...typed]), options)
  await printRecorded(await recordResultsOfFile(context, session, file, options, print), options)
}

/** `catalogue sessions results` */
export const sessionResults = describeCommand(
  'results',
  'Record the results of the closed lots of a timed session by their bids, or those of a file, all or none.',
)
  .argument('<id>', 'the id or external reference of the session')
  .option('--except <numbers>', 'the lots with these numbers stay without a result, such as 3,9', readRanges)
  .option('--unsold <numbers>', 'the lots with these numbers are unsold, held ones too, such as 12,40-44', readRanges)
  .addOption(
    new Option(
      '--file <file>',
      'the results of a timed or live session: CSV with the headings number, state and amount, or NDJSON with these fields in minor units; - is standard input',
    ).conflicts(['except', 'unsold']),
  )
  .option('--units', 'an amount of the file such as 450, without currency and decimals, is in units')
  .option(...correctOption)
  .option(...reasonOption)
  .option(...houseOption)
  .action((session: string, options: Options) =>
    changeRecords({ session }, options, (context, { session }, names) =>
      options.file === undefined
        ? recordClosed(context, session, options, names)
        : recordFile(context, session, options.file, options, names),
    ),
  )
