import { say } from './command.ts'

const mostProblems = 100

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
