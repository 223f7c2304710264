import { fieldError } from '../http/body/validation.ts'
import type { Cause, FieldError } from '../problems.ts'
import type { Locale } from '../values/locales.ts'
import { byteLength, isBlank, isStorable } from '../values/text.ts'
import type { StoredLot } from './result-statements.ts'
import { lotOf, sessionOf } from './outcomes.ts'
import type { LotFields } from './touch.ts'

/**
 * What staff set of a lot before its result. An omitted value stays. The starting bid is in minor units. `notices`: what is
 * announced, by locale; null takes it away.
 */
export type LotTerms = {
  starting_bid?: number | null | undefined
  held?: boolean | undefined
  notices?: Partial<Record<Locale, string | null>> | undefined
}

// As in a load.
const mostBytes = 1024

// No close counts in preparation, as no opening does: it may be typed wrongly.
const hasEnded = ({ published, result, ends_at }: StoredLot, now: Date) =>
  (published || result !== null) && ends_at !== null && ends_at <= now

function listErrors(notices: LotTerms['notices'] = {}): FieldError[] {
  return Object.entries(notices).flatMap(([locale, text]) => {
    const field = `notice_translations.${locale}`
    if (text === null) return []
    if (isBlank(text) || !isStorable(text))
      return [fieldError(field, 'blank', 'must not be blank, and must be storable')]
    return byteLength(text) > mostBytes
      ? [fieldError(field, 'too_long', `must have at most ${mostBytes} bytes of UTF-8`)]
      : []
  })
}

/**
 * What terms make of a lot, with all that refuses them. The starting bid is set until the lot closes or has had a bid. A lot
 * is held and announced until it has a result. What is set already is no obstacle.
 */
export function planTerms(lot: StoredLot, { starting_bid, held, notices }: LotTerms, now: Date) {
  const causes: Cause[] = []
  const after: LotFields = {}
  if (starting_bid !== undefined && starting_bid !== lot.starting_bid) {
    after.starting_bid = starting_bid
    if (lot.finished) causes.push({ reason: 'finished', record: sessionOf(lot) })
    else if (hasEnded(lot, now)) causes.push({ reason: 'closed', record: lotOf(lot), time: lot.ends_at })
    if (lot.has_bids) causes.push({ reason: 'has_bids', record: lotOf(lot) })
  }
  const given = Object.entries(notices ?? {}) as [Locale, string | null][]
  const isAnnounced = given.some(([locale, text]) => (lot.notices[locale] ?? null) !== text)
  if (isAnnounced)
    after.notices = Object.fromEntries(
      Object.entries({ ...lot.notices, ...notices }).filter(([, text]) => text !== null),
    )
  if (held !== undefined && held !== lot.held) after.held = held
  if (lot.result && (isAnnounced || after.held))
    causes.push({ reason: 'has_result', record: lotOf(lot), state: lot.result.state })
  return { after, causes, errors: listErrors(notices) }
}
