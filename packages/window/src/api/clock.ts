// The `Date` header is exact to a second.
const exactMilliseconds = 1_500

/** The clock of the service, as the headers of its answers show it. */
export class ServiceClock {
  #offset = 0

  /** The time of the service in milliseconds, to a second. */
  now(): number {
    return Date.now() + this.#offset
  }

  /** Learns from the `Date` header of an answer. `asked`: the time of the request, by this machine's clock. */
  observe(date: string | null, asked: number): void {
    const said = date === null ? NaN : Date.parse(date) + 500
    if (Number.isNaN(said)) return
    const offset = said - (asked + Date.now()) / 2
    // A difference below the precision of the header is ignored.
    if (Math.abs(offset - this.#offset) > exactMilliseconds)
      this.#offset = Math.abs(offset) < exactMilliseconds ? 0 : offset
  }
}
