import { printRequest, type Call } from '../call.ts'
import type { Interface } from '../document.ts'
import type { Knowledge } from '../knowledge.ts'
import type { Random } from '../random.ts'

/** A host that nothing of ours may ever name. */
export const foreignHost = 'evil.example'

/** Headers as they are sent, in their order. */
export type Headers = [name: string, value: string][]

/** Makes something hostile of a call that is valid. */
export type Trick = (random: Random, call: Call, known: { api: Interface; knowledge: Knowledge }) => Call

/** The call with changes after which nothing is known of its answer, unless they say so. */
export const any = (call: Call, note: string, changes: Partial<Call> = {}): Call => {
  const { expected: _, sent: __, ...rest } = call
  return { ...rest, kind: 'hostile', note, ...changes }
}

/** The call with more headers, which change nothing of what is right. */
export const withHeaders = (call: Call, note: string, headers: Headers): Call => ({
  ...call,
  kind: 'hostile',
  note,
  headers: [...call.headers, ...headers],
})

/** What makes a call one without a body. */
export const noBody = { body: undefined }

/** The bytes of the call with these headers. */
export const request = (call: Call, headers: Headers) => printRequest(call.method, call.target, headers, call.body)
