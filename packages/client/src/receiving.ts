import { onAbort } from './signals.ts'

/** Ends an attempt at a deadline, or with the caller's signal. All times are in seconds. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #stay: () => void
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(signal: AbortSignal | undefined) {
    if (signal?.aborted) this.#controller.abort(signal.reason)
    this.#stay = onAbort(signal, () => this.#controller.abort(signal!.reason))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Sets the time that is left, in place of an earlier one. */
  set(seconds: number, missing: string): void {
    clearTimeout(this.#timer)
    // A longer timer would fire at once.
    if (seconds >= 2 ** 31 / 1000) return
    const expire = () => this.#controller.abort(new Error(`no ${missing} within the time that the client gives it`))
    this.#timer = setTimeout(expire, 1000 * Math.max(0, seconds))
  }

  /** Waits for the work, which may ignore the signal. */
  async race<T>(work: Promise<T>): Promise<T> {
    let stay = () => {}
    const ended = new Promise<never>((_, reject) => {
      const end = () => reject(this.signal.reason as Error)
      if (this.signal.aborted) end()
      else stay = onAbort(this.signal, end)
    })
    // It may end after the other.
    work.catch(() => undefined)
    try {
      return await Promise.race([work, ended])
    } finally {
      stay()
    }
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#stay()
  }
}

/** The text of an answer; undefined if it has more bytes, decoded, than these. */
export async function readText(answer: Response, most: number, deadline: Deadline): Promise<string | undefined> {
  const reader = answer.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await deadline.race(reader.read())
      if (done) return text + decoder.decode()
      if ((bytes += value.length) > most) return undefined
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    // What is left would hold the connection.
    reader.cancel().catch(() => undefined)
  }
}

/** A stream that calls back with each piece that is taken from it. */
export function observe(stream: ReadableStream<Uint8Array>, onPiece: () => void): ReadableStream<Uint8Array> {
  const transform = (piece: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) => {
    onPiece()
    controller.enqueue(piece)
  }
  return stream.pipeThrough(new TransformStream({ transform, flush: () => onPiece() }))
}
