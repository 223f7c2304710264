import { useEffect, useRef, type ReactNode } from 'react'

/** A modal dialog of the browser: it holds the focus, and Escape or a click beside it closes it. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current!.showModal(), [])
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className="dialog">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
