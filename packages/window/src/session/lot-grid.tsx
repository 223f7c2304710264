import type { Session } from '@auction-catalogue/client'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Lot } from '../api/index.ts'
import { useKeys } from '../parts/keys.ts'
import { useSettings } from '../settings.ts'
import { useTexts } from '../texts/texts.tsx'
import { LotCard } from './lot-card.tsx'
import { readMarkedLot, takeMarkedLot } from './place.ts'

type Layout = { columns: number; width: number; gap: number; text: number; top: number }

// The same proportions as in wall.css. Every row has the same height, so nothing has to be measured while scrolling.
function layOut(width: number, top: number): Layout {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
  const gap = width < 600 ? rem : 1.75 * rem
  const columns = Math.max(2, Math.floor((width + gap) / ((width < 600 ? 9.5 : 13) * rem + gap)))
  return { columns, width: (width - gap * (columns - 1)) / columns, gap, text: 8.6 * rem, top }
}

function subscribeToView(listener: () => void) {
  for (const event of ['scroll', 'resize']) addEventListener(event, listener, { passive: true })
  return () => {
    for (const event of ['scroll', 'resize']) removeEventListener(event, listener)
  }
}

/** The first and the last row in view, of rows of a height that begin at a place of the page, in pixels. */
function useRowsInView(height: number, top: number): [first: number, last: number] {
  const read = () => [scrollY, scrollY + innerHeight].map((edge) => Math.floor((edge - top) / height)).join()
  return useSyncExternalStore(subscribeToView, read).split(',').map(Number) as [number, number]
}

// Rows beyond each edge that are drawn already.
const beyond = 2
// The bar covers so many pixels at the top of the page.
const covered = 120

/**
 * The photographs of lots in rows, of which only those in view exist. Arrow keys, Home and End move, Enter opens, `x`
 * selects, regardless of the focus. `onSelect` is absent if no lot can be selected.
 */
export function LotGrid(props: {
  session: Session
  lots: Lot[]
  selection: ReadonlySet<string>
  onSelect?: ((selection: ReadonlySet<string>) => void) | undefined
}) {
  const { session, lots, selection, onSelect } = props
  const texts = useTexts()
  const list = useRef<HTMLUListElement>(null)
  const [layout, setLayout] = useState<Layout | null>(null)
  const [from] = useState(readMarkedLot)
  const [marked, setMarked] = useState({ index: 0, id: from ?? '' })
  const anchor = useRef('')
  const navigate = useNavigate()
  const { hasShortcuts } = useSettings()

  useLayoutEffect(() => {
    const element = list.current!
    const adapt = () => {
      const { width, top } = element.getBoundingClientRect()
      if (width === 0) return
      const next = layOut(width, top + scrollY)
      setLayout((last) => (last && JSON.stringify(last) === JSON.stringify(next) ? last : next))
    }
    adapt()
    const observer = new ResizeObserver(adapt)
    observer.observe(element)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])

  // A lot that a filter or a change moves stays current. If it disappears, the lot in its place becomes current.
  const placeOf = (id: string) => lots.findIndex((lot) => lot.id === id)
  const place = placeOf(marked.id)
  const current = place < 0 ? Math.max(0, Math.min(marked.index, lots.length - 1)) : place
  const columns = layout?.columns ?? 1
  const currentRow = Math.floor(current / columns)
  const count = Math.ceil(lots.length / columns)
  const height = layout === null ? 1 : layout.width + layout.text + layout.gap
  const top = layout?.top ?? 0
  const [first, last] = useRowsInView(height, top)
  // The row with the focus stays, however far the user scrolls.
  const drawn = Array.from({ length: count }, (_, row) => row).filter(
    (row) => row === currentRow || (row >= first - beyond && row <= last + beyond),
  )
  // The user comes back from the page of a lot, which may be far from the one that was opened.
  const isBack = from !== undefined && layout !== null && placeOf(from) >= 0
  useEffect(() => {
    if (isBack && takeMarkedLot() === from) move(current)
  }, [isBack])

  const move = (to: number) => {
    const index = Math.max(0, Math.min(lots.length - 1, to))
    setMarked({ index, id: lots[index]!.id })
    const start = top + Math.floor(index / columns) * height
    if (start - covered < scrollY) scrollTo({ top: start - covered })
    else if (start + height > scrollY + innerHeight) scrollTo({ top: start + height - innerHeight })
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus())
  }
  const select = (index: number, isRange: boolean) => {
    if (onSelect === undefined) return
    const next = new Set(selection)
    const isOn = !selection.has(lots[index]!.id)
    const begun = isRange ? placeOf(anchor.current) : -1
    const [from, to] = begun < 0 ? [index, index] : [Math.min(begun, index), Math.max(begun, index)]
    for (const lot of lots.slice(from, to + 1)) {
      if (isOn) next.add(lot.id)
      else next.delete(lot.id)
    }
    anchor.current = lots[index]!.id
    onSelect(next)
  }
  // The same function at every drawing, so that only the cards that change are drawn again.
  const latestSelect = useRef(select)
  useLayoutEffect(() => {
    latestSelect.current = select
  })
  const selectLatest = useCallback((index: number, isRange: boolean) => latestSelect.current(index, isRange), [])
  useKeys((event, target) => {
    const isHere = list.current!.contains(target)
    // From outside the grid an arrow leads to the current lot, or to the first in view.
    const entry = currentRow < first || currentRow > last ? Math.max(0, first) * columns : current
    const steps: Record<string, number> = {
      ArrowRight: isHere ? current + 1 : entry,
      ArrowLeft: isHere ? current - 1 : entry,
      ArrowDown: isHere ? current + columns : entry,
      ArrowUp: isHere ? current - columns : entry,
      Home: 0,
      End: lots.length - 1,
    }
    const to = steps[event.key]
    const isSpace = event.key === ' ' && target.closest('button, input') === null
    const lot = lots[entry]
    if (lots.length > 0 && to !== undefined) move(to)
    else if (event.key === 'Enter' && lot && target.closest('a, button, input, summary') === null)
      void navigate({ to: '/sessions/$session/lots/$lot', params: { session: session.id, lot: lot.id } })
    else if (isHere && (isSpace || (hasShortcuts && event.key.toLowerCase() === 'x'))) select(current, event.shiftKey)
    else return
    event.preventDefault()
  })

  return (
    <ul
      ref={list}
      className="wall"
      aria-label={texts.wall}
      aria-describedby="wall-keys"
      style={{ height: layout === null ? 0 : count * height }}
    >
      {layout !== null &&
        drawn.flatMap((row) =>
          lots.slice(row * columns, (row + 1) * columns).map((lot, column) => {
            const index = row * columns + column
            return (
              <LotCard
                key={lot.id}
                lot={lot}
                session={session}
                index={index}
                count={lots.length}
                x={column * (layout.width + layout.gap)}
                y={row * height}
                width={layout.width}
                isCurrent={index === current}
                onFocus={setMarked}
                isSelected={selection.has(lot.id)}
                onSelect={onSelect && selectLatest}
              />
            )
          }),
        )}
      <li id="wall-keys" hidden>
        {texts.keysHelp}
      </li>
    </ul>
  )
}
