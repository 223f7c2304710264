import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Context, ResultsMode } from '../../../context.ts'
import { resultsModes } from '../../../context.ts'
import { parseId, printId } from '../../../values/ids.ts'
import { longestDelay } from '../../../values/timestamps.ts'
import {
  describeCommand,
  houseOption,
  needed,
  printResult,
  UsageError,
  utcOption,
  wholeNumber,
  type CommonOptions,
} from '../../command.ts'
import { changeConfirmed, yesOption } from '../../confirm.ts'
import { printTime, readSpan, readTime } from '../../times.ts'
import { changeRecords, withRecords } from '../named-records.ts'
import { readReason } from '../reason.ts'
import { printSession, readSession, type SessionDocument } from './session-line.ts'

type Options = CommonOptions & {
  title?: string
  opensAt?: Date
  firstClosesAt?: Date
  groupSize?: number
  interval?: number
  extensionThreshold?: number
  extension?: number
  closesAt?: Date
  premium?: string
  strategy?: string
  numbersFixed?: boolean
  results?: ResultsMode
  yes?: boolean
}

type CreateOptions = Options & { auction: string; externalReference: string }

const defined = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>
const orNothing = <Values extends object>(values: Values) =>
  Object.keys(defined(values)).length > 0 ? defined(values) : undefined

async function findStrategy(context: Context, name: string): Promise<string> {
  const [{ listStrategies }, { CommandError }] = await Promise.all([
    import('../../../references/queries.ts'),
    import('../../command-error.ts'),
  ])
  const strategies = await listStrategies(context, {})
  const uuid = parseId('increment_strategy', name)
  const found = strategies.filter((each) => each.name === name || (uuid && each.id?.endsWith(uuid)))
  if (found.length > 1)
    throw new CommandError(`"${name}" may be ${found.length} increment strategies: use the id of one`)
  if (!found[0]?.id)
    throw new CommandError(`there is no increment strategy "${name}" in the house ${context.house.slug}`)
  return found[0].id
}

// What only a timed and only a live session have.
const timesOf = ({ firstClosesAt, groupSize, interval, extensionThreshold, extension, closesAt }: Options) =>
  defined({
    timed: orNothing({
      first_closes_at: firstClosesAt?.toISOString(),
      group_size: groupSize,
      interval_seconds: interval,
      extension_threshold_seconds: extensionThreshold,
      extension_seconds: extension,
    }),
    live: closesAt && { closes_at: closesAt.toISOString() },
  })

// The terms as the body of the interface has them.
async function toBody(context: Context, options: Options) {
  const { title, opensAt, premium, strategy } = options
  return defined({
    title,
    opens_at: opensAt?.toISOString(),
    ...timesOf(options),
    settings: premium === undefined ? undefined : { buyer_premium_percentage: premium },
    increment_strategy: strategy === undefined ? undefined : await findStrategy(context, strategy),
  })
}

function printTerms(session: SessionDocument, options: CommonOptions): string {
  const closes =
    session.kind === 'timed'
      ? `first close ${printTime(session.timed.first_closes_at, options)}`
      : `closes ${printTime(session.live.closes_at, options)}`
  return `opens ${printTime(session.opens_at, options)}, ${closes}`
}

const titleOption = () => new Option('--title <text>', 'the title in the language of the house')
const opensOption = () =>
  new Option('--opens-at <time>', 'when it opens, such as 2026-11-21T10:00:00+01:00, or +10m from now').argParser(
    readTime,
  )

/** Adds the terms of a session beside its title and opening. */
const describeTerms = (command: Command): Command =>
  command
    .addOption(
      new Option('--first-closes-at <time>', 'when the first lots of a timed session close').argParser(readTime),
    )
    .option('--group-size <n>', 'how many lots of a timed session close together', wholeNumber(1))
    .option('--interval <seconds>', 'the time from one group of lots to the next', wholeNumber(1))
    .option('--extension-threshold <seconds>', 'a bid this long before the close extends the lot', wholeNumber(0))
    .option('--extension <seconds>', 'the close after such a bid', wholeNumber(0))
    .addOption(new Option('--closes-at <time>', 'when a live session stops taking online bids').argParser(readTime))
    .option('--premium <percent>', 'the premium of the buyer, such as 22.5')
    .option('--strategy <name>', 'the increment strategy, by its name or id')
    .addOption(
      new Option(
        '--results <mode>',
        'until it opens: automatic, a job at the close of each lot; by-staff, people',
      ).choices(resultsModes),
    )
    .option(...houseOption)
    .option(...utcOption)

/** `catalogue sessions create` */
export const createSession = describeTerms(
  describeCommand(
    'create',
    'Make a draft session without lots. What is left out is as in the latest session of the auction, else as the house has it.',
  )
    .requiredOption('--auction <id>', 'the auction, by its id or external reference')
    .requiredOption('--external-reference <text>', 'the reference, which no other session of the house has')
    .addOption(titleOption().makeOptionMandatory())
    .addOption(opensOption().makeOptionMandatory()),
).action(({ auction, externalReference: external_reference, ...options }: CreateOptions) => {
  const { timed, live } = timesOf(options)
  if ((timed === undefined) === (live === undefined))
    throw new UsageError('a session is timed, with --first-closes-at, or live, with --closes-at')
  return withRecords({ auction }, options, async (context, { auction }) => {
    const [{ createSession }, { parseBody }, { SessionCreate }, { checkNewTiming }] = await Promise.all([
      import('../../../sessions/sessions.ts'),
      import('../../../http/body/validation.ts'),
      import('../../../sessions/schema.ts'),
      import('../../../sessions/timing.ts'),
    ])
    const given = { auction: printId('auction', auction), external_reference, ...(await toBody(context, options)) }
    const body = parseBody(SessionCreate, given, 'POST', checkNewTiming)
    const { json } = await createSession(context, body, undefined, options.results)
    await printResult(
      JSON.parse(json) as SessionDocument,
      options,
      (shown) => `made the session ${external_reference} ${shown.id} "${shown.title}": ${printTerms(shown, options)}`,
    )
  })
})

/** `catalogue sessions set` */
export const setSession = describeTerms(
  describeCommand(
    'set',
    'Change a session until five minutes before it opens, or at any time until it is published, while no lot has had a bid. Closing times are computed again.',
  )
    .argument('<id>', 'the id or external reference of the session')
    .addOption(titleOption())
    .addOption(opensOption()),
)
  .option('--numbers-fixed', 'the list is printed: the numbers of the lots no longer change')
  .option('--no-numbers-fixed', 'the numbers may change again')
  .option(...yesOption)
  .action((session: string, options: Options) => {
    const { json: _, house: _house, utc: _utc, yes: _yes, ...given } = options
    if (Object.keys(given).length === 0) throw needed('--opens-at <time>, or another')
    return changeRecords({ session }, options, async (context, { session }, names) => {
      const [{ changeSession }, { parseBody }, { SessionTerms }] = await Promise.all([
        import('../../../sales/sessions.ts'),
        import('../../../http/body/validation.ts'),
        import('../../../sessions/schema.ts'),
      ])
      const terms = parseBody(SessionTerms, await toBody(context, options), 'PATCH')
      const hasTerms = Object.keys(terms).length > 0
      const before = await readSession(context, session)
      const warning =
        hasTerms && before.published ? `the session is published: ${printTerms(before, options)}` : undefined
      const { results, numbersFixed: numbers_fixed } = options
      const change = { results, numbers_fixed, terms: hasTerms ? terms : undefined }
      const { json } = await changeConfirmed(context, warning, options, (context) =>
        changeSession(context, session, change),
      )
      await printSession(json, names, options, (shown) => [
        printTerms(shown, options),
        ...(results === undefined ? [] : [`results ${results}`]),
        ...(numbers_fixed === undefined ? [] : [`numbers ${numbers_fixed ? 'fixed' : 'not fixed'}`]),
      ])
    })
  })

// Commander calls it with the text alone: the range is checked before the catalogue is opened.
function readSeconds(text: string): number {
  const seconds = readSpan(text)
  if (!(seconds >= 1 && seconds <= longestDelay))
    throw new InvalidArgumentError('It must be a time such as 90s, 30m or 2h, at most 720h.')
  return seconds
}

/** `catalogue sessions delay` */
export const delaySession = describeCommand(
  'delay',
  'Move the closes of all lots that have not closed by the same time, with bids or without.',
)
  .argument('<id>', 'the id or external reference of the session')
  .addOption(
    new Option('--by <time>', 'how much later, such as 90s, 30m or 2h').argParser(readSeconds).makeOptionMandatory(),
  )
  .requiredOption('--reason <text>', 'why, for the journal', readReason)
  .option(...yesOption)
  .option(...houseOption)
  .option(...utcOption)
  .action((session: string, options: CommonOptions & { by: number; reason: string; yes?: boolean }) =>
    changeRecords({ session }, options, async (context, { session }, names) => {
      const { delaySession } = await import('../../../sales/delay.ts')
      const { by: seconds, reason } = options
      const warning = `all lots that have not closed close ${seconds} seconds later`
      const { json } = await changeConfirmed(context, warning, options, (context) =>
        delaySession(context, session, { seconds, reason }),
      )
      await printSession(json, names, options, (shown) => [printTerms(shown, options)])
    }),
  )

/** `catalogue sessions delete` */
export const deleteSession = describeCommand(
  'delete',
  'Delete a session that is not published and has no lots, bids or results. Its reference is free then.',
)
  .argument('<id>', 'the id or external reference of the session')
  .option(...houseOption)
  .action((named: string, options: CommonOptions) =>
    changeRecords({ session: named }, options, async (context, { session }) => {
      const { deleteSession } = await import('../../../sales/sessions.ts')
      await deleteSession(context, session)
      await printResult({ deleted: named }, options, () => `deleted the session ${named}`)
    }),
  )
