import { useEffect, useRef, type ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'

/**
 * A modal dialog of the browser: it holds the focus, and Escape or a click beside it closes it. Then the focus returns to
 * the button that opened it. If a button inside disappears with the focus, the dialog has it.
 */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null
    dialog.current!.showModal()
    return () => opener?.focus({ preventScroll: true })
  }, [])
  // A press inside that is released beside it, as when a text is selected, is a click on the dialog too.
  const isPressedBeside = useRef(false)
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!dialog.current!.contains(document.activeElement)) content.current!.focus()
  })
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      onPointerDown={({ target }) => (isPressedBeside.current = target === dialog.current)}
      onClick={({ target }) => isPressedBeside.current && target === dialog.current && dialog.current.close()}
    >
      <div className="dialog" ref={content} tabIndex={-1}>
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** Closes what has this name. */
export function CloseButton({ of, onClose, isPrimary }: { of: string; onClose: () => void; isPrimary?: boolean }) {
  const texts = useTexts()
  return (
    <button
      type="button"
      aria-label={`${texts.close}: ${of}`}
      onClick={onClose}
      {...(isPrimary && { className: 'primary' })}
    >
      {texts.close}
    </button>
  )
}
