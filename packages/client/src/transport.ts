import { CatalogueError, createError, readError } from './errors.ts'
import { longestAsked, Pace } from './pace.ts'
import { Deadline, observe, readText } from './receiving.ts'
import { onAbort } from './signals.ts'
import { AnswerStore } from './store.ts'

/** How a client reaches a service. */
export type CatalogueOptions = {
  /** The address of the service, with or without `/api/v2`. */
  url: string
  /** An API key. It belongs on a server, never in a page. */
  key: string
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** The number of repetitions before a failure is thrown. Default 8, which takes about a minute. */
  retries?: number | undefined
  /**
   * The longest wait between two repetitions in seconds, unless the service asks for more. Default 30. If the service
   * asks for more than an hour, the failure is thrown.
   */
  longestWait?: number | undefined
  /** Ends every request of the client. */
  signal?: AbortSignal | undefined
  /** Names your program in the log of a proxy. */
  userAgent?: string | undefined
  /** The most bytes of an answer, decoded. Default 64 MiB. A larger one is an `unreadable-answer`. */
  mostBytes?: number | undefined
  /**
   * Seconds until an answer must begin once the request is sent. Default 60. Beyond that the attempt counts as a failure
   * of the network.
   */
  headersTimeout?: number | undefined
  /** Seconds until an answer must be whole once the request is sent. Default 300. */
  timeout?: number | undefined
  /** Bytes of memory for cached answers to reads, which are revalidated with `If-None-Match`. Default 0: no cache. */
  remember?: number | undefined
}

/** Query parameters. An array is repeated, an undefined value omitted. */
export type Query = Record<string, string | number | boolean | readonly string[] | undefined>

/** The body of a request. A body that cannot be opened again is sent only once. */
export type Content = { type: string; open(): Body | Promise<Body>; isOnce?: boolean }
type Body = string | Blob | ReadableStream<Uint8Array>

/** A request of one of the interfaces of the service. */
export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Default `/api/v2`. */
  base?: string | undefined
  path: string
  query?: Query
  content?: Content | undefined
  headers?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
  /** Names the write, so that the service recognises a repetition. Default: a new one. */
  idempotencyKey?: string | undefined
  ifMatch?: string | undefined
  dryRun?: boolean | undefined
  /** Repeats the request for as long as the service is away, whatever `retries` says. */
  isPersistent?: boolean | undefined
  /** Seconds that the service may wait before it answers. */
  waits?: number | undefined
  /** Whether the JSON of a success has the expected shape. Default: any has. */
  accepts?: ((body: unknown) => boolean) | undefined
}

/** A success: the JSON of its body (undefined without a body) and its headers. */
export type Answer = { body: unknown; headers: Headers }

type Init = { method: string; headers: Headers }

const repeated = new Set([0, 408, 429, 502, 503, 504])
const isTemporary = ({ status, code }: CatalogueError) => repeated.has(status) || code === 'idempotency-key-in-use'

// A URL resolves such a segment to another address, however it is encoded.
const hasStep = (path: string) => /\/\.\.?(?=\/|$)/.test(path)

// Without an answer, or with the answer of a proxy or of an overload, a write may have been done.
const leavesOpen = ({ status }: CatalogueError) => [0, 502, 503, 504].includes(status)
// The service looks for an earlier success before it refuses with one of these. A request that is malformed now was
// malformed before.
const settles = ({ status, code }: CatalogueError) =>
  [400, 404, 409, 412, 413, 415, 422, 428].includes(status) && code !== 'idempotency-key-in-use'

/**
 * The seconds to wait before a repetition: half a second, doubled each time up to the longest wait, with jitter. What
 * the service asks for comes on top, up to an hour.
 */
function delayOf(attempt: number, longest: number, { retryAfter = 0 }: CatalogueError): number {
  return Math.min(longestAsked, retryAfter) + Math.min(longest, 0.25 * 2 ** attempt) * (0.5 + Math.random())
}

/** A unique name. Browsers have no randomUUID in pages without TLS. */
export function createName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

// A longer timer would fire at once.
const longestTimer = 2 ** 31 - 1

/** Waits for this many seconds, at most 24 days. Throws the signal's reason. */
export async function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => {
        stay()
        resolve()
      },
      Math.min(longestTimer, seconds * 1000),
    )
    const stay = onAbort(signal, () => {
      stay()
      clearTimeout(timer)
      reject(signal!.reason as Error)
    })
  })
}

function join(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other)
}

function describe(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

// The options that are numbers, and whether 0 would fail every request.
const bounds = {
  mostBytes: true,
  headersTimeout: true,
  timeout: true,
  retries: false,
  longestWait: false,
  remember: false,
}

// Programs without types, and environment variables that are not set, leave these out.
function checkOptions({ url, key, ...more }: Partial<CatalogueOptions> = {}): void {
  if (typeof url !== 'string' || !/^https?:\/\/./i.test(url))
    throw new TypeError(
      `url must be the address of the service, such as http://127.0.0.1:4000; it is ${JSON.stringify(url) ?? 'undefined'}.`,
    )
  if (typeof key !== 'string' || key.trim() === '')
    throw new TypeError(`key must be an API key of the house; it is ${key === '' ? 'empty' : 'missing'}.`)
  for (const [name, isPositive] of Object.entries(bounds)) {
    const value = more[name as keyof typeof bounds]
    if (value === undefined || (typeof value === 'number' && value >= 0 && !(isPositive && value === 0))) continue
    throw new TypeError(`${name} must be a number${isPositive ? ' above 0' : ', 0 or more'}; it is ${String(value)}.`)
  }
}

/** Sends requests to a service, paced and repeated. */
export class Transport {
  readonly #options: CatalogueOptions
  readonly #root: string
  readonly #pace = new Pace()
  readonly #store: AnswerStore

  constructor(options: CatalogueOptions) {
    checkOptions(options)
    this.#options = options
    this.#root = options.url.replace(/\/+$/, '').replace(/\/api\/v2$/, '')
    this.#store = new AnswerStore(options.remember ?? 0)
  }

  /**
   * Sends a request until its outcome is settled.
   * @throws CatalogueError, or the reason of a signal that ends a read
   */
  async send(call: Call): Promise<Answer> {
    const { retries = 8, longestWait = 30 } = this.#options
    const { method, base = '/api/v2', query = {}, content, dryRun, isPersistent } = call
    const signal = join(this.#options.signal, call.signal)
    const isWrite = method !== 'GET' && !dryRun
    if (hasStep(call.path))
      throw createError({ status: 404, code: 'not-found', title: 'No record has the id "." or ".."' })
    const url = new URL(this.#root + base + call.path)
    for (const [name, value] of Object.entries({ ...query, dry_run: dryRun || undefined }))
      for (const each of [value ?? []].flat()) {
        // An option of the second argument, from a program without types.
        if (typeof each === 'object') throw new TypeError(`${name} is no parameter of the query.`)
        url.searchParams.append(name, String(each))
      }
    const headers = new Headers({ ...call.headers, authorization: `Bearer ${this.#options.key}` })
    if (this.#options.userAgent !== undefined) headers.set('user-agent', this.#options.userAgent)
    if (content) headers.set('content-type', content.type)
    if (isWrite) headers.set('idempotency-key', call.idempotencyKey ?? createName())
    if (call.ifMatch !== undefined) headers.set('if-match', call.ifMatch)

    let isOpen = false
    let unreadable = 0
    for (let attempt = 0; ; attempt++) {
      let failure: CatalogueError
      try {
        const body = await content?.open()
        await this.#pace.enter(signal)
        const outcome = await this.#attempt(url.href, { method, headers }, body, signal, call)
        if (!(outcome instanceof CatalogueError)) return outcome
        failure = outcome
        unreadable = failure.code === 'unreadable-answer' ? unreadable + 1 : 0
        isOpen = isWrite && (leavesOpen(failure) || (isOpen && !settles(failure)))
        signal?.throwIfAborted()
        const isWorthIt = isPersistent
          ? unreadable <= retries
          : attempt < retries && (failure.retryAfter ?? 0) <= longestAsked
        if (isTemporary(failure) && isWorthIt && !content?.isOnce) {
          await wait(delayOf(attempt, longestWait, failure), signal)
          continue
        }
      } catch (cause) {
        if (!isOpen) throw cause
        failure = createError({
          status: 0,
          code: 'aborted',
          title: 'The client gave up the write before its outcome was known',
          cause,
        })
      }
      throw Object.assign(failure, { uncertain: isOpen })
    }
  }

  // Returns an error for a refusal of the service or a failure of the network.
  async #attempt(
    url: string,
    init: Init,
    body: Body | undefined,
    signal: AbortSignal | undefined,
    { accepts, waits = 0 }: Call,
  ): Promise<Answer | CatalogueError> {
    const { mostBytes = 64 * 1024 * 1024, headersTimeout = 60, timeout = 300 } = this.#options
    const kept = init.method === 'GET' ? this.#store.find(url) : undefined
    if (kept) init.headers.set('if-none-match', kept.etag)
    const deadline = new Deadline(signal)
    let sentBy = 0
    // An upload takes as long as it takes, if it goes on at 10 KB a second.
    const begin = (seconds = 0) => {
      sentBy = Date.now() + 1000 * (seconds + waits)
      deadline.set(seconds + waits + Math.min(headersTimeout, timeout), 'answer')
    }
    let answer: Response | undefined
    let text: string | undefined
    try {
      begin(body instanceof Blob ? body.size / 10_000 : 0)
      const content = body instanceof ReadableStream ? observe(body, begin) : body
      // A stream needs `duplex`, which the types of some platforms lack. A redirect would turn a POST into a GET.
      const more = {
        redirect: 'manual',
        ...(content !== undefined && { body: content, duplex: 'half' }),
      } as RequestInit
      answer = await deadline.race((this.#options.fetch ?? fetch)(url, { ...init, ...more, signal: deadline.signal }))
      deadline.set(timeout + (sentBy - Date.now()) / 1000, 'whole answer')
      text = await readText(answer, mostBytes, deadline)
    } catch (cause) {
      const title = `The service cannot be reached: ${describe(cause)}`
      return createError({ status: 0, code: 'network-failure', title, cause })
    } finally {
      deadline.end()
      this.#pace.leave(answer)
    }
    const { headers, ok, status } = answer
    if (status === 304 && kept) return { body: JSON.parse(kept.text), headers }
    if (!ok) return readError(status, headers, text ?? '')
    const unreadable = (why: string, cause?: unknown) =>
      createError({ status: 0, code: 'unreadable-answer', title: `The answer of ${status} ${why}`, cause })
    if (text === undefined) return unreadable(`has more than ${mostBytes} bytes`)
    let value: unknown
    try {
      value = text === '' ? undefined : JSON.parse(text)
    } catch (cause) {
      return unreadable(`is no JSON: ${describe(cause)}`, cause)
    }
    if (accepts && !accepts(value)) return unreadable('does not have the shape that the interface promises')
    if (init.method === 'GET') this.#store.keep(url, headers.get('etag'), text)
    return { body: value, headers }
  }
}

/** Sends the requests of one interface. */
export type Sender = Pick<Transport, 'send'>
