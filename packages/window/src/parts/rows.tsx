import { useEffect, useLayoutEffect, useRef, useState, type ReactElement, type RefObject } from 'react'
import { flushSync } from 'react-dom'

// So many rows are drawn together, so many times between two answers to the user, and so far from the view.
const together = 50
const atOnce = 2
const around = 250
// The height of a row in pixels, until one is measured.
const usual = 80

const blocksOf = (count: number) => Math.ceil(count / together)

/**
 * The rows of a table, or the elements of a list, of thousands. Those near the view are drawn, and stay; a blank one has
 * the place of others. A print has all. `shown`: the place of one that is drawn wherever the view is.
 */
export function Rows<Of>(props: {
  of: readonly Of[]
  as?: 'tbody' | 'ul'
  shown?: number | undefined
  children: (each: Of, index: number) => ReactElement
}) {
  const { of, as: List = 'tbody', shown = 0, children } = props
  const list = useRef<HTMLTableSectionElement & HTMLUListElement>(null)
  const [drawn, setDrawn] = useState<ReadonlySet<number>>(new Set([0]))
  const [height, setHeight] = useState(usual)
  const count = blocksOf(of.length)
  useEffect(() => {
    const look = () => {
      const near = findNear(list)
      if (near.length > 0) setDrawn((last) => new Set([...last, ...near]))
    }
    look()
    for (const event of ['scroll', 'resize']) addEventListener(event, look, { passive: true })
    return () => {
      for (const event of ['scroll', 'resize']) removeEventListener(event, look)
    }
  })
  useLayoutEffect(() => {
    const all = list.current!.children
    const last = Math.min(together, of.length) - 1
    const high =
      last < 0 ? 0 : (all[last]!.getBoundingClientRect().bottom - all[0]!.getBoundingClientRect().top) / (last + 1)
    if (high > 0) setHeight(high)
  }, [of.length])
  // A print may come as soon as the first rows are drawn, before other effects run.
  useLayoutEffect(() => {
    const drawAll = () => flushSync(() => setDrawn(new Set(Array(count).keys())))
    addEventListener('beforeprint', drawAll)
    return () => removeEventListener('beforeprint', drawAll)
  }, [count])
  const rows: ReactElement[] = []
  const isDrawn = (block: number) => drawn.has(block) || block === Math.floor(shown / together)
  for (let block = 0; block < count; block++) {
    const from = block * together
    if (isDrawn(block)) {
      for (const [index, each] of of.slice(from, from + together).entries()) rows.push(children(each, from + index))
      continue
    }
    while (block + 1 < count && !isDrawn(block + 1)) block++
    const to = Math.min(of.length, (block + 1) * together)
    const place = { 'aria-hidden': true, 'data-from': from, 'data-to': to, style: { height: (to - from) * height } }
    rows.push(
      List === 'ul' ? (
        <li key={from} {...place} />
      ) : (
        <tr key={from} {...place}>
          <td colSpan={99} />
        </tr>
      ),
    )
  }
  return <List ref={list}>{rows}</List>
}

/** The next blocks to draw: those that are fewer than some rows away from the view, the nearest first. */
function findNear(list: RefObject<HTMLElement | null>): number[] {
  const near: { block: number; away: number }[] = []
  for (const blank of list.current!.querySelectorAll<HTMLElement>(':scope > [data-from]')) {
    const [from, to] = [Number(blank.dataset['from']), Number(blank.dataset['to'])]
    const { top, height } = blank.getBoundingClientRect()
    const [first, last] = [0, innerHeight].map((edge) => from + ((edge - top) / height) * (to - from)) as [
      number,
      number,
    ]
    const begin = Math.floor(Math.max(from, first - around) / together)
    for (let block = begin; block * together < Math.min(to, last + around); block++)
      near.push({ block, away: Math.max(0, first - (block + 1) * together, block * together - last) })
  }
  return near
    .toSorted((one, other) => one.away - other.away)
    .slice(0, atOnce)
    .map(({ block }) => block)
}
