import { randomUUID } from 'node:crypto'
import type { Context, Written } from '../context.ts'
import { readWritten, inTransaction } from '../writes/transaction.ts'
import { LoadError } from '../load/errors.ts'
import type { Source } from '../load/source.ts'
import { fieldError } from '../http/body/validation.ts'
import { duplicateReference, validationFailed } from '../problems.ts'
import { selectReference } from '../references/queries.ts'
import { hasStrategy, type Step } from '../references/statements.ts'
import { addStrategy } from '../references/touch.ts'
import { printId } from '../values/ids.ts'
import { mostEstimate } from '../values/money.ts'
import { byteLength, isBlank, isStorable } from '../values/text.ts'
import { CommandError } from './command-error.ts'
import { readRowFile, readWhole } from './row-file.ts'

// As in the load format.
const mostSteps = 1000
const longestName = 1024

const columns = ['from', 'increment']

/**
 * The steps that begin where they may not: `twin` is the earlier step that begins at the same amount. Undefined stands
 * for the whole list: none begins at 0.
 */
export function findStepFaults(steps: readonly Pick<Step, 'from'>[]): ({ index: number; twin: number } | undefined)[] {
  const indexes = new Map<number, number>()
  const twins = steps.flatMap(({ from }, index) => {
    const twin = indexes.get(from)
    if (twin === undefined) indexes.set(from, index)
    return twin === undefined ? [] : [{ index, twin }]
  })
  return indexes.has(0) ? twins : [...twins, undefined]
}

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

/**
 * Adds an increment strategy to a house, and returns it.
 * @throws Problem validation-failed, duplicate-reference
 */
export async function createStrategy(context: Context, name: string, steps: readonly Step[]): Promise<Written> {
  const problem =
    isBlank(name) || !isStorable(name) || byteLength(name) > longestName
      ? `must not be blank, nor have more than ${longestName} bytes or a NUL`
      : name !== name.trim() && 'must not begin or end with a space: a search for it would fail'
  if (problem) throw validationFailed([fieldError('name', 'invalid', problem)])
  const uuid = randomUUID()
  return inTransaction(context, async (tx) => {
    if (await hasStrategy(tx, name))
      throw duplicateReference({ kind: 'increment_strategy', field: 'name', value: name })
    await addStrategy(tx, { public_id: uuid, name, steps })
    const selection = selectReference(tx, 'increment_strategy', uuid)
    return { id: printId('increment_strategy', uuid), ...(await readWritten(tx, selection)) }
  })
}
