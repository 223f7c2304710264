import type { Call } from '../call.ts'
import type { Interface } from '../document.ts'
import type { Knowledge } from '../knowledge.ts'
import type { Random } from '../../lib/random.ts'
import { documents, longTarget, media, otherMethod, traversal } from './addresses.ts'
import { brokenForm, needlessBody, otherType, unread } from './bodies.ts'
import {
  absoluteTarget,
  conditional,
  encoded,
  expecting,
  guards,
  forwarded,
  harmless,
  headerBomb,
  strangeKey,
  twoOfOne,
} from './headers.ts'
import { aborted, brokenHttp, chunked, truncated } from './http.ts'
import type { Trick } from './trick.ts'

type Wanted = 'any' | 'json' | 'form' | 'body' | 'none' | 'read'

const tricks: [weight: number, wants: Wanted, trick: Trick][] = [
  [4, 'json', unread],
  [4, 'body', otherType],
  [3, 'any', otherMethod],
  [5, 'any', brokenHttp],
  [3, 'any', twoOfOne],
  [3, 'any', absoluteTarget],
  [3, 'any', forwarded],
  [4, 'any', strangeKey],
  [1, 'any', headerBomb],
  [1, 'any', longTarget],
  [8, 'any', traversal],
  [3, 'any', documents],
  [3, 'any', chunked],
  [2, 'none', needlessBody],
  [1, 'body', encoded],
  [2, 'any', expecting],
  [4, 'any', guards],
  [3, 'any', harmless],
  [4, 'read', conditional],
  [2, 'body', aborted],
  [1, 'body', truncated],
  [3, 'form', brokenForm],
  [8, 'any', media],
]

const fits: Record<Wanted, (call: Call) => boolean> = {
  any: () => true,
  json: ({ operation }) => operation!.body?.type === 'application/json',
  form: ({ operation }) => operation!.body?.type === 'multipart/form-data',
  body: ({ body }) => body !== undefined,
  none: ({ body }) => body === undefined,
  read: ({ method }) => method === 'GET',
}

/** Turns a valid call into one of an attacker, or of a broken program. */
export function makeHostile(random: Random, call: Call, known: { api: Interface; knowledge: Knowledge }): Call {
  const fitting = tricks.filter(([, wants]) => fits[wants](call))
  const trick = random.weigh(fitting.map(([weight, , trick]) => [weight, trick] as const))
  return trick(random, call, known)
}
