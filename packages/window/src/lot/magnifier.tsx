import type { GalleryImage } from '@auction-catalogue/client'
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { CloseButton } from '../parts/dialog.tsx'
import { Placeholder } from '../parts/placeholder.tsx'
import { useTexts } from '../texts/texts.tsx'

/** The part of the picture that is shown: how large, and how far its middle is from that of the frame, in pixels. */
type View = { scale: number; x: number; y: number }

const whole: View = { scale: 1, x: 0, y: 0 }
const largest = 8
const step = 1.5
const stride = 80

const between = (value: number, most: number) => Math.min(most, Math.max(-most, value))

/** Moves and enlarges a view about a point. The picture never leaves its frame. */
function useView() {
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState(whole)
  const change = (by: number, dx = 0, dy = 0, point = { x: 0, y: 0 }) =>
    setView((last) => {
      const scale = Math.min(largest, Math.max(1, last.scale * by))
      const part = scale / last.scale
      const { clientWidth, clientHeight } = frame.current!
      return {
        scale,
        x: between(point.x - (point.x - last.x) * part + dx, (clientWidth * (scale - 1)) / 2),
        y: between(point.y - (point.y - last.y) * part + dy, (clientHeight * (scale - 1)) / 2),
      }
    })
  /** A point of the window, from the middle of the frame. */
  const locate = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left, top, width, height } = frame.current!.getBoundingClientRect()
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
  }
  return { frame, view, change, locate, reset: () => setView(whole) }
}

/**
 * A picture from near, in its widest source. Wheel, pinch, the keys + − 0 and the arrows, and buttons enlarge and move it;
 * Escape closes it.
 */
export function Magnifier(props: {
  image: GalleryImage
  alt: { alt: string; lang?: string | undefined }
  onClose: () => void
}) {
  const { image, alt, onClose } = props
  const texts = useTexts()
  const dialog = useRef<HTMLDialogElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { frame, view, change, locate, reset } = useView()
  const fingers = useRef(new Map<number, { x: number; y: number }>())
  const [isLoaded, setLoaded] = useState(false)
  const source = image.sources.at(-1) ?? { url: image.url!, width: image.width, height: image.height }
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null
    dialog.current!.showModal()
    frame.current!.focus()
    return () => opener?.focus({ preventScroll: true })
  }, [frame])
  useEffect(() => {
    const turn = (event: WheelEvent) => {
      event.preventDefault()
      // Trackpads report a pinch as a turn of the wheel with Control, in small steps.
      change(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), 0, 0, locate(event))
    }
    const { current } = frame
    // React's own listener cannot keep the page from scrolling.
    current!.addEventListener('wheel', turn, { passive: false })
    return () => current!.removeEventListener('wheel', turn)
  })
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { key } = event
    if (key === '+' || key === '=') change(step)
    else if (key === '-' || key === '_') change(1 / step)
    else if (key === '0') reset()
    else if (key === 'ArrowLeft') change(1, stride)
    else if (key === 'ArrowRight') change(1, -stride)
    else if (key === 'ArrowUp') change(1, 0, stride)
    else if (key === 'ArrowDown') change(1, 0, -stride)
    else return
    event.preventDefault()
  }
  const drag = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId)
    if (before === undefined) return
    const now = locate(event)
    const [other] = [...fingers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point)
    fingers.current.set(event.pointerId, now)
    if (other === undefined) return change(1, now.x - before.x, now.y - before.y)
    const away = (point: { x: number; y: number }) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y))
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
    change(away(now) / away(before), (now.x - before.x) / 2, (now.y - before.y) / 2, middle)
  }
  const release = ({ pointerId }: PointerEvent) => void fingers.current.delete(pointerId)
  const fill = () =>
    void (document.fullscreenElement ? document.exitFullscreen() : content.current!.requestFullscreen()).catch(
      () => undefined,
    )
  return (
    <dialog ref={dialog} className="magnifier" aria-label={texts.magnifier} onClose={onClose} onKeyDown={press}>
      <div ref={content} className="magnified">
        <div
          ref={frame}
          className="near"
          role="group"
          aria-label={texts.magnifierHelp}
          tabIndex={0}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            fingers.current.set(event.pointerId, locate(event))
          }}
          onPointerMove={drag}
          onPointerUp={release}
          onPointerCancel={release}
          onDoubleClick={(event) => (view.scale > 1 ? reset() : change(step * step, 0, 0, locate(event)))}
        >
          <div style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}>
            {image.placeholder && !isLoaded && <Placeholder hash={image.placeholder} />}
            <img
              src={source.url}
              width={source.width ?? undefined}
              height={source.height ?? undefined}
              {...alt}
              draggable={false}
              onLoad={() => setLoaded(true)}
            />
          </div>
        </div>
        <div className="magnifier-tools">
          <button type="button" aria-label={texts.smaller} onClick={() => change(1 / step)}>
            −
          </button>
          <output>{Math.round(view.scale * 100)} %</output>
          <button type="button" aria-label={texts.larger} onClick={() => change(step)}>
            +
          </button>
          <button type="button" onClick={reset}>
            {texts.wholePicture}
          </button>
          {document.fullscreenEnabled && (
            <button type="button" onClick={fill}>
              {texts.fullScreen}
            </button>
          )}
          <CloseButton of={texts.magnifier} onClose={() => dialog.current!.close()} />
        </div>
      </div>
    </dialog>
  )
}
