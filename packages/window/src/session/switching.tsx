import type { Session } from '@auction-catalogue/client'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { catalogue, showLot, useLots, type Lot } from '../api/index.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Words } from '../parts/problem.tsx'
import { useTexts } from '../texts/texts.tsx'

type Outcome = { lot: Lot; error?: unknown }
type Step =
  | { at: 'rehearsing'; active: boolean; done: number; of: number }
  | { at: 'switching'; active: boolean; done: number; of: number }
  | { at: 'rehearsed'; active: boolean; outcomes: Outcome[]; unchanged: number }
  | { at: 'switched'; active: boolean; outcomes: Outcome[]; unchanged: number }

// The service decides by the current state of the lot. It may refuse a key without If-Match.
const ifMatch = '*'

// The service counts requests by the minute: more at once would only wait elsewhere.
const atOnce = 4

/** Runs a task for each lot, a few at once. A refusal ends only the task of its own lot. */
async function each(
  lots: Lot[],
  work: (lot: Lot) => Promise<unknown>,
  onDone: (done: number) => void,
  signal: AbortSignal,
) {
  const outcomes: Outcome[] = []
  const queue = lots.values()
  const run = async () => {
    for (const lot of queue) {
      if (signal.aborted) return
      await work(lot).then(
        () => outcomes.push({ lot }),
        (error: unknown) => outcomes.push({ lot, error }),
      )
      onDone(outcomes.length)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  return outcomes.toSorted((one, other) => (one.lot.lot_number ?? 0) - (other.lot.lot_number ?? 0))
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
  const client = useQueryClient()
  const [step, setStep] = useState<Step | null>(null)
  const controller = useRef<AbortController>(null)

  const begin = () => {
    controller.current = new AbortController()
    return controller.current.signal
  }
  const rehearse = async (active: boolean) => {
    const signal = begin()
    const lots = selected.filter((lot) => lot.active !== active)
    const progress = (done: number) => setStep({ at: 'rehearsing', active, done, of: lots.length })
    progress(0)
    const outcomes = await each(
      lots,
      (lot) => catalogue().lots.update(lot.id, { active }, { dryRun: true, ifMatch, signal }),
      progress,
      signal,
    )
    if (!signal.aborted) setStep({ at: 'rehearsed', active, outcomes, unchanged: selected.length - lots.length })
  }
  const apply = async (active: boolean, lots: Lot[]) => {
    const signal = begin()
    const progress = (done: number) => setStep({ at: 'switching', active, done, of: lots.length })
    progress(0)
    const change = async (lot: Lot) => showLot(client, await catalogue().lots.update(lot.id, { active }, { ifMatch }))
    const outcomes = await each(lots, change, progress, signal)
    setStep({ at: 'switched', active, outcomes, unchanged: 0 })
    onSelect(outcomes.filter(({ error }) => error !== undefined).map(({ lot }) => lot.id))
  }
  const close = () => {
    controller.current?.abort()
    setStep(null)
  }
  return (
    <div className="switching" role="group" aria-label={texts.select}>
      <button type="button" onClick={() => onSelect(shown.map((lot) => lot.id))}>
        {texts.selectAll(shown.length)}
      </button>
      {selected.length > 0 && (
        <>
          <b role="status">{texts.selected(selected.length)}</b>
          <button type="button" className="primary" onClick={() => void rehearse(true)}>
            {texts.switchOn}
          </button>
          <button type="button" onClick={() => void rehearse(false)}>
            {texts.switchOff}
          </button>
          <button type="button" className="plain" onClick={() => onSelect([])}>
            {texts.clearSelection}
          </button>
        </>
      )}
      {step && (
        <Dialog title={step.at === 'switched' ? texts.lots(step.outcomes.length) : texts.rehearsal} onClose={close}>
          <StepView step={step} session={session} onApply={apply} onClose={close} />
        </Dialog>
      )}
    </div>
  )
}

function StepView(props: {
  step: Step
  session: Session
  onApply: (active: boolean, lots: Lot[]) => Promise<void>
  onClose: () => void
}) {
  const { step, session, onApply, onClose } = props
  const texts = useTexts()
  if (step.at === 'rehearsing' || step.at === 'switching') {
    const words = step.at === 'rehearsing' ? texts.rehearsing : texts.switching
    return (
      <p role="status">
        {words(step.done, step.of)}
        <progress value={step.done} max={step.of} aria-label={words(step.done, step.of)} />
      </p>
    )
  }
  const { active, outcomes, unchanged } = step
  const good = outcomes.filter(({ error }) => error === undefined).map(({ lot }) => lot)
  const refused = outcomes.filter(({ error }) => error !== undefined)
  const summary = active ? texts.rehearsalOn : texts.rehearsalOff
  return (
    <>
      {step.at === 'switched' ? (
        <>
          <p role="status">{texts.switched(good.length)}</p>
          {session.kind === 'timed' && good.length > 0 && (
            <ScheduleState session={session} lots={good} active={active} />
          )}
        </>
      ) : (
        <p role="status">{good.length > 0 ? summary(good.length) : texts.nothingToDo}</p>
      )}
      {step.at === 'rehearsed' && session.published && good.length > 0 && <p>{texts.rehearsalPublished}</p>}
      {unchanged > 0 && <p className="quiet">{texts.rehearsalSame(unchanged)}</p>}
      {refused.length > 0 && (
        <>
          <p>{texts.refusedLots(refused.length)}</p>
          <ul className="refusals">
            {refused.map(({ lot, error }) => (
              <li key={lot.id}>
                <b>{lot.lot_number ?? texts.noNumber}</b> {lot.title}
                <span className="refusal">
                  <Words error={error} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="actions">
        <button type="button" onClick={onClose}>
          {step.at === 'switched' ? texts.close : texts.cancel}
        </button>
        {step.at === 'rehearsed' && good.length > 0 && (
          <button type="button" className="primary" onClick={() => void onApply(active, good)}>
            {active ? texts.doSwitchOn(good.length) : texts.doSwitchOff(good.length)}
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
