let observer: MutationObserver | undefined

/** Focuses the heading of the page as soon as it is there, unless something else has the focus by then. */
export function focusHeading(): void {
  observer?.disconnect()
  observer = new MutationObserver(focus)
  observer.observe(document.getElementById('content')!, { childList: true, subtree: true })
  focus()
}

function focus(): void {
  if (document.activeElement !== document.body) return observer?.disconnect()
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading === null) return undefined
  observer?.disconnect()
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  return undefined
}
