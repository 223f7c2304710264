import { useState, type FormEvent } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { useTexts } from '../texts/texts.tsx'
import { useStaffTexts } from './texts/texts.ts'

/** Asks whether a lot is withdrawn. */
export function AskWithdrawal({ number, onAnswer }: { number: string; onAnswer: (isSure: boolean) => void }) {
  const texts = useTexts()
  const own = useStaffTexts()
  return (
    <Dialog title={own.withdrawQuestion(number)} onClose={() => onAnswer(false)}>
      <p>{own.withdrawHelp}</p>
      <div className="actions">
        <button type="button" onClick={() => onAnswer(false)}>
          {texts.cancel}
        </button>
        <button type="button" className="danger" onClick={() => onAnswer(true)}>
          {own.withdraw}
        </button>
      </div>
    </Dialog>
  )
}

/** Asks for the number of a lot. `onAnswer` returns why the number is refused, or null. */
export function AskNumber(props: {
  title: string
  help?: string
  onClose: () => void
  onAnswer: (number: number) => string | null
}) {
  const { title, help, onClose, onAnswer } = props
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
