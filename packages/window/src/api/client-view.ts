import { useSyncExternalStore } from 'react'

// The tab keeps it through reloads: a client may be looking.
const kept = 'client view'
let isOn = sessionStorage.getItem(kept) !== null
const listeners = new Set<() => void>()

/** Shows the pages to a client, without the tools and the records of staff, or to staff again. */
export function showToClient(next: boolean): void {
  isOn = next
  if (next) sessionStorage.setItem(kept, 'on')
  else sessionStorage.removeItem(kept)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether staff show this tab to a client. */
export const useClientView = (): boolean => useSyncExternalStore(subscribe, () => isOn)
