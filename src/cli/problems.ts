import type { Names } from './names.ts'
import type { Printer } from '../sentences.ts'
import { printId } from '../values/ids.ts'
import { printMoney } from '../values/typed-money.ts'
import { say, type CommonOptions } from './command.ts'
import { printTime } from './times.ts'

const mostProblems = 100

/** How a command prints what a refusal names: records as they were typed, a lot by its place, times and amounts as lists do. */
export const createPrinter = (names: Names, options: CommonOptions): Printer => ({
  name({ kind, uuid, place }) {
    const words = kind.replaceAll('_', ' ')
    if (uuid === null) return place === undefined ? words : `${words} ${place}`
    const id = printId(kind, uuid)
    return `${words} ${names.get(id) ?? place ?? id}`
  },
  time: (time) => printTime(time.toISOString(), options),
  money: (money) => printMoney(money),
})

/** Runs the work. If it refuses a file for several problems, lists them first. */
export async function listProblems(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { CommandError } = await import('./command-error.ts')
    if (error instanceof CommandError && error.problems.length > 1) {
      for (const problem of error.problems.slice(0, mostProblems)) say(problem)
      if (error.problems.length > mostProblems) say(`and ${error.problems.length - mostProblems} more`)
    }
    throw error
  }
}
