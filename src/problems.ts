import type { PrefixedKind } from './values/ids.ts'
import type { ResultState } from './values/offers.ts'

/**
 * All problems (section 7): the HTTP status of each code, and the texts of its page. `retry`: whether the same
 * request can succeed later. `reasons`: the codes that say why, in the order in which they are looked for.
 */
export const problems = {
  'malformed-json': {
    status: 400,
    title: 'The request body cannot be read',
    what: 'The body is missing, is not valid JSON (or multipart), repeats a key, or was sent with a method that takes none. Or the request is not valid HTTP. A request that arrives too slowly is answered with 408.',
    remedy: 'Send one valid JSON document in UTF-8, with each key once. Send no body with GET, HEAD and DELETE.',
    retry: false,
  },
  'invalid-parameter': {
    status: 400,
    title: 'A query parameter is not accepted',
    what: 'The query has an unknown parameter, a parameter given twice, or a value that the parameter does not take. Nothing is ignored silently.',
    remedy:
      'The detail names the parameter and the values that it takes. Write expand[]=name to expand a relationship.',
    retry: false,
  },
  'invalid-cursor': {
    status: 400,
    title: 'The cursor was not issued for this list',
    what: 'A cursor belongs to the house, the path and the filters of the page that it came from. This one was changed, or was sent for another list, or the database has been restored from a backup since.',
    remedy: 'Read the first page without a cursor. Then send each next_cursor unchanged, with the same filters.',
    retry: false,
  },
  unauthorized: {
    status: 401,
    title: 'The API key is missing or not valid',
    what: 'The request has no key or two keys, or the key is unknown, revoked or past its grace period.',
    remedy: 'Send the header Authorization: Bearer <API key>. The operator of the service issues keys.',
    retry: false,
  },
  'missing-permission': {
    status: 403,
    title: 'The key lacks a permission',
    what: 'The key is valid but lacks a permission for the operation, or for something that it expands or attaches. The address of a private file gives the same answer if its signature is wrong or has expired.',
    remedy:
      'The detail names the first missing permission. Ask the operator for a key that has it. For a file, read the image again to get a new address.',
    retry: false,
  },
  'not-found': {
    status: 404,
    title: 'There is no such resource',
    what: 'The path is unknown. Or the id is malformed, unknown, archived, of another kind or of another house.',
    remedy: 'Check the path and the id. The discovery document at /api/v2 lists the resources.',
    retry: false,
  },
  'method-not-allowed': {
    status: 405,
    title: 'The resource does not take this method',
    what: 'The path exists, but not with this method.',
    remedy: 'The Allow header lists the methods that the path takes.',
    retry: false,
  },
  'duplicate-reference': {
    status: 409,
    title: 'The external reference is already used',
    what: 'Another record of the house, perhaps an archived one, has this external_reference. Nothing was changed.',
    remedy: 'Read the list with external_reference=… and compare the stored record with yours.',
    retry: false,
  },
  'auction-published': {
    status: 409,
    title: 'The auction is published',
    what: 'Only a draft auction can be changed. Nothing was changed.',
    remedy: 'House staff can unpublish the auction.',
    retry: false,
  },
  'session-not-editable': {
    status: 409,
    title: 'The session can no longer be changed',
    what: 'A session can be changed while it is unpublished, unfinished and without lots. Archived lots count. Nothing was changed.',
    remedy: 'Change a session before lots are added to it and before it is published.',
    reasons: {
      finished: 'The session is finished.',
      published: 'The session is published.',
      hidden: 'The session is hidden, and its publication flag is on.',
      has_lots: 'The session holds lots.',
    },
    retry: false,
  },
  'lot-not-changeable': {
    status: 409,
    title: 'The lot cannot be switched on or off now',
    what: 'The session is finished, has opened or opens in less than five minutes, has bids, or lacks a valid schedule. Nothing was changed.',
    remedy: 'The reason names the condition. Switch lots at least five minutes before the session opens.',
    reasons: {
      finished: 'The session is finished.',
      opened: 'The session has opened.',
      opens_soon: 'The session opens in less than five minutes.',
      has_bids: 'A lot of the session has a bid. Archived lots count.',
      no_schedule:
        'The session has no opening time. Or it is timed, and lacks a first closing time after its opening, or a positive group size and interval.',
    },
    retry: false,
  },
  conflict: {
    status: 409,
    title: 'The state of a record does not allow this',
    what: 'An operation of the staff interface does not fit the present state of the record, or of one near it. Nothing was changed.',
    remedy: 'The reason names the condition, and the detail says it in words.',
    reasons: {
      finished: 'The session is finished.',
      published: 'The session is published.',
      not_published: 'The session is not published.',
      not_open: 'The session has not opened, or has no opening time.',
      opens_soon: 'The session opens in less than five minutes, or has opened.',
      bidding_disabled: 'Bidding is disabled in the session.',
      inactive: 'The lot is not active.',
      closed: 'The lot has closed.',
      not_closed: 'The lot has not closed, or lots of the session have not: `count` of them.',
      has_result: 'The lot has a result.',
      withdrawn: 'The lot is withdrawn.',
      number_taken: 'An unarchived lot of the session has this number already.',
      numbers_fixed: 'The numbers of the session are fixed.',
      in_use: 'Another record uses this one.',
      has_bids: 'A lot has, or has had, a bid.',
      without_result: 'The lot has no result, or lots of the session have none: `count` of them.',
    },
    retry: false,
  },
  'image-processing': {
    status: 409,
    title: 'The image is already being processed',
    what: 'The renditions of the image are being made. Nothing new was scheduled.',
    remedy: 'Read the image until processing is false.',
    retry: true,
  },
  locked: {
    status: 409,
    title: 'Another request holds the record',
    what: 'Another request or job is changing the record at this moment.',
    remedy: 'Read the record, then try again.',
    retry: true,
  },
  'idempotency-key-in-use': {
    status: 409,
    title: 'The request is still under way',
    what: 'Another request with this Idempotency-Key is being carried out. Nothing was changed by this one.',
    remedy: 'Wait for the number of seconds in Retry-After, then send the same request again to get its answer.',
    retry: true,
  },
  'precondition-failed': {
    status: 412,
    title: 'The precondition is not met',
    what: 'The present version of the record, or of the file, is not the one that If-Match names. (If-Unmodified-Since counts for files only.) Nothing was changed.',
    remedy:
      'Read it again to get the present version, and decide whether your change still fits. Then send that ETag in If-Match. The ETag header of this answer names the present version of a record. If the detail says that the tag was changed on its way, a proxy between the program and the service did it. The operator switches that off (docs/operating.md, "A proxy in front").',
    retry: false,
  },
  'precondition-required': {
    status: 428,
    title: 'The key needs If-Match',
    what: 'The operator issued this key for editors: it changes a record only with If-Match, which names the version to change. Nothing was changed.',
    remedy: 'Read the record, and send its ETag in If-Match.',
    retry: false,
  },
  'payload-too-large': {
    status: 413,
    title: 'The request is too large',
    what: 'The limits are: 1 MiB for a JSON body; 2 files and 20 fields for an upload; 50 MiB, 100 megapixels and 304 MiB of decoding memory for a picture; 16 KiB for all headers (answered with 431). A house may also have a limit on its stored pictures. Items that are changed together have at most 64 MiB of texts.',
    remedy:
      'The detail says what was too large. Send less, or a smaller picture. The operator of the service sets the limit of a house.',
    retry: false,
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The media type is not supported',
    what: 'The body has no Content-Type, or one that the operation does not take, or it has a content encoding. Or an uploaded file is not a picture in a supported format.',
    remedy:
      'Send application/json in UTF-8 without a content encoding. Upload images as multipart/form-data, with a JPEG, PNG, WebP, AVIF, TIFF or GIF.',
    retry: false,
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'The range is not in the file',
    what: 'The range of the Range header begins after the end of the file.',
    remedy: 'Content-Range says how many bytes the file has. Request a range within them, or leave Range out.',
    retry: false,
  },
  'validation-failed': {
    status: 422,
    title: 'The body does not meet the rules',
    what: 'One or more fields are unknown, have the wrong type or break a rule. Nothing was changed.',
    remedy: 'errors names each field, with a code and a message. Correct the fields and send the body again.',
    retry: false,
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key belongs to another request',
    what: 'Another request was carried out under this key: with another method, path, query or body. Nothing was changed.',
    remedy:
      'Give each request a key of its own, such as a random UUID, and keep it for repetitions of that request only.',
    retry: false,
  },
  'rate-limit-exceeded': {
    status: 429,
    title: 'Too many requests',
    what: 'The key has used up its requests of this minute. Or the house has no space left for the large answers that are remembered for its Idempotency-Keys: then nothing was changed.',
    remedy:
      'The detail says which. Wait for the number of seconds in Retry-After. Larger pages (limit=100) need fewer requests, and a write without Idempotency-Key needs no space.',
    retry: true,
  },
  'integrity-unavailable': {
    status: 500,
    title: 'A record cannot be shown truthfully',
    what: 'A stored record lacks something that it must have, or has something twice that it must have once. The service does not guess or repair. A write was rolled back.',
    remedy: 'Send the Request-Id to the operator of the service. The command catalogue doctor names the records.',
    retry: true,
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong in the service',
    what: 'The service has a fault. The request is not the cause. A write was rolled back.',
    remedy: 'Try again later. If it fails again, send the Request-Id to the operator of the service.',
    retry: true,
  },
  'temporarily-unavailable': {
    status: 503,
    title: 'The service cannot answer at the moment',
    what: 'The database or the file store is out of reach, or the service is overloaded or stopping.',
    remedy:
      'Wait for the number of seconds in Retry-After. Repeat a write under its Idempotency-Key. If it had none, read what was stored before you try again.',
    retry: true,
  },
} as const

/** The slug of a problem. */
export type ProblemCode = keyof typeof problems

/** The codes that say why a request is refused, where a problem has several causes. */
export type Reason = {
  [Code in ProblemCode]: (typeof problems)[Code] extends { reasons: infer Reasons } ? keyof Reasons : never
}[ProblemCode]

/** The problems with reasons: each with its code, and with the meaning of each reason. */
export const reasons = Object.entries(problems).flatMap(([code, problem]) =>
  'reasons' in problem ? [[code, Object.entries<string>(problem.reasons)] as const] : [],
)

/** The codes of errors in a body. */
export const fieldErrorCodes = [
  'required',
  'unknown_field',
  'wrong_type',
  'blank',
  'too_short',
  'too_long',
  'invalid',
  'out_of_range',
  'unsupported_locale',
  'currency_mismatch',
  'low_exceeds_high',
  'title_mismatch',
  'unavailable',
  'duplicate',
  'not_clearable',
  'seller_mismatch',
  'locked',
] as const

/** A record that a refusal is about. An older record may lack a UUID. `place`: of a lot, as people call it: SESSION/NUMBER. */
export type RecordName = { kind: PrefixedKind; uuid: string | null; place?: string }

/**
 * An error in a body. `field`: a dotted path, or "" for the whole body. `problem`: what is wrong, with the field as its
 * subject; before a `minimum`, the least amount that is accepted, it ends with `at least`, and before `earliest`, the first
 * time that is, with `at or after`. `lot`: the id of a lot that it is about. `index`: the place of the faulty element in the
 * list of the body. `record`: the one that is not available; `isArchived` tells commands why.
 */
export type FieldError = {
  field: string
  code: (typeof fieldErrorCodes)[number]
  problem: string
  lot?: string
  minimum?: { amount: number; currency: string }
  earliest?: Date
  index?: number
  record?: RecordName & { isArchived?: boolean }
}

/**
 * Why the state of a record refuses a change: a code and facts. `src/sentences.ts` has the words.
 * `record`: the one that would have to change; null if it is not known, as after a race.
 */
export type Cause = {
  reason: Reason
  record: RecordName | null
  /** The place, in the list of the caller, of the element that is refused. */
  index?: number
  /** The result that the lot has. */
  state?: ResultState
  /** When the session opens, or the lot closes. */
  time?: Date | null
  /** Of opens_soon: whether the session has opened. */
  hasOpened?: boolean
  /** How many records the reason is about. */
  count?: number
  /** The number that is taken. */
  number?: number
  /** The records that use it. */
  usedBy?: readonly RecordName[]
  /** What asked for it: a change of the opening, a sale after the sale, another result, or the end of a bid. */
  by?: 'new_opening' | 'after_sale' | 'new_result' | 'cancellation'
}

/**
 * A value that only one record of its kind may have. `isGivenTwice`: another one of the caller's list has it. `needs`: the
 * field with which a record may have it all the same.
 */
export type Duplicate = {
  kind: RecordName['kind']
  field: string
  value: unknown
  isGivenTwice?: boolean
  needs?: string
}

/**
 * The facts of a refusal. `record`: the one that is not found; `isArchived` tells commands why. `duplicate`: of
 * duplicate-reference.
 */
type Facts = {
  errors?: FieldError[]
  causes?: readonly Cause[]
  record?: RecordName & { isArchived?: boolean }
  duplicate?: Duplicate
}

/**
 * The error that a handler or a rule throws to refuse a request. The table above gives its HTTP answer. A rule gives facts,
 * from which `src/sentences.ts` makes words; the layer of HTTP gives its own `detail`.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  /** Words of its own, in place of those that its facts have. */
  readonly detail: string | undefined
  readonly errors: FieldError[] | undefined
  /** In the order in which they were looked for. */
  readonly causes: readonly Cause[]
  readonly record: Facts['record']
  readonly duplicate: Duplicate | undefined
  readonly headers: Record<string, string>
  readonly status: number
  /** Refused because of overload, which is not a fault of the service. */
  readonly isOverload: boolean

  constructor(
    code: ProblemCode,
    detail?: string,
    extra: Facts & { headers?: Record<string, string>; status?: number; isOverload?: boolean } = {},
  ) {
    super(detail ?? problems[code].what)
    this.code = code
    this.detail = detail
    this.errors = extra.errors
    this.causes = extra.causes ?? []
    this.record = extra.record
    this.duplicate = extra.duplicate
    this.headers = extra.headers ?? {}
    this.status = extra.status ?? problems[code].status
    this.isOverload = extra.isOverload ?? false
  }

  /** The code of the first cause. */
  get reason(): Reason | undefined {
    return this.causes[0]?.reason
  }
}

/** A 409 of the staff interface: the state of these records does not allow the change. */
export const conflict = (...causes: readonly [Cause, ...Cause[]]): Problem =>
  new Problem('conflict', undefined, { causes })

/** A 409: another record has the value. */
export const duplicateReference = (duplicate: Duplicate): Problem =>
  new Problem('duplicate-reference', undefined, { duplicate })

/** The most errors listed for one body. */
export const mostErrors = 100

/** A 422 with the errors of a body. `detail` names the fields, and says if there are more errors. */
export function validationFailed(found: FieldError[]): Problem {
  const errors = found.slice(0, mostErrors)
  const fields = [...new Set(errors.map((error) => error.field || 'the body'))].join(', ')
  const more = found.length > mostErrors ? ` There are more errors: only the first ${mostErrors} are listed.` : ''
  return new Problem('validation-failed', `The body has errors in these fields: ${fields}.${more}`, { errors })
}

/** What hinders a write of several records. */
type Faults = { errors: FieldError[]; causes: Cause[] }

/**
 * Refuses a write of several records for all that hinders it, if anything does. The state of records comes before the rules
 * of the body; commands say the errors too.
 * @throws Problem conflict, else validation-failed
 */
export function refuseAll({ errors, causes }: Faults): void {
  if (causes.length > 0) throw new Problem('conflict', undefined, { causes, ...(errors.length > 0 && { errors }) })
  if (errors.length > 0) throw validationFailed(errors)
}

/**
 * Returns a record that was looked up. `uuid`: what the caller named.
 * @throws Problem not-found if there is none
 */
export function requireFound<Found>(
  record: Found | undefined,
  kind: PrefixedKind | 'record' = 'record',
  uuid: string | null = null,
): Found {
  if (record === undefined)
    throw kind === 'record' ? new Problem('not-found', 'There is no such record.') : notFound(kind, uuid)
  return record
}

/** A 404. An archived record is not found either; commands say that it is archived. */
export const notFound = (kind: PrefixedKind, uuid: string | null, isArchived = false): Problem =>
  new Problem('not-found', undefined, { record: { kind, uuid, isArchived } })

/** A 503. The client may send the same request again after `seconds`. `cause` is for the log. */
export function temporarilyUnavailable(detail: string, seconds: number, cause?: unknown): Problem {
  const problem = new Problem('temporarily-unavailable', detail, { headers: { 'retry-after': String(seconds) } })
  problem.cause = cause
  return problem
}
