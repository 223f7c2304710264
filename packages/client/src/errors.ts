import { isObject } from './shapes.ts'
import type { FieldErrorCode, LotId, Money, ProblemCode, Reason } from './generated/wire.ts'

/** An error in a body. `field` is a dotted path, or "" for the whole body. */
export type FieldError = {
  field: string
  code: FieldErrorCode | (string & {})
  message: string
  /** The lot that the error is about, where the body names all lots. */
  lot?: LotId | undefined
  /** The least amount, if a bid or a price is too low. */
  minimum?: Money | undefined
}

/** What stands in the way of a write of many records: a record that would have to change, and why. */
export type StateConflict = {
  /** The id of a lot, item or session; null if it is not known, as after a race. */
  record: string | null
  reason: Reason | (string & {})
  detail: string
  /** Of `in_use`: the records that use it, ten at most; null where the key may not read that kind. */
  used_by?: readonly string[] | null | undefined
}

/** The codes that come from the client itself. */
export type FailureCode = 'network-failure' | 'aborted' | 'unreadable-answer' | 'processing-failed'

type Details = Pick<
  CatalogueError,
  | 'status'
  | 'code'
  | 'title'
  | 'detail'
  | 'reason'
  | 'count'
  | 'conflicts'
  | 'permission'
  | 'errors'
  | 'requestId'
  | 'retryAfter'
  | 'uncertain'
> & { cause?: unknown }

/** A request that was refused or failed. */
export class CatalogueError extends Error {
  override readonly name: string = 'CatalogueError'
  /** The HTTP status; 0 if there was no answer. */
  declare readonly status: number
  /** The slug of the problem's type, or a code of the client itself. */
  declare readonly code: ProblemCode | FailureCode | (string & {})
  declare readonly title: string
  declare readonly detail: string
  /** The first cause that holds, where the problem tells causes apart. More may come. */
  declare readonly reason: Reason | (string & {}) | undefined
  /** How many lots are the cause, where the end of a session is refused; how many conflicts a write of several records has. */
  declare readonly count: number | undefined
  /**
   * What stands in the way of a write of several records: an entry for each record and reason, the first hundred. Undefined
   * if the problem lists none.
   */
  declare readonly conflicts: readonly StateConflict[] | undefined
  /** The first permission that the key lacks. */
  declare readonly permission: string | undefined
  /**
   * The errors of the body, field by field. Undefined if the problem lists none: build tools show an error's list
   * instead of the error, and would show nothing for an empty one.
   */
  declare readonly errors: readonly FieldError[] | undefined
  /** Identifies the request in the logs of the service. */
  declare readonly requestId: string | undefined
  /** Seconds after which the same request may succeed. */
  declare readonly retryAfter: number | undefined
  /** True if the write may have been done or not. Read the record before any other step. */
  declare readonly uncertain: boolean

  constructor({ cause, ...details }: Details) {
    super(details.detail || details.title, { cause })
    Object.assign(this, details)
  }
}

/** 404: the house has no such record. */
export class NotFound extends CatalogueError {
  override readonly name = 'NotFound'
}
/** 409 and 412: the record is in another state than the request assumes. */
export class Conflict extends CatalogueError {
  override readonly name = 'Conflict'
}
/** 422: `errors` lists the errors of the body. */
export class Invalid extends CatalogueError {
  override readonly name = 'Invalid'
}
/** 429: the requests of this minute are used up. */
export class RateLimited extends CatalogueError {
  override readonly name = 'RateLimited'
}
/** No answer, or 408, 502, 503, 504: the request may succeed later. */
export class Unavailable extends CatalogueError {
  override readonly name = 'Unavailable'
}

const classes: Record<number, typeof CatalogueError> = {
  0: Unavailable,
  404: NotFound,
  408: Unavailable,
  409: Conflict,
  412: Conflict,
  422: Invalid,
  429: RateLimited,
  502: Unavailable,
  503: Unavailable,
  504: Unavailable,
}

/** The error of the class that belongs to the status. */
export function createError(details: Partial<Details> & { status: number; code: string }): CatalogueError {
  const title = details.title ?? `The answer of ${details.status} is none of the catalogue: a proxy may have sent it`
  const rest = {
    detail: title,
    reason: undefined,
    count: undefined,
    conflicts: undefined,
    permission: undefined,
    errors: undefined,
    requestId: undefined,
    retryAfter: undefined,
    uncertain: false,
  }
  return new (classes[details.status] ?? CatalogueError)({ ...rest, ...details, title })
}

// Seconds, or the HTTP date of a proxy.
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

const isConflict = (value: unknown): value is StateConflict =>
  isObject(value) &&
  ['reason', 'detail'].every((name) => typeof value[name] === 'string') &&
  (value['record'] === null || typeof value['record'] === 'string') &&
  (value['used_by'] == null || Array.isArray(value['used_by']))

const isFieldError = (value: unknown): value is FieldError =>
  isObject(value) && ['field', 'code', 'message'].every((name) => typeof value[name] === 'string')

/** The error of an unsuccessful answer. The answer of a proxy may have a body that is not a problem document. */
export function readError(status: number, headers: Headers, text: string): CatalogueError {
  let problem: Record<string, unknown> = {}
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) problem = value
  } catch {
    // Without a problem document only the status is known.
  }
  const textOf = (name: string) => (typeof problem[name] === 'string' ? problem[name] : undefined)
  const [type, title, detail] = ['type', 'title', 'detail'].map(textOf)
  const { count } = problem
  // Undefined if there are none.
  const list = <Entry>(name: string, isEntry: (value: unknown) => value is Entry): Entry[] | undefined => {
    const entries = Array.isArray(problem[name]) ? problem[name].filter(isEntry) : []
    return entries.length > 0 ? entries : undefined
  }
  return createError({
    status,
    code: type?.split('/').at(-1) || `http-${status}`,
    ...(title !== undefined && { title }),
    ...(detail !== undefined && { detail }),
    reason: textOf('reason'),
    count: typeof count === 'number' ? count : undefined,
    permission: / scope="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1],
    conflicts: list('conflicts', isConflict),
    errors: list('errors', isFieldError),
    requestId: headers.get('request-id') ?? undefined,
    retryAfter: readRetryAfter(headers.get('retry-after')),
  })
}
