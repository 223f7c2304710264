import { createInterface } from 'node:readline/promises'
import type { Context, Write } from '../context.ts'
import { terminal } from '../values/program.ts'
import { say, sayAnnounced } from './command.ts'

/** The option that answers a question beforehand. */
export const yesOption = ['--yes', 'answer the question with yes'] as const

class Rehearsed extends Error {}

const write: Write = {
  key: undefined,
  needsAnswer: true,
  isRehearsal: true,
  begin: async () => undefined,
  guard: async () => undefined,
  end: async (_, written) => {
    throw written instanceof Error ? written : new Rehearsed()
  },
}

/** Carries out a change with all of its checks, and takes it back. Throws what the change throws. */
export async function rehearse(context: Context, change: (context: Context) => Promise<unknown>): Promise<void> {
  await change({ ...context, write }).catch((error: unknown) => {
    if (!(error instanceof Rehearsed)) throw error
  })
}

/**
 * Carries out a change. With a warning it first rehearses the change, so that a refusal comes before any question; then it
 * says the warning, and asks on a terminal whether to go on. `--yes` answers. Without a terminal it goes on.
 * @throws CommandError if the answer is not yes, and what the change throws
 */
export async function changeConfirmed<T>(
  context: Context,
  warning: string | undefined,
  options: { yes?: boolean },
  change: (context: Context) => Promise<T>,
): Promise<T> {
  if (warning !== undefined) {
    await rehearse(context, change)
    await ask(warning, options)
  }
  return change(context)
}

async function ask(warning: string, { yes }: { yes?: boolean }): Promise<void> {
  sayAnnounced()
  say(warning)
  const { stdin, stderr } = terminal()
  if (yes || !stdin.isTTY || !stderr.isTTY) return
  const asking = createInterface({ input: stdin, output: stderr })
  const answer = await asking.question('Go on? (yes/no) ')
  asking.close()
  if (/^y(es)?$/i.test(answer.trim())) return
  const { CommandError } = await import('./command-error.ts')
  throw new CommandError('nothing was changed')
}
