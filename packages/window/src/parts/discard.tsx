import { useState } from 'react'
import { useTexts } from '../texts/texts.tsx'

/** Discards what was typed, at the second press. */
export function Discard(props: { isBusy?: boolean; onDiscard: () => void }) {
  const { isBusy = false, onDiscard } = props
  const texts = useTexts()
  const [isAsked, setAsked] = useState(false)
  return (
    <button
      type="button"
      className="plain"
      aria-disabled={isBusy}
      onBlur={() => setAsked(false)}
      // A double click is one press.
      onClick={({ detail }) => {
        if (isBusy || detail > 1) return
        setAsked(!isAsked)
        if (isAsked) onDiscard()
      }}
    >
      {isAsked ? texts.discardAgain : texts.discard}
    </button>
  )
}
