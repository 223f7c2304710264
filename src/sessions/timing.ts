import type { Static } from 'typebox'
import { fieldError } from '../http/validation.ts'
import type { FieldError } from '../problems.ts'
import { parseTimestamp, wholeSeconds } from '../values/timestamps.ts'
import type { SessionCreate, SessionUpdate } from './schema.ts'

/** When a session opens and closes; the columns of the other kind are null. Times in seconds where not instants. */
export type Timing = {
  opens_at: Date | null
  first_closes_at: Date | null
  group_size: number | null
  interval_seconds: number | null
  extension_threshold_seconds: number | null
  extension_seconds: number | null
  live_closes_at: Date | null
}

/** The instant of a timestamp in a body, truncated to whole seconds; undefined while it is not a valid one. */
export function instantOf(text: unknown): Date | undefined {
  const timestamp = typeof text === 'string' ? parseTimestamp(text) : undefined
  return timestamp === undefined ? undefined : wholeSeconds(timestamp)
}

type Times = { opens_at?: string; timed?: { first_closes_at: string }; live?: { closes_at: string } }

function checkOrder(body: Times): FieldError[] {
  const opens = instantOf(body.opens_at)
  const closes = [
    ['timed.first_closes_at', instantOf(body.timed?.first_closes_at)],
    ['live.closes_at', instantOf(body.live?.closes_at)],
  ] as const
  return closes
    .filter(([, instant]) => opens && instant && instant <= opens)
    .map(([field]) => fieldError(field, 'invalid', 'must be later than opens_at'))
}

/** What a new session's timing must meet beyond its shape: exactly one block, closing after it opens. */
export function checkNewTiming(body: Static<typeof SessionCreate>): FieldError[] {
  const blocks = [body.timed, body.live].filter((block) => block !== undefined).length
  if (blocks === 1) return checkOrder(body)
  return [fieldError('', blocks === 0 ? 'required' : 'invalid', 'must hold exactly one of timed and live')]
}

/** What a changed timing must meet: opens_at and the block of the session's kind, both or neither. */
export function checkChangedTiming(kind: 'timed' | 'live', body: Static<typeof SessionUpdate>): FieldError[] {
  const other = kind === 'timed' ? 'live' : 'timed'
  if (body[other] !== undefined) return [fieldError(other, 'invalid', `does not belong to a ${kind} session`)]
  if (body[kind] !== undefined && body.opens_at === undefined)
    return [fieldError('opens_at', 'required', `is required with ${kind}`)]
  if (body[kind] === undefined && body.opens_at !== undefined)
    return [fieldError(kind, 'required', 'is required with opens_at')]
  return checkOrder(body)
}
