import type { Away } from '../houses/reach.ts'
import { running } from '../values/program.ts'
import { say } from './command.ts'
import { exitCodes } from './exit-codes.ts'

/** Says on standard error which houses a command could not reach. The command then ends with exit code 3. */
export async function reportAway(away: Away[]): Promise<void> {
  if (away.length === 0) return
  const { describeAway } = await import('../houses/reach.ts')
  running().exitCode = exitCodes.notReached
  for (const worker of away) say(describeAway(worker))
}
