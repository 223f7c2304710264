import { createContext, use, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { CloseButton, Dialog } from '../parts/dialog.tsx'
import { useKeptForm, useOwnName } from '../parts/drafts.ts'
import { useTexts } from '../texts/texts.tsx'
import { useStaffTexts } from './texts/texts.ts'
import { Words } from '../parts/problem.tsx'

/** What a form says: its fields by name. */
export type Answers = Record<string, string>

/** Reads a record for the rehearsal. The step is then done over what was read. */
export type Once = <T>(read: () => Promise<T>) => Promise<T>

/**
 * A step that is rehearsed and asked, unless it is direct. `run` does it, or rehearses it, and returns what it does in words. It throws a
 * text for answers that it does not take.
 */
export type StepOf = {
  title: string
  /** The button that does it. */
  name: string
  /** The button that opens it, if that has another name. */
  label?: string
  fields?: ReactNode
  run: (answers: Answers, dryRun: boolean, once: Once) => Promise<ReactNode>
  isDangerous?: boolean
  /** It is done at once, without a rehearsal: it is about one record, and can be undone. */
  isDirect?: boolean
}

type Field = HTMLInputElement | HTMLSelectElement

/** The first field that is empty but must not be, or has no such value. */
const findFaulty = (form: HTMLFormElement) => form.querySelector<Field>('input:invalid, select:invalid')

const labelOf = ({ labels }: Field) => labels![0]!.firstChild!.textContent!

/** Asks for the fields of a step, shows what the rehearsal says, and does it after a second answer. */
function Step({ step, onClose }: { step: StepOf; onClose: () => void }) {
  const { form, note, drop, mayClose, isWarned } = useKeptForm(useOwnName(`${location.hash} ${step.title}`))
  const texts = useTexts()
  const own = useStaffTexts()
  const [said, setSaid] = useState<ReactNode>(null)
  const [isDone, setDone] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ReactNode>(null)
  const isRehearsed = said !== null
  const isLast = step.isDirect || isRehearsed
  const [isDoing, setDoing] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const typings = useRef(0)
  const refusal = useRef<HTMLParagraphElement>(null)
  const wrong = useRef<HTMLElement>(null)
  useEffect(() => {
    if (problem === null) return
    refusal.current!.scrollIntoView({ block: 'center' })
    // A field that is to be filled in is seen in any case.
    wrong.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])
  const rehearsed = useRef<unknown>(undefined)
  const once: Once = async (read) => {
    if (!isRehearsed) rehearsed.current = await read()
    return rehearsed.current as Awaited<ReturnType<typeof read>>
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const faulty = findFaulty(event.currentTarget)
    wrong.current = faulty ?? null
    if (faulty) {
      faulty.focus()
      return setProblem(faulty.validity.valueMissing ? own.fillIn(labelOf(faulty)) : own.isWrong(labelOf(faulty)))
    }
    const answers = Object.fromEntries(new FormData(event.currentTarget)) as Answers
    const typed = typings.current
    setProblem(null)
    note()
    setBusy(true)
    setDoing(isLast)
    try {
      const said = await step.run(answers, !isLast, once)
      // Other answers are rehearsed again.
      if (isLast || typings.current === typed) setSaid(said)
      setDone(isLast)
      if (isLast) drop()
    } catch (error) {
      setSaid(null)
      setProblem(typeof error === 'string' ? error : <Words error={error} />)
    }
    setBusy(false)
    setDoing(false)
    setAsked(false)
  }
  // What is on its way may be done whether the dialog is there or not.
  const mayEnd = () => {
    setAsked(isDoing)
    return !isDoing && mayClose()
  }
  return (
    <Dialog title={step.title} onClose={onClose} mayClose={mayEnd}>
      <form
        ref={form}
        className="fields"
        // The browser would refuse in its own language, not in that of the window.
        noValidate
        onSubmit={(event) => void submit(event)}
        // A double click and a key that is held down are one answer.
        onClickCapture={(event) => {
          if (event.detail > 1 && (event.target as Element).closest('[type=submit]')) event.preventDefault()
        }}
        onKeyDown={(event) => {
          if (event.repeat && event.key === 'Enter') event.preventDefault()
        }}
        onInput={() => {
          typings.current++
          note()
          if (isDoing) return
          setSaid(null)
          setProblem(null)
        }}
      >
        {!isDone && step.fields}
        <div role="status">
          {isRehearsed && <b>{isDone ? own.isDone : own.wouldDo}</b>} {said}
        </div>
        <p ref={refusal} className="refusal" role="alert">
          {isAsked ? own.onItsWay : isWarned ? own.escapeDrops : problem}
        </p>
        <div className="actions">
          {isDone ? (
            <CloseButton of={step.title} onClose={onClose} isPrimary />
          ) : (
            <>
              <button
                type="button"
                onClick={() => {
                  if (isDoing) return setAsked(true)
                  drop()
                  onClose()
                }}
              >
                {texts.cancel}
              </button>
              <button
                type="submit"
                className={isLast && step.isDangerous ? 'danger' : 'primary'}
                aria-disabled={isBusy}
              >
                {isLast ? step.name : own.rehearse}
              </button>
            </>
          )}
        </div>
      </form>
    </Dialog>
  )
}

const OpenStep = createContext<(step: StepOf) => void>(() => undefined)

/** The part of a page whose buttons open steps. A step stays open when its button goes, for example with its lot. */
export function Stage({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<StepOf | null>(null)
  const content = useRef<HTMLDivElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    const hasClosed = wasOpen.current && open === null
    wasOpen.current = open !== null
    if (!hasClosed) return undefined
    // The button that opened the step may go later, when the page learns what the step has done.
    const keepFocus = () => {
      if (document.activeElement === document.body) content.current!.focus({ preventScroll: true })
    }
    keepFocus()
    const observer = new MutationObserver(keepFocus)
    observer.observe(content.current!, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [open])
  return (
    <OpenStep value={setOpen}>
      <div ref={content} className="stage" tabIndex={-1}>
        {children}
      </div>
      {open && <Step step={open} onClose={() => setOpen(null)} />}
    </OpenStep>
  )
}

/** Buttons that open a step each. */
export function Steps({ steps }: { steps: StepOf[] }) {
  const open = use(OpenStep)
  return (
    <span className="steps">
      {steps.map((step) => {
        const { title, name, label = name } = step
        return (
          <button
            key={label}
            type="button"
            aria-label={title.startsWith(label) ? title : `${label}: ${title}`}
            onClick={() => open(step)}
          >
            {label}
          </button>
        )
      })}
    </span>
  )
}
