import { startTransition, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Lots that are drawn between two answers to the user. */
const step = 100

/**
 * How many of `count` lots are drawn: a few more at a time, so that the page goes on answering. A print has all of them.
 */
export function useDrawn(count: number): number {
  const [drawn, setDrawn] = useState(step)
  useEffect(() => {
    if (drawn >= count) return undefined
    const timer = setTimeout(() => startTransition(() => setDrawn(drawn + step)))
    return () => clearTimeout(timer)
  }, [drawn, count])
  // A print may come as soon as the first lots are drawn, before other effects run.
  useLayoutEffect(() => {
    const drawAll = () => flushSync(() => setDrawn(Infinity))
    addEventListener('beforeprint', drawAll)
    return () => removeEventListener('beforeprint', drawAll)
  }, [])
  return Math.min(drawn, count)
}
