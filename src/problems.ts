/**
 * The closed set of problems (section 7): what each code turns into over HTTP, and what its page tells a reader.
 * `retry` says whether the same request can succeed later without being changed.
 */
export const problems = {
  'malformed-json': {
    status: 400,
    title: 'The request body cannot be read',
    what: 'The body is missing where one is needed, is not valid JSON (or multipart), names a key twice, or was sent with a method that takes none; or the request is not valid HTTP. One that takes too long to arrive is answered with 408.',
    remedy: 'Send one well-formed JSON document in UTF-8, and no body with GET, HEAD and DELETE.',
    retry: false,
  },
  'invalid-parameter': {
    status: 400,
    title: 'A query parameter is not accepted',
    what: 'The query holds an unknown parameter, one given twice, or a value outside what the parameter takes. Nothing is ignored silently.',
    remedy: 'The detail names the parameter and what it takes. Relationships are expanded with expand[]=name.',
    retry: false,
  },
  'invalid-cursor': {
    status: 400,
    title: 'The cursor was not issued for this list',
    what: 'A cursor belongs to the house, the path and the filters of the page it came from; this one was altered or used elsewhere.',
    remedy: 'Start the walk again without a cursor, and pass next_cursor on unchanged with the same filters.',
    retry: false,
  },
  unauthorized: {
    status: 401,
    title: 'The API key is missing or not valid',
    what: 'The request carries no key, or one that is unknown, revoked or past its grace period.',
    remedy: 'Send the header Authorization: Bearer <API key>. The operator of the service issues keys.',
    retry: false,
  },
  'missing-permission': {
    status: 403,
    title: 'The key lacks a permission',
    what: 'The key is valid, but the operation, or something it expands or attaches, needs a permission that the key does not have. The address of a private file answers the same when its signature is wrong or has expired.',
    remedy:
      'The detail names the first permission that is missing. Ask the operator for a key that has it; read the image again for a new address.',
    retry: false,
  },
  'not-found': {
    status: 404,
    title: 'There is no such resource',
    what: 'The path is unknown, or the id is malformed, of another kind, unknown, archived, or belongs to another house.',
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
    what: 'Another record of the house, an archived one perhaps, has this external_reference. Nothing was changed.',
    remedy: 'Read the list with external_reference=… and compare what is stored with what you meant to write.',
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
    title: 'The session cannot be changed any more',
    what: 'Only an unpublished, unfinished session without any lots, archived ones included, can be changed. Nothing was changed.',
    remedy: 'Correct sessions before lots are added to them and before they are published.',
    retry: false,
  },
  'lot-not-changeable': {
    status: 409,
    title: 'The lot cannot be switched on or off now',
    what: 'The session is finished, opens in less than five minutes, has bids, or lacks a valid schedule. Nothing was changed.',
    remedy: 'The detail names the condition. Lots are prepared before a sale, not during it.',
    retry: false,
  },
  'image-processing': {
    status: 409,
    title: 'The image is already being processed',
    what: 'Its renditions are being made. Nothing new was scheduled.',
    remedy: 'Read the image until processing is false.',
    retry: true,
  },
  locked: {
    status: 409,
    title: 'Another request holds the record',
    what: 'The record is being changed by somebody else at this moment.',
    remedy: 'Read the state back, then try again.',
    retry: true,
  },
  'precondition-failed': {
    status: 412,
    title: 'The precondition does not hold',
    what: 'What is there is another version than If-Match or If-Unmodified-Since names.',
    remedy: 'Read it again, and go on from the version that is there now.',
    retry: false,
  },
  'payload-too-large': {
    status: 413,
    title: 'The request is too large',
    what: 'A JSON body may hold 1 MiB, an upload two files and twenty fields, its picture 50 MiB and 100 megapixels, and 304 MiB of memory to decode it, the headers together 16 KiB (answered with 431). Or the house may store no more pictures.',
    remedy: 'Send less, or a smaller picture. The operator of the service can raise what a house may store.',
    retry: false,
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The media type is not supported',
    what: 'The body has no Content-Type, or one that the operation does not take, or an uploaded file is not a picture of a supported kind.',
    remedy:
      'Send application/json; to the upload of images multipart/form-data with a JPEG, PNG, WebP, AVIF, TIFF or GIF.',
    retry: false,
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'The file does not reach this far',
    what: 'The Range header asks for a part that begins behind the end of the file.',
    remedy: 'Content-Range says how many bytes the file has. Ask for a part of them, or leave Range out.',
    retry: false,
  },
  'validation-failed': {
    status: 422,
    title: 'The body does not meet the rules',
    what: 'One or more fields are unknown, of the wrong type, or break a rule. Nothing was changed.',
    remedy: 'errors lists every field with a code and a message.',
    retry: false,
  },
  'rate-limit-exceeded': {
    status: 429,
    title: 'Too many requests',
    what: 'The key has used up its requests of this minute.',
    remedy: 'Wait as many seconds as Retry-After says. Fewer, larger pages (limit=100) spend less.',
    retry: true,
  },
  'integrity-unavailable': {
    status: 500,
    title: 'A record cannot be shown truthfully',
    what: 'A stored record lacks a valid identity, or holds something twice that must be there once. It is neither guessed at nor repaired; a write was rolled back.',
    remedy: 'Tell the operator of the service the Request-Id. The command catalogue doctor names the records.',
    retry: true,
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong in the service',
    what: 'The request failed for a reason that is not its own. A write was rolled back.',
    remedy: 'Try again later; if it goes on, tell the operator of the service the Request-Id.',
    retry: true,
  },
  'temporarily-unavailable': {
    status: 503,
    title: 'The service cannot answer at the moment',
    what: 'The database or the file store is out of reach, or the service is overloaded or stopping.',
    remedy: 'Wait as Retry-After says. After a write, read the state back before you try again.',
    retry: true,
  },
} as const

/** The slug of a kind of problem. */
export type ProblemCode = keyof typeof problems

/** The short codes of errors in a body. */
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

/** One error in a body: `field` is a dotted path, "" for the whole body. */
export type FieldError = { field: string; code: (typeof fieldErrorCodes)[number]; message: string }

/** What a handler or a rule throws to refuse a request; the table above turns it into HTTP. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly errors: FieldError[] | undefined
  readonly headers: Record<string, string>
  readonly status: number

  constructor(
    code: ProblemCode,
    detail?: string,
    extra: { errors?: FieldError[]; headers?: Record<string, string>; status?: number } = {},
  ) {
    super(detail ?? problems[code].what)
    this.code = code
    this.errors = extra.errors
    this.headers = extra.headers ?? {}
    this.status = extra.status ?? problems[code].status
  }
}

/** The most errors of one body that are listed. */
export const mostErrors = 100

/** A 422 that names the errors of the body, and says where there are more than it lists. */
export function validationFailed(found: FieldError[]): Problem {
  const errors = found.slice(0, mostErrors)
  const fields = errors.map((error) => error.field || 'the body').join(', ')
  const more = found.length > mostErrors ? ` There are more errors: only the first ${mostErrors} are listed.` : ''
  return new Problem('validation-failed', `The body was refused: ${fields}.${more}`, { errors })
}

/** A 503 after which the same request may be tried again in so many seconds; `cause` is for the log. */
export function temporarilyUnavailable(detail: string, seconds: number, cause?: unknown): Problem {
  const problem = new Problem('temporarily-unavailable', detail, { headers: { 'retry-after': String(seconds) } })
  problem.cause = cause
  return problem
}
