import type { ConflictReason, FieldError } from '../problems.ts'

/** What the staff interface says of a refusal, beside its message. */
export type Cause = {
  /** 409 `conflict` with this code. */
  reason?: ConflictReason
  /** 422 with these errors of the body. */
  errors?: FieldError[]
  /** 404: there is no such record. */
  isMissing?: true
  cause?: unknown
}

/** A change by staff that cannot be carried out and has changed nothing. The message is one line with the reason. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly reason: ConflictReason | undefined
  readonly errors: FieldError[] | undefined
  readonly isMissing: boolean

  constructor(message: string, { reason, errors, isMissing, cause }: Cause = {}) {
    super(message, { cause })
    this.reason = reason
    this.errors = errors
    this.isMissing = isMissing ?? false
  }
}
