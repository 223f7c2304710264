import { Link } from '@tanstack/react-router'
import { useFormats } from '../../formats.ts'
import type { Decision, Entry } from '../decisions.ts'
import { useStaffTexts } from '../texts/texts.ts'
import { Words } from '../../parts/problem.tsx'
import { useResultWords } from '../words.tsx'

const most = 10
const marks = { waiting: '…', stored: '✓', refused: '✗', overtaken: '✗' }

/** The last decisions, the latest first, each ticked once it is stored. */
export function Log({ entries }: { entries: Entry[] }) {
  const own = useStaffTexts()
  const words = useResultWords()
  const wordsOf = useDecisionWords()
  const waiting = entries.filter(({ state }) => state === 'waiting').length
  const isTakenBack = ({ id, lot, decision: { kind } }: Entry) =>
    kind !== 'back' &&
    entries.some(
      (other) =>
        other.id > id &&
        other.lot === lot &&
        other.decision.kind === 'back' &&
        (other.decision.of === 'referral') === (kind === 'referred') &&
        ['waiting', 'stored'].includes(other.state),
    )
  const states = { waiting: own.isWaiting, stored: own.isStored, refused: own.isRefused, overtaken: own.isRefused }
  return (
    <section className="clerk-log" aria-labelledby="last-ten">
      <h3 id="last-ten">{own.lastTen}</h3>
      <p role="status" className="live">
        {waiting > 0 && own.waiting(waiting)}
      </p>
      {entries.length === 0 && <p className="quiet">{own.noneYet}</p>}
      <ol aria-live="polite">
        {entries
          .slice(-most)
          .toReversed()
          .map((entry) => (
            <li key={entry.id} data-state={entry.state}>
              <span className="mark" role="img" aria-label={states[entry.state]}>
                {marks[entry.state]}
              </span>
              <Link to="/sessions/$session/lots/$lot/history" params={{ session: entry.session, lot: entry.lot }}>
                {entry.number}
              </Link>
              {isTakenBack(entry) ? <del>{wordsOf(entry.decision)}</del> : <span>{wordsOf(entry.decision)}</span>}
              {entry.state === 'overtaken' && (
                <span className="refusal">{own.overtaken(words(entry.found ?? null))}</span>
              )}
              {entry.state === 'refused' && (
                <span className="refusal">
                  <Words error={entry.error} />
                </span>
              )}
            </li>
          ))}
      </ol>
    </section>
  )
}

function useDecisionWords(): (decision: Decision) => string {
  const own = useStaffTexts()
  const formats = useFormats()
  return (decision) => {
    if (decision.kind === 'sold') return own.sold(formats.money(decision))
    if (decision.kind === 'together') return own.soldWith(String(decision.withNumber))
    const words = { passed: own.unsold, withdrawn: own.withdrawn, referred: own.referred, back: own.takenBack }
    return words[decision.kind]
  }
}
