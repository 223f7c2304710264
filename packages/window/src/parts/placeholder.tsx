import { useLayoutEffect, useRef } from 'react'
import { thumbHashToRGBA } from 'thumbhash'

/** The blurred form of a picture, drawn at once. It is a canvas: the page's policy allows no pictures in addresses. */
export function Placeholder({ hash }: { hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    const { w, h, rgba } = thumbHashToRGBA(Uint8Array.from(atob(hash), (sign) => sign.charCodeAt(0)))
    Object.assign(canvas.current!, { width: w, height: h })
    canvas.current!.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0)
  }, [hash])
  return <canvas ref={canvas} className="placeholder" aria-hidden="true" />
}
