import type { Cause, Problem } from '../problems.ts'
import { describeCause, describeDuplicate, describeFieldError, type Printer } from '../sentences.ts'

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
  numbers_fixed: () => 'say --no-numbers-fixed first',
  not_closed: ({ count }) => (count === undefined ? undefined : 'say --early to finish'),
  has_result: ({ record }) => (record?.kind === 'lot' ? 'say --correct to replace that' : undefined),
  withdrawn: ({ by }) => (by === 'after_sale' ? undefined : 'say --correct to replace that'),
  in_use: ({ record, index }) => (record?.kind === 'item' && index !== undefined ? 'say --again to add it' : undefined),
  opens_soon: ({ by }) => (by === 'new_opening' ? 'name a later one' : undefined),
}

/** A cause as a command says it: as a clause, with what to type next. */
export function describeForCommand(cause: Cause, printer: Printer): string {
  const remedy = remedies[cause.reason]?.(cause)
  return `${describeCause(cause, printer)}${remedy === undefined ? '' : `: ${remedy}`}`
}

/** A refusal as a command says it, in one line. `house`: the slug of the house in which a record was looked for. */
export function describeProblem(problem: Problem, printer: Printer, house?: { slug: string }): string {
  const { errors, causes, record, duplicate } = problem
  if (errors) return errors.map((error) => describeFieldError(error)).join('; ')
  if (causes[0]) return describeForCommand(causes[0], printer)
  if (duplicate) return describeDuplicate(duplicate)
  if (!record) return problem.message
  const name = printer.name(record)
  return record.isArchived
    ? `the ${name} is archived`
    : `there is no ${name}${house ? ` in the house ${house.slug}` : ''}`
}
