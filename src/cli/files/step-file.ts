import type { Source } from '../../load/source.ts'
import { FileFaults, readRowFile, readWhole } from './row-file.ts'
import { mostEstimate } from '../../values/money.ts'
import { findStepFaults } from '../../references/strategies.ts'
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
  const faults = new FileFaults(source.name)
  const refuse = ({ line }: { line: number }, problem: string) => faults.add(line, 'from', problem)
  for (const fault of findStepFaults(steps))
    if (fault) refuse(steps[fault.index]!, `line ${steps[fault.twin]!.line} begins at ${steps[fault.index]!.from} too`)
    else refuse(steps[0]!, 'no line begins at 0, so the first bids would have no increment')
  if (steps.length > mostSteps) refuse(steps[mostSteps]!, `a strategy has at most ${mostSteps} steps`)
  faults.refuse()
  return steps
}
