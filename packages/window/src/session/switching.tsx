import { CatalogueError, type FieldError, type Session } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { catalogue, useLots, type Lot } from '../api/index.ts'
import { CloseButton, Dialog } from '../parts/dialog.tsx'
import { FieldWords, Words } from '../parts/problem.tsx'
import { useTexts } from '../texts/texts.tsx'

type Refusal = { lot: Lot; error: FieldError }
/** `left`: the lots that were not sent, because of an error or because the user stopped. */
type Outcome = { lots: Lot[]; left: Lot[]; refused: Refusal[]; changed: number; unchanged: number; error?: unknown }
/** `outcome` is missing while the service works. */
type Step = { isRehearsal: boolean; active: boolean; outcome?: Outcome }
/** What a stopped switch did. */
type Stop = { done: number; left: number }

// The service takes as many at once.
const mostLots = 5_000

/** The lots that an error names: `lots.17` is the eighteenth of the request. */
const readRefusals = (lots: Lot[], error: unknown): Refusal[] =>
  (error instanceof CatalogueError ? (error.errors ?? []) : []).flatMap((each) => {
    const lot = lots[Number(each.field.split('.')[1])]
    return lot ? [{ lot, error: each }] : []
  })

/**
 * Switches lots of a session, or rehearses it. One request takes up to 5,000 of them, all or none: if it refuses some,
 * the others are sent again without them. After `stop` is aborted nothing is sent any more.
 */
async function switchLots(
  { id }: Session,
  wanted: Lot[],
  active: boolean,
  { dryRun, signal, stop }: { dryRun: boolean; signal: AbortSignal; stop: AbortSignal },
): Promise<Outcome> {
  const outcome: Outcome = { lots: [], left: wanted, refused: [], changed: 0, unchanged: 0 }
  while (outcome.left.length > 0 && !stop.aborted) {
    const { left } = outcome
    const part = left.slice(0, mostLots)
    try {
      const body = { active, lots: part.map((lot) => lot.id) }
      const { changed, unchanged } = await catalogue().sessions.updateLots(id, body, { dryRun, signal })
      outcome.lots.push(...part)
      outcome.changed += changed
      outcome.unchanged += unchanged
      outcome.left = left.slice(mostLots)
    } catch (error) {
      const refused = readRefusals(part, error)
      if (refused.length === 0) return { ...outcome, error }
      outcome.refused.push(...refused)
      const isRefused = new Set(refused.map(({ lot }) => lot))
      outcome.left = left.filter((lot) => !isRefused.has(lot))
    }
  }
  return outcome
}

/**
 * The bar that switches lots on and off. Every change is rehearsed first, so that refusals are known before any change.
 */
export function Switching(props: {
  session: Session
  selected: Lot[]
  shown: Lot[]
  onSelect: (ids: Iterable<string>) => void
}) {
  const { session, selected, shown, onSelect } = props
  const texts = useTexts()
  const [step, setStep] = useState<Step | null>(null)
  const [stopped, setStopped] = useState<Stop | 'stopping' | null>(null)
  const stopper = useRef<AbortController>(null)
  const group = useRef<HTMLDivElement>(null)

  const run = async (lots: Lot[], active: boolean, dryRun: boolean) => {
    const stop = (stopper.current = new AbortController()).signal
    setStopped(null)
    setStep({ isRehearsal: dryRun, active })
    // A rehearsal is cut off, a change is finished: otherwise its outcome is not known.
    const signal = dryRun ? stop : new AbortController().signal
    const outcome = await switchLots(session, lots, active, { dryRun, signal, stop })
    if (dryRun && stop.aborted) return
    if (!dryRun) onSelect([...outcome.refused.map(({ lot }) => lot), ...outcome.left].map(({ id }) => id))
    if (stop.aborted) setStopped({ done: outcome.changed, left: lots.length - outcome.changed - outcome.unchanged })
    else setStep({ isRehearsal: dryRun, active, outcome })
  }
  const close = () => {
    stopper.current?.abort()
    if (step && !step.isRehearsal && !step.outcome) setStopped('stopping')
    setStep(null)
  }
  // The button that had the focus may be gone with the selection.
  const wasOpen = useRef(false)
  const isOpen = step !== null
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      group.current!.querySelector('button')!.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <div ref={group} className="switching" role="group" aria-label={texts.select}>
      <button type="button" onClick={() => onSelect(shown.map((lot) => lot.id))}>
        {texts.selectAll(shown.length)}
      </button>
      {selected.length > 0 && (
        <>
          <b role="status">{texts.selected(selected.length)}</b>
          <button type="button" className="primary" onClick={() => void run(selected, true, true)}>
            {texts.switchOn}
          </button>
          <button type="button" onClick={() => void run(selected, false, true)}>
            {texts.switchOff}
          </button>
          <button type="button" className="plain" onClick={() => onSelect([])}>
            {texts.clearSelection}
          </button>
        </>
      )}
      <span role="status">
        {stopped === 'stopping' ? texts.stopping : stopped && texts.stopped(stopped.done, stopped.left)}
      </span>
      {step && (
        <Dialog
          title={step.isRehearsal ? texts.rehearsal : texts.lots(step.outcome?.changed ?? selected.length)}
          onClose={close}
        >
          <StepView
            step={step}
            session={session}
            onApply={(lots, active) => void run(lots, active, false)}
            onClose={close}
          />
        </Dialog>
      )}
    </div>
  )
}

function StepView(props: {
  step: Step
  session: Session
  onApply: (lots: Lot[], active: boolean) => void
  onClose: () => void
}) {
  const { step, session, onApply, onClose } = props
  const texts = useTexts()
  const { isRehearsal, active, outcome } = step
  if (outcome === undefined) {
    const words = isRehearsal ? texts.rehearsing : texts.switching
    return (
      <p role="status">
        {words}
        <progress aria-label={words} />
      </p>
    )
  }
  const { lots, changed, unchanged, refused, error } = outcome
  const summary = active ? texts.rehearsalOn : texts.rehearsalOff
  return (
    <>
      {isRehearsal ? (
        <p role="status">{changed > 0 ? summary(changed) : texts.nothingToDo}</p>
      ) : (
        <>
          <p role="status">{texts.switched(changed)}</p>
          {session.kind === 'timed' && changed > 0 && <ScheduleState session={session} lots={lots} active={active} />}
        </>
      )}
      {isRehearsal && session.published && changed > 0 && <p>{texts.rehearsalPublished}</p>}
      {unchanged > 0 && <p className="quiet">{texts.rehearsalSame(unchanged)}</p>}
      {error !== undefined && (
        <p className="refusal" role="alert">
          <Words error={error} />
        </p>
      )}
      {refused.length > 0 && (
        <>
          <p>{texts.refusedLots(refused.length)}</p>
          <ul className="refusals">
            {refused.map(({ lot, error: fault }) => (
              <li key={lot.id}>
                <b>{lot.lot_number ?? texts.noNumber}</b> {lot.title}
                <span className="refusal">
                  <FieldWords error={fault} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="actions">
        {isRehearsal ? (
          <button type="button" onClick={onClose}>
            {texts.cancel}
          </button>
        ) : (
          <CloseButton of={texts.lots(changed)} onClose={onClose} />
        )}
        {isRehearsal && changed > 0 && (
          <button type="button" className="primary" onClick={() => onApply(lots, active)}>
            {active ? texts.doSwitchOn(changed) : texts.doSwitchOff(changed)}
          </button>
        )}
      </div>
    </>
  )
}

/**
 * A job computes the schedule after the switch: then a lot that is on has a closing time, and one that is off has none.
 */
function ScheduleState({ session, lots, active }: { session: Session; lots: Lot[]; active: boolean }) {
  const texts = useTexts()
  const { data } = useLots(session.id)
  const ids = new Set(lots.map((lot) => lot.id))
  const isReady = data?.lots.every((lot) => !ids.has(lot.id) || (lot.closes_at !== null) === active) ?? false
  return (
    <>
      <p role="status">{isReady ? texts.scheduleReady : texts.scheduleComing}</p>
      {isReady && (
        <Link to="/sessions/$session/schedule" params={{ session: session.id }}>
          {texts.toSchedule}
        </Link>
      )}
    </>
  )
}
