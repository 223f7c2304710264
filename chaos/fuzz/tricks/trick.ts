import { printRequest, type Call } from '../call.ts'
import type { Interface } from '../document.ts'
import type { Knowledge } from '../knowledge.ts'
import type { Random } from '../../lib/random.ts'

/** A host that no answer may contain. */
export const foreignHost = 'evil.example'

/** Headers in the order in which they are sent. */
export type Headers = [name: string, value: string][]

/** Turns a valid call into a hostile one. */
export type Trick = (random: Random, call: Call, known: { api: Interface; knowledge: Knowledge }) => Call

/** The call with changes. Any answer is then right, unless the changes say which. */
export const any = (call: Call, note: string, changes: Partial<Call> = {}): Call => {
  const { expected: _, sent: __, ...rest } = call
  return { ...rest, kind: 'hostile', note, ...changes }
}

/** The call with more headers. The right answers stay the same. */
export const withHeaders = (call: Call, note: string, headers: Headers): Call => ({
  ...call,
  kind: 'hostile',
  note,
  headers: [...call.headers, ...headers],
})

/** The bytes of the call with these headers. */
export const request = (call: Call, headers: Headers) => printRequest(call.method, call.target, headers, call.body)
