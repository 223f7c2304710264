import type { Slots } from '../run/slots.ts'

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'there is no such host',
  ECONNRESET: 'connection cut',
  ETIMEDOUT: 'no answer',
  UND_ERR_CONNECT_TIMEOUT: 'no answer',
}

/** The reason why a request failed, in words if they are known. */
function describeFailure(error: unknown): string {
  const { cause = error } = error as Error
  const { code = '', message } = cause as NodeJS.ErrnoException
  return reasons[code] ?? message
}

// An answer that takes longer is worth a word.
const silence = 2_000

/** Counts the requests of a client, and knows what the next one waits for. */
export class Meter {
  requests = 0
  readonly #slots: Slots
  readonly #controller = new AbortController()
  #isStopping = false
  #active = 0
  #exhaustedUntil = 0
  // Why the last request failed; undefined after an answer.
  #failure: string | undefined
  // The beginnings of the requests under way, with the origins that they ask, and the time of the last answer.
  readonly #asked = new Map<symbol, { origin: string; at: number }>()
  #answeredAt = 0

  constructor(slots: Slots) {
    this.#slots = slots
  }

  /** Aborts requests and waits. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Ends waits at once, and lets requests under way finish. A second call aborts these too. */
  stop(): void {
    if (this.#isStopping || this.#active === 0 || this.#describePause() !== undefined) this.#controller.abort()
    this.#isStopping = true
  }

  /** A `fetch` for the client. */
  readonly fetch: typeof fetch = async (input, init) => {
    this.requests++
    this.#active++
    let status = 0
    let reason: string | undefined
    const { origin } = new URL(input instanceof Request ? input.url : input)
    const request = Symbol('request')
    this.#asked.set(request, { origin, at: Date.now() })
    try {
      const answer = await fetch(input, init)
      ;({ status } = answer)
      reason = `it answers with ${status}`
      // Answers overtake one another: an older answer with requests left does not end the wait.
      if (answer.headers.get('ratelimit-remaining') === '0')
        this.#exhaustedUntil = Date.now() + 1000 * Number(answer.headers.get('ratelimit-reset') ?? 0)
      return answer
    } catch (error) {
      reason = describeFailure(error)
      throw error
    } finally {
      this.#active--
      this.#asked.delete(request)
      this.#answeredAt = Date.now()
      this.#slots.learn(status)
      const hasFailed = status === 0 || status >= 500
      this.#failure = hasFailed ? `waiting for ${origin} (${reason}), Ctrl-C ends` : undefined
      if (this.#isStopping && this.#describePause() !== undefined) this.#controller.abort()
    }
  }

  /** What the run waits for, in words: before its next request, or for an answer. Undefined if it does not wait. */
  describeWait(): string | undefined {
    const [oldest] = this.#asked.values()
    const silent = oldest !== undefined && Date.now() - Math.max(oldest.at, this.#answeredAt) > silence
    return this.#describePause() ?? (silent ? `waiting for ${oldest.origin} (no answer yet), Ctrl-C ends` : undefined)
  }

  #describePause(): string | undefined {
    const now = Date.now()
    if (now < this.#exhaustedUntil)
      return `waiting for the rate limit, ${Math.ceil((this.#exhaustedUntil - now) / 1000)} s`
    return this.#failure
  }
}
