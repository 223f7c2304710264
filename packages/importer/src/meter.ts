import type { Slots } from './slots.ts'

/** Watches the requests of a client: how many there were, and what the next one has to wait for. */
export class Meter {
  requests = 0
  readonly #slots: Slots
  readonly #controller = new AbortController()
  #isStopping = false
  #active = 0
  #exhaustedUntil = 0
  #failedAt = 0

  constructor(slots: Slots) {
    this.#slots = slots
  }

  /** Ends requests and waits, when the meter is stopped. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Lets those that are under way end, and what waits give up; said again, ends all at once. */
  stop(): void {
    if (this.#isStopping || this.#active === 0 || this.describeWait() !== undefined) this.#controller.abort()
    this.#isStopping = true
  }

  /** A `fetch` for the client. */
  readonly fetch: typeof fetch = async (input, init) => {
    this.requests++
    this.#active++
    let status = 0
    try {
      const answer = await fetch(input, init)
      ;({ status } = answer)
      // Answers overtake one another: an older one that had requests left does not end the wait.
      if (answer.headers.get('ratelimit-remaining') === '0')
        this.#exhaustedUntil = Date.now() + 1000 * Number(answer.headers.get('ratelimit-reset') ?? 0)
      return answer
    } finally {
      this.#active--
      this.#slots.learn(status)
      if (status === 0 || status >= 500) this.#failedAt = Date.now()
      if (this.#isStopping && this.describeWait() !== undefined) this.#controller.abort()
    }
  }

  /** What is waited for, in words; undefined if nothing is. */
  describeWait(): string | undefined {
    const now = Date.now()
    if (now < this.#exhaustedUntil)
      return `waiting for the rate limit, ${Math.ceil((this.#exhaustedUntil - now) / 1000)} s`
    return now - this.#failedAt < 5000 ? 'waiting for the service' : undefined
  }
}
