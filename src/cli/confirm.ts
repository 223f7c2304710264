import { createInterface } from 'node:readline/promises'
import { announce } from './staff/named-records.ts'

/** The option that answers a question beforehand. */
export const yesOption = ['--yes', 'answer the question with yes'] as const

/**
 * Says what is about to happen, and asks on a terminal whether to go on. `--yes` answers. Without a terminal it goes on.
 * @throws Refusal if the answer is not yes
 */
export async function confirm(warning: string, { yes }: { yes?: boolean }): Promise<void> {
  announce(warning)
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question('Go on? (yes/no) ')
  terminal.close()
  if (/^y(es)?$/i.test(answer.trim())) return
  const { Refusal } = await import('../backoffice/refusal.ts')
  throw new Refusal('nothing was changed')
}
