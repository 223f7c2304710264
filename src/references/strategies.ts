import { randomUUID } from 'node:crypto'
import type { Context, Written } from '../context.ts'
import { readWritten, inTransaction } from '../writes/transaction.ts'
import { fieldError } from '../http/body/validation.ts'
import { duplicateReference, validationFailed } from '../problems.ts'
import { selectReference } from './queries.ts'
import { hasStrategy } from './statements.ts'
import { addStrategy } from './touch.ts'
import { printId } from '../values/ids.ts'
import { byteLength, isBlank, isStorable } from '../values/text.ts'
import type { Step } from './schema.ts'

const longestName = 1024

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
 * Adds an increment strategy to a house, and returns it.
 * @throws Problem validation-failed, duplicate-reference
 */
export async function createStrategy(context: Context, name: string, steps: readonly Step[]): Promise<Written> {
  const errors = findStepFaults(steps).map((fault) =>
    fault
      ? fieldError(`steps.${fault.index}.from`, 'duplicate')
      : fieldError('steps', 'invalid', 'must have a step that begins at 0'),
  )
  if (errors.length > 0) throw validationFailed(errors)
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
