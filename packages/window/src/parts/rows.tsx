import { startTransition, useEffect, useLayoutEffect, useRef, useState, type ReactElement, type RefObject } from 'react'
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
 * the place of others. A print has all, and so has the browser's search by Ctrl+F. `shown`: the place of one that is drawn wherever the view is.
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
  const view = useRef<View>({ top: null, focused: null, isToEnd: false })
  useEffect(() => {
    const look = () => {
      // The list may be gone before its listeners are.
      if (!list.current) return
      const near = findNear(list)
      if (near.length > 0) setDrawn((last) => new Set([...last, ...near]))
      else view.current.isToEnd = false
      Object.assign(view.current, findView(list.current))
    }
    // Narrow rows are higher: the one at the top of the view stays there.
    const keepTop = () => {
      if (!list.current) return
      const { top } = view.current
      flushSync(() => setHeight((last) => findHeight(list.current!) || last))
      if (top?.row.isConnected) {
        const now = top.row.getBoundingClientRect()
        scrollBy({ top: now.top + top.part * now.height, behavior: 'instant' })
      }
      look()
    }
    // What is drawn on the way to the end changes how far it is.
    const goToEnd = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      view.current.isToEnd = key === 'End' && !defaultPrevented && !(target as Element).matches('input, select')
      if (!view.current.isToEnd) return
      showEnd()
      look()
    }
    const letGo = () => void (view.current.isToEnd = false)
    look()
    for (const event of ['scroll', 'focusin']) addEventListener(event, look, { passive: true })
    addEventListener('resize', keepTop)
    addEventListener('keydown', goToEnd)
    for (const event of ['wheel', 'pointerdown']) addEventListener(event, letGo, { passive: true })
    return () => {
      for (const event of ['scroll', 'focusin']) removeEventListener(event, look)
      removeEventListener('resize', keepTop)
      removeEventListener('keydown', goToEnd)
      for (const event of ['wheel', 'pointerdown']) removeEventListener(event, letGo)
    }
  })
  useLayoutEffect(() => setHeight((last) => findHeight(list.current!) || last), [of.length])
  useLayoutEffect(() => {
    if (view.current.isToEnd) showEnd()
  }, [drawn])
  // A row that moves takes the view along with the focus.
  useLayoutEffect(() => {
    const { focused } = view.current
    if (focused && focused === document.activeElement && !isSeen(focused)) focused.scrollIntoView({ block: 'center' })
  }, [of])
  // A print may come as soon as the first rows are drawn, before other effects run. The browser's search looks through
  // all rows while its words are typed.
  useLayoutEffect(() => {
    const drawAll = () => setDrawn(new Set(Array(count).keys()))
    const print = () => flushSync(drawAll)
    const search = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
      if ((key === 'f' || key === 'F') && (ctrlKey || metaKey)) startTransition(drawAll)
    }
    addEventListener('beforeprint', print)
    addEventListener('keydown', search)
    return () => {
      removeEventListener('beforeprint', print)
      removeEventListener('keydown', search)
    }
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

/**
 * What stays in the view: the row at its top and how much of that is above it, and the element of the list that has the
 * focus, if it is seen. `isToEnd`: the end was asked for, and not all rows near it are drawn.
 */
type View = { top: { row: Element; part: number } | null; focused: Element | null; isToEnd: boolean }

function findView(list: HTMLElement): Pick<View, 'top' | 'focused'> {
  let [first, last] = [0, list.children.length - 1]
  while (first < last) {
    const middle = Math.floor((first + last) / 2)
    if (list.children[middle]!.getBoundingClientRect().bottom > 0) last = middle
    else first = middle + 1
  }
  const row = list.children[first]
  const { top = 0, height = 0 } = row?.getBoundingClientRect() ?? {}
  const focused = document.activeElement
  return {
    top: row && top < 0 ? { row, part: -top / height } : null,
    focused: focused && list.contains(focused) && isSeen(focused) ? focused : null,
  }
}

function isSeen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

const showEnd = () => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })

/** The height of one of the first rows, which are always drawn; 0 without rows. */
function findHeight({ children }: HTMLElement): number {
  const count = Math.min(together, children.length)
  if (count === 0) return 0
  return (children[count - 1]!.getBoundingClientRect().bottom - children[0]!.getBoundingClientRect().top) / count
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
