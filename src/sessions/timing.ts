import { fieldError, fieldsOf, type Fields } from '../http/body/validation.ts'
import type { Warning } from '../context.ts'
import type { FieldError } from '../problems.ts'
import { parseTimestamp, wholeSeconds } from '../values/timestamps.ts'

/** The instant of a timestamp in a body, truncated to whole seconds. Undefined if it is not valid. */
export function instantOf(text: unknown): Date | undefined {
  const timestamp = typeof text === 'string' ? parseTimestamp(text) : undefined
  return timestamp === undefined ? undefined : wholeSeconds(timestamp)
}

// The closing times of a body, or of the document of a session, by their fields.
const closesOf = ({ timed, live }: Fields) =>
  [
    ['timed.first_closes_at', fieldsOf(timed)['first_closes_at']],
    ['live.closes_at', fieldsOf(live)['closes_at']],
  ] as const

/** Warns of times in a body, or in the document of a session, that have passed. */
export function findPast(body: Fields, now: Date): Warning[] {
  return [['opens_at', body.opens_at] as const, ...closesOf(body)].flatMap(([field, text]) => {
    const instant = instantOf(text)
    return instant !== undefined && instant <= now ? [{ code: 'past' as const, field }] : []
  })
}

type Time = Date | null | undefined

const checkOrder = (opens: Time, closes: readonly (readonly [field: string, instant: Time])[]): FieldError[] =>
  closes
    .filter(([, instant]) => opens && instant && instant <= opens)
    .map(([field]) => fieldError(field, 'invalid', 'must be later than opens_at'))

const checkOrderOf = (body: Fields): FieldError[] =>
  checkOrder(
    instantOf(body.opens_at),
    closesOf(body).map(([field, text]) => [field, instantOf(text)] as const),
  )

// Checks that a body has no block of the other kind.
function checkKind(kind: 'timed' | 'live', body: Fields): FieldError[] {
  const other = kind === 'timed' ? 'live' : 'timed'
  return body[other] === undefined ? [] : [fieldError(other, 'invalid', `does not belong to a ${kind} session`)]
}

/** Checks a new session's timing beyond its shape: exactly one block, which closes after the opening. */
export function checkNewTiming(body: Fields): FieldError[] {
  const blocks = [body.timed, body.live].filter((block) => block !== undefined).length
  const message = 'must hold exactly one of timed and live'
  const errors = blocks === 1 ? [] : [fieldError('', blocks === 0 ? 'required' : 'invalid', message)]
  return [...errors, ...checkOrderOf(body)]
}

/** Checks that changed timing has both opens_at and the block of the session's kind, or neither. */
export function checkChangedTiming(kind: 'timed' | 'live', body: Fields): FieldError[] {
  const { opens_at, [kind]: own } = body
  const errors = checkKind(kind, body)
  if (own !== undefined && opens_at === undefined)
    errors.push(fieldError('opens_at', 'required', `is required with ${kind}`))
  if (own === undefined && opens_at !== undefined)
    errors.push(fieldError(kind, 'required', 'is required with opens_at'))
  return [...errors, ...checkOrderOf({ opens_at, [kind]: own })]
}

type Timing = {
  kind: 'timed' | 'live'
  opens_at: Date | null
  first_closes_at: Date | null
  live_closes_at: Date | null
}

/** Checks the times of a session as new terms make them: the block of its kind, which closes after the opening. */
export function checkTerms(session: Timing, terms: Fields): FieldError[] {
  const { kind, opens_at } = session
  const isGiven = terms.opens_at !== undefined || terms[kind] !== undefined
  const closes =
    kind === 'timed' ? ['timed.first_closes_at', session.first_closes_at] : ['live.closes_at', session.live_closes_at]
  return [...checkKind(kind, terms), ...(isGiven ? checkOrder(opens_at, [closes as [string, Time]]) : [])]
}
