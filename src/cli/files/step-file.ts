import type { Source } from '../../load/source.ts'
import { readRowFile, readWhole } from './row-file.ts'
import { mostEstimate } from '../../values/money.ts'
import { LoadError } from '../../load/errors.ts'
import { findStepFaults } from '../../references/strategies.ts'
import { CommandError } from '../command-error.ts'
import type { Step } from '../../references/schema.ts'

// As in the load format.
const mostSteps = 1000

const columns = ['from', 'increment']

/**
 * The steps in a file: CSV with the headings from and increment, or newline-delimited JSON. One step begins at 0, and
 * no two at the same amount.
 * @throws CommandError with a line for each problem
 */
export async function readSteps(source: Source): Promise<Step[]> {
  const steps = await readRowFile(source, { rows: 'steps', columns, needed: columns }, (line, read) => ({
    line,
    from: read('from', (value) => readWhole(value, 0), 'an amount: a whole number of minor units (cents)'),
    increment: read(
      'increment',
      (value) => readWhole(value, 1, mostEstimate),
      `an increment: from 1 to ${mostEstimate} minor units (cents)`,
    ),
  }))
  const problems: string[] = []
  const refuse = (line: number, problem: string) =>
    void problems.push(new LoadError({ file: source.name, line }, 'from', problem).message)
  for (const fault of findStepFaults(steps))
    if (fault)
      refuse(steps[fault.index]!.line, `line ${steps[fault.twin]!.line} begins at ${steps[fault.index]!.from} too`)
    else refuse(steps[0]!.line, 'no line begins at 0, so the first bids would have no increment')
  if (steps.length > mostSteps) refuse(steps[mostSteps]!.line, `a strategy has at most ${mostSteps} steps`)
  if (problems.length > 0) throw new CommandError(problems)
  return steps
}
