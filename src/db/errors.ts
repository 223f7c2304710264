import { DatabaseError } from 'pg'

type ServerError = { code: string; message: string }

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string'
}

/** The SQLSTATE (or socket error code) of a failed statement, if it has one. */
export function errorCode(error: unknown): string | undefined {
  return isServerError(error) ? error.code : undefined
}

/**
 * The name of the unique constraint that a statement violated, without the shard suffix of Citus. Undefined for any
 * other error.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) || error.code !== '23505') return undefined
  // Citus passes on the message of a worker's error, but not its fields.
  const name = error.constraint ?? /unique constraint "(.+?)"/.exec(error.message)?.[1]
  return name?.replace(/_\d+$/, '')
}

/** Whether the server aborted the transaction in favour of another one, so that a repetition can succeed. */
export function isRetryable(error: unknown): boolean {
  const code = errorCode(error)
  return code === '40001' || code === '40P01'
}

/** Whether the server gave up a statement: it timed out, waited too long for a lock, or was cancelled. */
export function isGivenUp(error: unknown): boolean {
  const code = errorCode(error)
  return code === '57014' || code === '55P03'
}

function stateOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : ''
}

/** Whether the database or the role is unknown, or the password is wrong. */
export function isMisaddressed(error: unknown): boolean {
  return /^(3D000|28000|28P01)$/.test(stateOf(error))
}

const connectionErrors = new WeakSet<Error>()

/** Marks an error as one of the connection to the server, not of a file or another service. */
export function noteConnectionError(error: Error): void {
  connectionErrors.add(error)
}

// Messages of a server that stops during a statement, or of a Citus coordinator that loses a worker. Their SQLSTATE
// is that of an internal error.
const lostInTheMiddle =
  /^(postmaster was shut down|terminating connection due to|failure on connection marked as essential|failed to prepare transaction)/

/** Whether the server could not be reached, or the connection to it was lost. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (connectionErrors.has(error) || /^(08...|57P0.|25P0[34]|53300)$/.test(stateOf(error))) return true
  if (stateOf(error) === 'XX000') return lostInTheMiddle.test(error.message)
  return /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed))/.test(
    error.message,
  )
}

/** Whether the server is read-only: it has become a standby, or an administrator has made it read-only. */
export function isReadOnly(error: unknown): boolean {
  return stateOf(error) === '25006'
}

/** Whether the server answers but cannot work: it is read-only, or lacks disk or memory. */
export function isOutOfService(error: unknown): boolean {
  return isReadOnly(error) || /^(53...|58...)$/.test(stateOf(error))
}

/**
 * The database did not answer a COMMIT, so the transaction may be committed or not, or may be committed later. Do not
 * touch what belongs to it outside the database, such as files.
 */
export class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super('the database did not say whether this was carried out: look before you try again', { cause })
    this.name = 'UnknownOutcome'
  }
}

/**
 * Whether an error is the server's answer to COMMIT. After any other error the transaction may be committed: the
 * server stopped, or could not write its log.
 */
export function isAnswer(error: unknown): boolean {
  return error instanceof DatabaseError && !/^(08|40003|53|57P|58|XX)/.test(error.code ?? '')
}
