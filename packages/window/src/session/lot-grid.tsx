import type { Session } from '@auction-catalogue/client'
import { useNavigate } from '@tanstack/react-router'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
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
  return { columns, width: (width - gap * (columns - 1)) / columns, gap, text: (width < 600 ? 8.6 : 7.25) * rem, top }
}

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
  const rows = useWindowVirtualizer({
    count: layout === null ? 0 : Math.ceil(lots.length / columns),
    estimateSize: () => (layout === null ? 0 : layout.width + layout.text + layout.gap),
    overscan: 2,
    scrollMargin: layout?.top ?? 0,
    scrollPaddingStart: 120,
    // The row with the focus stays, however far the user scrolls.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return shown.includes(currentRow) || currentRow >= range.count ? shown : [...shown, currentRow]
    },
  })
  useEffect(() => rows.measure(), [layout, rows])
  // The user comes back from the page of a lot, which may be far from the one that was opened.
  const isBack = from !== undefined && layout !== null && placeOf(from) >= 0
  useEffect(() => {
    if (isBack && takeMarkedLot() === from) move(current)
  }, [isBack])

  const move = (to: number) => {
    const index = Math.max(0, Math.min(lots.length - 1, to))
    setMarked({ index, id: lots[index]!.id })
    rows.scrollToIndex(Math.floor(index / columns), { align: 'auto' })
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
    const isOutOfView = rows.range && (currentRow < rows.range.startIndex || currentRow > rows.range.endIndex)
    // From outside the grid an arrow leads to the current lot, or to the first in view.
    const entry = isOutOfView ? rows.range!.startIndex * columns : current
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
      style={{ height: rows.getTotalSize() }}
    >
      {layout !== null &&
        rows.getVirtualItems().flatMap((row) =>
          lots.slice(row.index * columns, (row.index + 1) * columns).map((lot, column) => {
            const index = row.index * columns + column
            return (
              <LotCard
                key={lot.id}
                lot={lot}
                session={session}
                index={index}
                count={lots.length}
                x={column * (layout.width + layout.gap)}
                y={row.start - layout.top}
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
