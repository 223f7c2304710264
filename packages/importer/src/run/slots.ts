/** Limits simultaneous requests: 4 to 16, more while the service answers, fewer when it is overloaded. */
export class Slots {
  #limit = 4
  #used = 0
  #answered = 0
  #waiting: (() => void)[] = []

  /** Makes a request when a slot is free. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#used >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#used++
    try {
      return await work()
    } finally {
      if (this.#used <= this.#limit && this.#waiting.length > 0) this.#waiting.shift()!()
      else this.#used--
    }
  }

  /** Adapts the limit to the status of an answer; 0 means no answer. */
  learn(status: number): void {
    if (status === 429 || status >= 500 || status === 0) {
      this.#limit = Math.max(4, Math.floor(this.#limit / 2))
      this.#answered = 0
    } else if (this.#limit < 16 && ++this.#answered % 8 === 0) {
      this.#limit++
      if (this.#waiting.length > 0 && this.#used < this.#limit) {
        this.#used++
        this.#waiting.shift()!()
      }
    }
  }
}
