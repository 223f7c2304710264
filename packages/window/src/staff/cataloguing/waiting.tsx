import { useEffect, useRef, useState } from 'react'
import { connection, useHouse } from '../../api/index.ts'
import type { Picture } from '../../pictures/uploads.tsx'
import { useStaffTexts } from '../texts/texts.ts'

// A file cannot be kept like text, so only the tab has it, until the person leaves or signs out.
const waiting = new Map<string, readonly Picture[]>()
addEventListener('beforeunload', (event) => {
  if ([...waiting.values()].some((pictures) => pictures.length > 0)) event.preventDefault()
})
connection.subscribe(() => {
  const { key, signedOut } = connection.read()
  if (key === null && signedOut === null) waiting.clear()
})

/** The pictures that wait for an item that is not made yet, by the name of its draft. */
export function useWaiting(draft: string): [readonly Picture[], (pictures: readonly Picture[]) => void] {
  const name = `${useHouse()!.name} ${draft}`
  const [pictures, setPictures] = useState(() => waiting.get(name) ?? [])
  const keep = (next: readonly Picture[]) => {
    waiting.set(name, next)
    setPictures(next)
  }
  return [pictures, keep]
}

/** The pictures of an item that is not made yet: they are sent once it is. */
export function Waiting(props: { pictures: readonly Picture[]; onRemove: (picture: Picture) => void }) {
  const { pictures, onRemove } = props
  const own = useStaffTexts().cataloguing
  if (pictures.length === 0) return null
  return (
    <>
      <p className="quiet" role="status">
        {own.picturesWait(pictures.length)}
      </p>
      <ul className="waiting">
        {pictures.map((picture, index) => (
          <li key={index}>
            <Preview file={picture.file} />
            <span className="tile-name">{picture.file.name}</span>
            <button
              type="button"
              className="plain"
              aria-label={own.remove(picture.file.name)}
              onClick={({ currentTarget }) => {
                onRemove(picture)
                currentTarget.closest('section')!.querySelector<HTMLElement>('.drop button:not([aria-label])')?.focus()
              }}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A small drawing of a file: the policy of the page allows no picture that has no address. */
function Preview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isGone = false
    const draw = async () => {
      const drawn = await createImageBitmap(file, { resizeHeight: 144, resizeQuality: 'medium' })
      if (isGone) return
      canvas.current!.width = drawn.width
      canvas.current!.height = drawn.height
      canvas.current!.getContext('2d')!.drawImage(drawn, 0, 0)
    }
    // What the browser cannot read may still be a picture to the service.
    draw().catch(() => undefined)
    return () => void (isGone = true)
  }, [file])
  return <canvas ref={canvas} width={144} height={144} aria-hidden />
}
