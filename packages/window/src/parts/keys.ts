import { useEffectEvent, useLayoutEffect } from 'react'

/**
 * Listens to the keys of a page, regardless of the focus. Fields and dialogs keep theirs, and combinations with
 * Control, Alt or Meta belong to the browser.
 */
export function useKeys(listen: (event: KeyboardEvent, target: Element) => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as Element
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
    if (target.closest('textarea, select, input:not([type=checkbox]), [role=grid]')) return
    if (document.querySelector('dialog[open]') === null) listen(event, target)
  })
  // Listens before the browser shows the page: the user may press a key at once.
  useLayoutEffect(() => {
    const pass = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', pass)
    return () => document.removeEventListener('keydown', pass)
  }, [])
}
