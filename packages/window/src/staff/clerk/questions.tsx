import type { LotId } from '@auction-catalogue/client'
import { useState, type FormEvent } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { useKeptForm } from '../../parts/drafts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Reason } from '../session-steps.tsx'
import { useStaffTexts } from '../texts/texts.ts'

/**
 * Asks whether a lot is withdrawn, and why. It begins at *Cancel*: digits and Enter, typed for the next lot, must not
 * withdraw this one. `onAnswer` gets the reason, which may be empty, or null.
 */
export function AskWithdrawal(props: {
  lot: LotId
  number: string
  doubt: string
  onAnswer: (reason: string | null) => void
}) {
  const { lot, number, doubt, onAnswer } = props
  const texts = useTexts()
  const own = useStaffTexts()
  const { form, note, drop, mayClose, isWarned } = useKeptForm(`withdrawal ${lot}`)
  return (
    <Dialog title={own.withdrawQuestion(number)} onClose={() => onAnswer(null)} mayClose={mayClose}>
      <p>{own.withdrawHelp}</p>
      {doubt && <p className="refusal">{doubt}</p>}
      <form
        ref={form}
        className="fields"
        onInput={note}
        onSubmit={(event) => {
          event.preventDefault()
          drop()
          onAnswer(new FormData(event.currentTarget).get('reason') as string)
        }}
      >
        <Reason isOptional />
        <p className="refusal" role="alert">
          {isWarned && own.escapeDrops}
        </p>
        <div className="actions">
          <button
            type="button"
            data-begin
            onClick={() => {
              drop()
              onAnswer(null)
            }}
          >
            {texts.cancel}
          </button>
          <button type="submit" className="danger">
            {own.withdraw}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Asks for the number of a lot, and says a doubt about what the answer does. `onAnswer` returns why the number is refused, or null. */
export function AskNumber(props: {
  title: string
  help?: string
  doubt?: string
  onClose: () => void
  onAnswer: (number: number) => string | null
}) {
  const { title, help, doubt, onClose, onAnswer } = props
  const texts = useTexts()
  const own = useStaffTexts()
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const refusal = onAnswer(Number(new FormData(event.currentTarget).get('number')))
    if (refusal === null) onClose()
    else setProblem(refusal)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {help && <p>{help}</p>}
      {doubt && <p className="refusal">{doubt}</p>}
      <form className="fields" onSubmit={submit}>
        <label>
          {own.lotNumber}
          <input
            name="number"
            inputMode="numeric"
            autoComplete="off"
            aria-invalid={problem !== null}
            aria-describedby="number-problem"
          />
        </label>
        <p id="number-problem" className="refusal" role="alert">
          {problem}
        </p>
        <div className="actions">
          <button type="button" onClick={onClose}>
            {texts.cancel}
          </button>
          <button type="submit" className="primary">
            {own.ok}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
