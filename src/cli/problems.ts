import type { Names } from '../backoffice/named-records.ts'
import type { Printer } from '../sentences.ts'
import { printId } from '../values/ids.ts'
import { say, type CommonOptions } from './command.ts'
import { printTime } from './times.ts'

const mostProblems = 100

/** How a command prints what a refusal names: records as they were typed, and times as lists do. */
export const createPrinter = (names: Names, options: CommonOptions): Printer => ({
  name({ kind, uuid }) {
    const words = kind.replaceAll('_', ' ')
    if (uuid === null) return words
    const id = printId(kind, uuid)
    return `${words} ${names.get(id) ?? id}`
  },
  time: (time) => printTime(time.toISOString(), options),
})

/** Runs the work. If it refuses a file for several problems, lists them first. */
export async function listProblems(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const [{ RowFileRefusal }, { CommandError }] = await Promise.all([
      import('../backoffice/row-file.ts'),
      import('../backoffice/command-error.ts'),
    ])
    if ((error instanceof RowFileRefusal || error instanceof CommandError) && error.problems.length > 1) {
      for (const problem of error.problems.slice(0, mostProblems)) say(problem)
      if (error.problems.length > mostProblems) say(`and ${error.problems.length - mostProblems} more`)
    }
    throw error
  }
}
