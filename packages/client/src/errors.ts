import type { FieldErrorCode, ProblemCode } from './wire.ts'

/** An error in a body. `field` is a dotted path, or "" for the whole body. */
export type FieldError = { field: string; code: FieldErrorCode | (string & {}); message: string }

type Details = Pick<
  CatalogueError,
  'status' | 'code' | 'title' | 'detail' | 'errors' | 'requestId' | 'retryAfter' | 'uncertain'
> & { cause?: unknown }

/** A request that was refused, or that failed. */
export class CatalogueError extends Error {
  override readonly name: string = 'CatalogueError'
  /** The HTTP status; 0 if there was no answer. */
  declare readonly status: number
  /** The slug of the problem's type; `network-failure`, `aborted`, `unreadable-answer` and `processing-failed` are the client's. */
  declare readonly code:
    | ProblemCode
    | 'network-failure'
    | 'aborted'
    | 'unreadable-answer'
    | 'processing-failed'
    | (string & {})
  declare readonly title: string
  declare readonly detail: string
  /**
   * What is wrong with the body, field by field; undefined where nothing is listed. Build tools show an error's list in place
   * of the error: of an empty one they would show nothing.
   */
  declare readonly errors: readonly FieldError[] | undefined
  /** Names the request in the logs of the service. */
  declare readonly requestId: string | undefined
  /** Seconds after which the same request may succeed. */
  declare readonly retryAfter: number | undefined
  /** True where nobody can tell whether the write was done. Read the record before anything else. */
  declare readonly uncertain: boolean

  constructor({ cause, ...details }: Details) {
    super(details.detail || details.title, { cause })
    Object.assign(this, details)
  }
}

/** 404: no such record, or not of this house. */
export class NotFound extends CatalogueError {
  override readonly name = 'NotFound'
}
/** 409 and 412: the record is in another state than the request assumes. */
export class Conflict extends CatalogueError {
  override readonly name = 'Conflict'
}
/** 422: `errors` says what is wrong with the body. */
export class Invalid extends CatalogueError {
  override readonly name = 'Invalid'
}
/** 429: the requests of this minute are used up. */
export class RateLimited extends CatalogueError {
  override readonly name = 'RateLimited'
}
/** No answer, or 408, 502, 503, 504: later it may succeed. */
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
  const title = details.title ?? `The service answered ${details.status}`
  const rest = { detail: title, errors: undefined, requestId: undefined, retryAfter: undefined, uncertain: false }
  return new (classes[details.status] ?? CatalogueError)({ ...rest, ...details, title })
}

// Seconds, or the HTTP date of a proxy.
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** The error of an answer that is no success. Its body need not be a problem document: a proxy answers too. */
export function readError(status: number, headers: Headers, text: string): CatalogueError {
  let problem: { type?: string; title?: string; detail?: string; errors?: FieldError[] } = {}
  try {
    problem = (JSON.parse(text) ?? {}) as typeof problem
  } catch {
    // Then the status has to do.
  }
  return createError({
    status,
    code: problem.type?.split('/').at(-1) ?? `http-${status}`,
    ...(problem.title !== undefined && { title: problem.title }),
    ...(problem.detail !== undefined && { detail: problem.detail }),
    errors: problem.errors?.length ? problem.errors : undefined,
    requestId: headers.get('request-id') ?? undefined,
    retryAfter: readRetryAfter(headers.get('retry-after')),
  })
}
