import type { ConflictReason, FieldError } from '../problems.ts'

/** What programs learn of a refusal, beside its message. */
export type RefusalDetails = {
  /** 409 `conflict` with this code: the state of a record is the cause. */
  reason?: ConflictReason | undefined
  /** 422: the field of the body at fault, as a dotted path. */
  field?: string | undefined
  /** What is wrong with the field, if it is not its value. */
  code?: 'unavailable' | 'duplicate' | undefined
  /** The least amount that the field takes. Minor units. */
  minimum?: number | undefined
  /** How many records the reason is about. */
  count?: number
  /** 422 with these errors of the body. */
  errors?: FieldError[]
  /** 409 `duplicate-reference`: another record has the name. */
  isDuplicate?: true
  /** 404: there is no such record. */
  isMissing?: true
}

/** A change by staff that cannot be carried out and has changed nothing. The message is one line with the reason. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly details: RefusalDetails

  constructor(message: string, details: RefusalDetails = {}, options?: ErrorOptions) {
    super(message, options)
    this.details = details
  }
}
