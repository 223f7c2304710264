import { ConfigError } from '../settings/config.ts'
import { UsageError } from './command.ts'

/** How a command can end (docs/operating.md, "Exit codes"). */
export const exitCodes = { done: 0, refused: 1, usedWrongly: 2, notReached: 3 } as const

// Errors of the system about another machine, such as that of an object store.
const away = /^(ECONN(REFUSED|RESET|ABORTED)|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN)$/

/** The exit code of a command that failed with this error. A cause of the error decides before the error itself. */
export async function exitCodeOf(error: unknown): Promise<number> {
  const { EmbeddedServerError } = await import('../db/embedded/server.ts')
  const { errorCode, isMisaddressed, isOutOfService, isUnreachable, UnknownOutcome } = await import('../db/errors.ts')
  for (let each = error; each instanceof Error; each = each.cause) {
    const isAway = isUnreachable(each) || isMisaddressed(each) || isOutOfService(each)
    if (
      isAway ||
      away.test(errorCode(each) ?? '') ||
      each instanceof UnknownOutcome ||
      each instanceof EmbeddedServerError
    )
      return exitCodes.notReached
  }
  return error instanceof ConfigError || error instanceof UsageError ? exitCodes.usedWrongly : exitCodes.refused
}
