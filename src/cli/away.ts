import type { Away } from '../houses/reach.ts'
import { exitCodes } from './exit-codes.ts'

/** Says on standard error which houses a command could not reach. The command then ends with exit code 3. */
export async function reportAway(away: Away[]): Promise<void> {
  if (away.length === 0) return
  const { describeAway } = await import('../houses/reach.ts')
  process.exitCode = exitCodes.notReached
  for (const worker of away) process.stderr.write(`${describeAway(worker)}\n`)
}
