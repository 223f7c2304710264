import type { Cause, FieldError, Problem } from '../problems.ts'
import { describeCause, describeDuplicate, describeFault, describeFieldError, type Printer } from '../sentences.ts'
import { printId } from '../values/ids.ts'
import { printMoney } from '../values/typed-money.ts'
import type { CommonOptions } from './command.ts'
import { printTime } from './times.ts'

/**
 * A command that cannot be carried out as it was typed: a name, a file or an answer of the person. The message is one line.
 * `problems`: of a file, one line each.
 */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly problems: readonly string[]

  constructor(problem: string | readonly string[], options?: ErrorOptions) {
    const problems = [problem].flat()
    super(problems.length === 1 ? problems[0]! : `nothing was changed: there are ${problems.length} problems`, options)
    this.problems = problems
  }
}

// What to type next, by the reason.
const remedies: { [Reason in Cause['reason']]?: (cause: Cause) => string | undefined } = {
  finished: ({ by }) => (by === 'new_result' ? 'say --correct to take a result back' : undefined),
  numbers_fixed: () => 'say --no-numbers-fixed first',
  not_closed: ({ count }) => (count === undefined ? undefined : 'say --early to finish'),
  has_result: ({ by }) => {
    if (by === 'new_result') return 'say --correct to replace that'
    return by === 'cancellation' ? 'take its result back first' : undefined
  },
  withdrawn: ({ by }) => (by === 'new_result' ? 'say --correct to replace that' : undefined),
  in_use: ({ record, index }) => (record?.kind === 'item' && index !== undefined ? 'say --again to add it' : undefined),
  opens_soon: ({ by }) => (by === 'new_opening' ? 'name a later one' : undefined),
}

// A cause as a clause, with what to type next.
function describeForCommand(cause: Cause, printer: Printer): string {
  const remedy = remedies[cause.reason]?.(cause)
  return `${describeCause(cause, printer)}${remedy === undefined ? '' : `: ${remedy}`}`
}

// Fields of a body that have another name where a person types them. A file has no columns for them.
const options: Record<string, string> = {
  active: '--active',
  closes_at: '--closes-at',
  estimate: '--estimate',
  'estimate.high.amount': '--estimate',
  'estimate.low.amount': '--estimate',
  live: '--closes-at',
  'live.closes_at': '--closes-at',
  reason: '--reason',
  results: '--file',
  'settings.buyer_premium_percentage': '--premium',
  'timed.extension_seconds': '--extension',
  'timed.extension_threshold_seconds': '--extension-threshold',
  'timed.first_closes_at': '--first-closes-at',
  'timed.group_size': '--group-size',
  'timed.interval_seconds': '--interval',
}

const describeTyped = (error: FieldError, printer: Printer) =>
  describeFieldError({ ...error, field: options[error.field] ?? error.field }, printer)

type House = { slug: string }

const describeMissing = (record: NonNullable<Problem['record']>, printer: Printer, house?: House) =>
  record.isArchived
    ? `the ${printer.name(record)} is archived`
    : `there is no ${printer.name(record)}${house ? ` in the house ${house.slug}` : ''}`

/** What is wrong with a row of a file, beside the name of the column. */
export function describeInRow(fault: FieldError | Cause, printer: Printer, house?: House): string {
  if ('reason' in fault) return describeForCommand(fault, printer)
  if (fault.record) return describeMissing(fault.record, printer, house)
  return (fault.field in options ? describeTyped : describeFault)(fault, printer)
}

/** A refusal as a command says it, in one line. `house`: the one in which a record was looked for. */
export function describeProblem(problem: Problem, printer: Printer, house?: House): string {
  const { errors = [], causes, record, duplicate } = problem
  const faults = [
    ...causes.slice(0, 1).map((cause) => describeForCommand(cause, printer)),
    ...errors.map((error) =>
      error.record ? describeMissing(error.record, printer, house) : describeTyped(error, printer),
    ),
  ]
  if (faults.length > 0) return faults.join('; ')
  if (duplicate) return describeDuplicate(duplicate)
  if (problem.code === 'auction-published') return 'the auction is published: unpublish it first'
  return record ? describeMissing(record, printer, house) : problem.message
}

/** How a command prints what a refusal names: records as they were typed, a lot by its place, times and amounts as lists do. */
export const createPrinter = (names: ReadonlyMap<string, string>, options: CommonOptions): Printer => ({
  name({ kind, uuid, place }) {
    const words = kind.replaceAll('_', ' ')
    if (uuid === null) return place === undefined ? words : `${words} ${place}`
    const id = printId(kind, uuid)
    return `${words} ${names.get(id) ?? place ?? id}`
  },
  time: (time) => printTime(time.toISOString(), options),
  money: (money) => printMoney(money),
})
