import { startTransition, useEffect, useState } from 'react'

/** Lots that are drawn between two answers to the user. */
const step = 100

/** How many of `count` lots are drawn: a few more at a time, so that the page goes on answering. */
export function useDrawn(count: number): number {
  const [drawn, setDrawn] = useState(step)
  useEffect(() => {
    if (drawn >= count) return undefined
    const timer = setTimeout(() => startTransition(() => setDrawn(drawn + step)))
    return () => clearTimeout(timer)
  }, [drawn, count])
  return Math.min(drawn, count)
}
