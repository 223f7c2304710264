import type { Coding } from './codings.ts'
import { encode } from './encode.ts'

// The memory of a form besides its bytes, as measured.
const formBytes = 512

/** The encoded forms of one body, each made once. */
export class Forms {
  /** The memory of all forms. */
  bytes = 0
  /** Called when `bytes` has grown. */
  onGrowth: (() => void) | undefined
  // Most bodies are never asked for in another form.
  #made: Map<Coding, Buffer | Promise<Buffer | undefined>> | undefined

  /** The form in this coding, if it was made. */
  find(coding: Coding): Buffer | undefined {
    const known = this.#made?.get(coding)
    return Buffer.isBuffer(known) ? known : undefined
  }

  /** The form in this coding, as `encode` makes it from `body`, the same at each call. */
  take(body: Buffer, coding: Coding, client: string): ReturnType<typeof encode> {
    this.#made ??= new Map()
    const known = this.#made.get(coding)
    if (known) return known
    const form = encode(body, coding, client)
    if (!(form instanceof Promise)) return form && this.#keep(coding, form)
    const pending = form.then((made) => {
      if (made) return this.#keep(coding, made)
      this.#made!.delete(coding)
      return undefined
    })
    this.#made.set(coding, pending)
    return pending
  }

  // What the encoder returns may be a small part of a longer buffer.
  #keep(coding: Coding, form: Buffer): Buffer {
    const kept = 2 * form.length < form.buffer.byteLength ? Buffer.allocUnsafeSlow(form.length) : form
    if (kept !== form) form.copy(kept)
    this.#made!.set(coding, kept)
    this.bytes += kept.buffer.byteLength + formBytes
    this.onGrowth?.()
    return kept
  }
}
