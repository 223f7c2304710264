type ServerError = { code: string; message: string }

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string'
}

/** The SQLSTATE (or socket error code) of a failed statement, if it has one. */
export function errorCode(error: unknown): string | undefined {
  return isServerError(error) ? error.code : undefined
}

/**
 * The name of the unique constraint that a statement violated, without the shard suffix that Citus adds;
 * undefined for any other error.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (errorCode(error) !== '23505') return undefined
  return /unique constraint "(.+?)"/.exec((error as Error).message)?.[1]?.replace(/_\d+$/, '')
}

/** Whether the server gave the transaction up for the sake of another, so that trying again can succeed. */
export function isRetryable(error: unknown): boolean {
  const code = errorCode(error)
  return code === '40001' || code === '40P01'
}

/** Whether the server gave a statement up because it took too long, waited too long for a lock, or somebody cancelled it. */
export function isGivenUp(error: unknown): boolean {
  const code = errorCode(error)
  return code === '57014' || code === '55P03'
}

/** Whether no such database, role or host is known, or the password is wrong. */
export function isMisaddressed(error: unknown): boolean {
  return /^(3D000|28000|28P01|EAI_AGAIN)$/.test(errorCode(error) ?? '')
}

/** Whether the server could not be reached, or went away. */
export function isUnreachable(error: unknown): boolean {
  const code = errorCode(error) ?? ''
  if (/^(08...|57P0[1-3]|53300|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND)$/.test(code)) return true
  return (
    error instanceof Error &&
    /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
      error.message,
    )
  )
}
