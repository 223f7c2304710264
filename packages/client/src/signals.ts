const callbacksOf = new WeakMap<AbortSignal, { all: Set<() => void>; run: () => void }>()

/**
 * Calls back when a signal aborts. Returns the function that ends this. All callbacks share one listener of the signal:
 * Node warns of more than ten.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (!signal) return () => undefined
  const callbacks = callbacksOf.get(signal) ?? listen(signal)
  callbacks.all.add(callback)
  return () => {
    callbacks.all.delete(callback)
    if (callbacks.all.size > 0 || callbacksOf.get(signal) !== callbacks) return
    callbacksOf.delete(signal)
    signal.removeEventListener('abort', callbacks.run)
  }
}

function listen(signal: AbortSignal) {
  const all = new Set<() => void>()
  const run = () => {
    for (const callback of all) callback()
  }
  const callbacks = { all, run }
  callbacksOf.set(signal, callbacks)
  signal.addEventListener('abort', run, { once: true })
  return callbacks
}
