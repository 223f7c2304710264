import type { AuctionId, IncrementStrategyId, Session, SessionChange, SessionCreate } from '@auction-catalogue/client'
import type { Answers } from '../step.tsx'
import { printLocal, readLocal } from './zone.ts'

/** The fields of a session's terms, by name: texts as people type them. */
export const timedNames = [
  'group_size',
  'interval_seconds',
  'extension_threshold_seconds',
  'extension_seconds',
] as const

/** The terms of a session as the fields show them; times on the clock of a time zone. */
export function printTerms(session: Session, timeZone: string): Answers {
  const local = (at: string | null) => (at === null ? '' : printLocal(at, timeZone))
  const { title, opens_at, settings, increment_strategy } = session
  const shared = {
    title: title ?? '',
    opens_at: local(opens_at),
    premium: settings.buyer_premium_percentage,
    increment_strategy: increment_strategy ?? '',
  }
  if (session.kind === 'live') return { ...shared, closes_at: local(session.live.closes_at) }
  const { first_closes_at } = session.timed
  const numbers = timedNames.map((name): [string, string] => [name, String(session.timed[name] ?? '')])
  return { ...shared, first_closes_at: local(first_closes_at), ...Object.fromEntries(numbers) }
}

/**
 * Typed terms as the body of a session, without those that are empty. `refuse` is thrown for a time that the clock of
 * the zone does not show.
 */
function readTerms(answers: Answers, timeZone: string, refuse: (text: string) => string) {
  const time = (name: string) => {
    const text = answers[name]
    if (!text) return undefined
    const instant = readLocal(text, timeZone)
    if (instant === undefined) throw refuse(text.replace('T', ' '))
    return instant
  }
  const { title, premium, increment_strategy } = answers
  const numbers = timedNames.flatMap((name): [string, number][] =>
    answers[name] ? [[name, Number(answers[name])]] : [],
  )
  const first_closes_at = time('first_closes_at')
  const timed = { ...Object.fromEntries(numbers), ...(first_closes_at && { first_closes_at }) }
  const closes_at = time('closes_at')
  const opens_at = time('opens_at')
  return {
    ...(title?.trim() && { title: title.trim() }),
    ...(opens_at && { opens_at }),
    ...(premium?.trim() && { settings: { buyer_premium_percentage: premium.trim().replace(',', '.') } }),
    ...(increment_strategy && { increment_strategy: increment_strategy as IncrementStrategyId }),
    ...(Object.keys(timed).length > 0 && { timed }),
    ...(closes_at && { live: { closes_at } }),
  }
}

/** The body that makes a session. The service says which terms are missing. */
export const readNewSession = (
  auction: AuctionId,
  answers: Answers,
  timeZone: string,
  refuse: (text: string) => string,
): SessionCreate =>
  ({
    auction,
    external_reference: answers['external_reference']!.trim(),
    ...readTerms(answers, timeZone, refuse),
  }) as SessionCreate

/** The body that changes the terms which were typed anew; empty if there are none. */
export function readChange(
  session: Session,
  answers: Answers,
  timeZone: string,
  refuse: (text: string) => string,
): SessionChange {
  const before = printTerms(session, timeZone)
  const changed = Object.entries(answers).filter(([name, text]) => {
    const old = before[name] ?? ''
    const typed = name === 'premium' ? text.replace(',', '.') : text
    // The field leaves out seconds that are zero.
    return typed.trim() !== old && `${text}:00` !== old
  })
  return readTerms(Object.fromEntries(changed), timeZone, refuse)
}
