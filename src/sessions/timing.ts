import { fieldError, fieldsOf, type Fields } from '../http/body/validation.ts'
import type { Warning } from '../context.ts'
import type { FieldError } from '../problems.ts'
import { parseTimestamp, wholeSeconds } from '../values/timestamps.ts'

/** The instant of a timestamp in a body, truncated to whole seconds. Undefined if it is not valid. */
export function instantOf(text: unknown): Date | undefined {
  const timestamp = typeof text === 'string' ? parseTimestamp(text) : undefined
  return timestamp === undefined ? undefined : wholeSeconds(timestamp)
}

/** Warns of times in a body, or in the document of a session, that have passed. */
export function findPast({ opens_at, timed, live }: Fields, now: Date): Warning[] {
  const times = [
    ['opens_at', opens_at],
    ['timed.first_closes_at', fieldsOf(timed)['first_closes_at']],
    ['live.closes_at', fieldsOf(live)['closes_at']],
  ] as const
  return times.flatMap(([field, text]) => {
    const instant = instantOf(text)
    return instant !== undefined && instant <= now ? [{ code: 'past' as const, field }] : []
  })
}

function checkOrder(body: Fields): FieldError[] {
  const opens = instantOf(body.opens_at)
  const closes = [
    ['timed.first_closes_at', instantOf(fieldsOf(body.timed).first_closes_at)],
    ['live.closes_at', instantOf(fieldsOf(body.live).closes_at)],
  ] as const
  return closes
    .filter(([, instant]) => opens && instant && instant <= opens)
    .map(([field]) => fieldError(field, 'invalid', 'must be later than opens_at'))
}

/** Checks a new session's timing beyond its shape: exactly one block, which closes after the opening. */
export function checkNewTiming(body: Fields): FieldError[] {
  const blocks = [body.timed, body.live].filter((block) => block !== undefined).length
  const message = 'must hold exactly one of timed and live'
  const errors = blocks === 1 ? [] : [fieldError('', blocks === 0 ? 'required' : 'invalid', message)]
  return [...errors, ...checkOrder(body)]
}

/** Checks that changed timing has both opens_at and the block of the session's kind, or neither. */
export function checkChangedTiming(kind: 'timed' | 'live', body: Fields): FieldError[] {
  const other = kind === 'timed' ? 'live' : 'timed'
  const { opens_at, [kind]: own, [other]: foreign } = body
  const errors: FieldError[] = []
  if (foreign !== undefined) errors.push(fieldError(other, 'invalid', `does not belong to a ${kind} session`))
  if (own !== undefined && opens_at === undefined)
    errors.push(fieldError('opens_at', 'required', `is required with ${kind}`))
  if (own === undefined && opens_at !== undefined)
    errors.push(fieldError(kind, 'required', 'is required with opens_at'))
  return [...errors, ...checkOrder({ opens_at, [kind]: own })]
}

type Timing = {
  kind: 'timed' | 'live'
  opens_at: Date | null
  first_closes_at: Date | null
  live_closes_at: Date | null
}

/** Checks the times of a session as new terms make them: the block of its kind, which closes after the opening. */
export function checkTerms(session: Timing, terms: Fields): FieldError[] {
  const other = session.kind === 'timed' ? 'live' : 'timed'
  const errors =
    terms[other] === undefined ? [] : [fieldError(other, 'invalid', `does not belong to a ${session.kind} session`)]
  const [field, closes] =
    session.kind === 'timed'
      ? ['timed.first_closes_at', session.first_closes_at]
      : (['live.closes_at', session.live_closes_at] as const)
  const isGiven = terms.opens_at !== undefined || terms[session.kind] !== undefined
  const isWrong = isGiven && session.opens_at !== null && closes !== null && closes <= session.opens_at
  return isWrong ? [...errors, fieldError(field, 'invalid', 'must be later than opens_at')] : errors
}
