// Nobody knows the limit before the first answer.
const firstRequests = 10

/** Seconds: a service that asks for a longer wait is not waited for. */
export const longestAsked = 3600

// Proxies join headers, and others write them differently: what is no plain number is not there.
function readNumber(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

/** Shares what the rate limit of a key leaves among the requests of a client: who finds nothing left waits. */
export class Pace {
  #limit = firstRequests
  #remaining = firstRequests
  #endsAt = 0
  #inFlight = 0
  #waiting: (() => void)[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Waits until a request may be sent. Throws the signal's reason. */
  async enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (this.#waiting.length === 0 && this.#countFree() > 0) {
      this.#inFlight += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const admit = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting = this.#waiting.filter((each) => each !== admit)
        reject(signal!.reason as Error)
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(admit)
      this.#admit()
    })
  }

  /** Counts an answer, or a request that got none. */
  leave(answer?: Response): void {
    this.#inFlight -= 1
    const remaining = answer && readNumber(answer.headers, 'ratelimit-remaining')
    const reset = (answer && readNumber(answer.headers, 'ratelimit-reset')) ?? 0
    if (remaining !== undefined && reset <= longestAsked) {
      const endsAt = Date.now() + 1000 * reset
      // Answers overtake each other, and whole seconds are rounded.
      const isSameWindow = Math.abs(endsAt - this.#endsAt) < 2000
      this.#remaining = isSameWindow ? Math.min(this.#remaining, remaining) : remaining
      this.#endsAt = isSameWindow ? Math.max(this.#endsAt, endsAt) : endsAt
      // A window without any request would never end.
      this.#limit = readNumber(answer!.headers, 'ratelimit-limit') || firstRequests
    } else if (answer?.ok) {
      // The service has no limit, or one that only it can tell: then it refuses.
      this.#limit = this.#remaining = Infinity
    } else this.#remaining -= 1
    this.#admit()
  }

  #countFree(): number {
    if (Date.now() >= this.#endsAt) this.#remaining = this.#limit
    return this.#remaining - this.#inFlight
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#countFree() > 0) {
      this.#inFlight += 1
      this.#waiting.shift()!()
    }
    clearTimeout(this.#timer)
    const left = this.#endsAt - Date.now()
    if (this.#waiting.length > 0 && left > 0) this.#timer = setTimeout(() => this.#admit(), left)
  }
}
