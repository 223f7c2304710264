import { createSlots } from '../server/slots.ts'
import { encoders, type Coding } from './codings.ts'

// Pictures are decoded and files are read in the same pool of four threads.
const mostAtOnce = 2
const mostWaiting = 64
const turns = createSlots(mostAtOnce, mostWaiting)

async function encodeInTurn(body: Buffer | string, coding: Coding, client: string): Promise<Buffer | undefined> {
  let free: () => void
  try {
    free = await turns.take(client)
  } catch {
    return undefined
  }
  try {
    return await encoders[coding].encodeInPool(body)
  } finally {
    free()
  }
}

/** Encodes a body, a long one in the thread pool. Clients take turns by name. Undefined if too many wait. */
export function encode(body: Buffer | string, coding: Coding, client: string): Buffer | Promise<Buffer | undefined> {
  const { longestAtOnce, encode: encodeAtOnce } = encoders[coding]
  return body.length <= longestAtOnce ? encodeAtOnce(body) : encodeInTurn(body, coding, client)
}

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
  take(body: Buffer, coding: Coding, client: string): Buffer | Promise<Buffer | undefined> {
    this.#made ??= new Map()
    const known = this.#made.get(coding)
    if (known) return known
    const form = encode(body, coding, client)
    if (Buffer.isBuffer(form)) return this.#keep(coding, form)
    const pending = form.then((made) => {
      if (made) return this.#keep(coding, made)
      this.#made!.delete(coding)
      return undefined
    })
    this.#made.set(coding, pending)
    pending.catch(() => this.#made!.delete(coding))
    return pending
  }

  // In memory of its own: what the encoder returns is a part of a longer buffer.
  #keep(coding: Coding, form: Buffer): Buffer {
    const kept = Buffer.allocUnsafeSlow(form.length)
    form.copy(kept)
    this.#made!.set(coding, kept)
    this.bytes += kept.length + formBytes
    this.onGrowth?.()
    return kept
  }
}
