import { useEffectEvent, useLayoutEffect } from 'react'

/**
 * Listens to the keys of a page, wherever its focus is. Fields and dialogs keep theirs, and what is pressed together with
 * Control, Alt or Meta belongs to the browser.
 */
export function useKeys(listen: (event: KeyboardEvent, target: Element) => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as Element
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
    if (target.closest('textarea, select, input:not([type=checkbox]), [role=grid]')) return
    if (document.querySelector('dialog[open]') === null) listen(event, target)
  })
  // Before the browser shows what listens: whoever sees it may press a key.
  useLayoutEffect(() => {
    const pass = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', pass)
    return () => document.removeEventListener('keydown', pass)
  }, [])
}
