import { isMisaddressed, isOutOfService, isUnreachable } from '../db/errors.ts'

type Log = { error(details: object, message: string): void; info(details: object, message: string): void }

/**
 * Logs an outage of the database once, without a stack, at its first failure, and once when it is over. `noteFailure`
 * returns whether an error is part of an outage; the caller logs any other error.
 */
export function createOutageLog(log: Log) {
  let since: number | undefined
  return {
    noteFailure(error: unknown): boolean {
      if (!isUnreachable(error) && !isMisaddressed(error) && !isOutOfService(error)) return false
      if (since === undefined) log.error({ reason: (error as Error).message }, 'the database is away: jobs wait')
      since ??= performance.now()
      return true
    },
    noteSuccess(): void {
      if (since === undefined) return
      const seconds = Math.round((performance.now() - since) / 1000)
      since = undefined
      log.info({ seconds }, 'the database is back')
    },
  }
}

/** See `createOutageLog`. */
export type OutageLog = ReturnType<typeof createOutageLog>
