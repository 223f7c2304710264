import { onAbort } from './signals.ts'

// The limit is unknown before the first answer.
const firstRequests = 10

/** Seconds. The client does not wait if the service asks for more. */
export const longestAsked = 3600

// Proxies join headers, or write them differently: a value that is not a plain number is ignored.
function readNumber(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

/** Shares the rest of a key's rate limit among the requests of a client. A request beyond it waits. */
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
    if (this.#waiting.length === 0 && this.#countFree(Date.now()) > 0) {
      this.#inFlight += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const admit = () => {
        stay()
        resolve()
      }
      const stay = onAbort(signal, () => {
        stay()
        this.#waiting = this.#waiting.filter((each) => each !== admit)
        reject(signal!.reason as Error)
      })
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
      // The service has no limit, or does not tell it: then it refuses requests itself.
      this.#limit = this.#remaining = Infinity
    } else this.#remaining -= 1
    this.#admit()
  }

  #countFree(now: number): number {
    if (now >= this.#endsAt) this.#remaining = this.#limit
    return this.#remaining - this.#inFlight
  }

  #admit(): void {
    // One reading of the clock: a window that ended between two would leave the waiting requests without a timer.
    const now = Date.now()
    while (this.#waiting.length > 0 && this.#countFree(now) > 0) {
      this.#inFlight += 1
      this.#waiting.shift()!()
    }
    clearTimeout(this.#timer)
    const left = this.#endsAt - now
    if (this.#waiting.length > 0 && left > 0) this.#timer = setTimeout(() => this.#admit(), left)
  }
}
