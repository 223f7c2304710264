import { useEffect, useRef, type ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'

// Where a dialog begins: the first of these that it has.
const begins = ['[data-begin]', 'input, select, textarea, [type=submit]', '.actions button']

/**
 * A modal dialog of the browser. It begins at its first field, or without one at its first button, unless `data-begin`
 * marks another; so again if that disappears with the focus. It holds the focus, and Escape or a click beside it closes
 * it, if it may. Then the focus returns to the button that opened it.
 */
export function Dialog(props: { title: string; onClose: () => void; mayClose?: () => boolean; children: ReactNode }) {
  const { title, onClose, mayClose = () => true, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => {
    if (mayClose()) onClose()
  }
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null
    dialog.current!.showModal()
    // The browser would choose the content, which has the focus only while nothing else can.
    content.current!.focus()
    return () => opener?.focus({ preventScroll: true })
  }, [])
  // A press inside that is released beside it, as when a text is selected, is a click on the dialog too.
  const isPressedBeside = useRef(false)
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { activeElement } = document
    if (activeElement !== content.current && dialog.current!.contains(activeElement)) return
    const found = begins.map((each) => content.current!.querySelector<HTMLElement>(each)).find((each) => each !== null)
    ;(found ?? content.current!).focus()
  })
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      // Before the browser closes it, which it tells only after the next key: that key would be lost.
      onKeyDown={(event) => {
        const isMine = !event.defaultPrevented && (event.target as Element).closest('dialog') === dialog.current
        const { isComposing, keyCode } = event.nativeEvent
        // Safari ends a composition with an Escape of this code.
        if (event.key !== 'Escape' || isComposing || keyCode === 229 || !isMine) return
        event.preventDefault()
        if (!event.repeat) close()
      }}
      // A gesture that closes it. The browser closes it at the second one, whatever the first one was told.
      onClose={() => (mayClose() ? onClose() : dialog.current!.showModal())}
      onCancel={(event) => {
        if (event.target === dialog.current && !mayClose()) event.preventDefault()
      }}
      onPointerDown={({ target }) => (isPressedBeside.current = target === dialog.current)}
      onClick={({ target }) => {
        if (isPressedBeside.current && target === dialog.current) close()
      }}
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
