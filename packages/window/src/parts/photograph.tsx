import type { GalleryImage } from '@auction-catalogue/client'
import { useEffect, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'

type Pictured = Pick<GalleryImage, 'url' | 'preview_url'>

/**
 * Whether the file at an address failed to load, until the next attempt: after two seconds, then four, up to a minute.
 */
function useLoss(source: string | null): [boolean, () => void] {
  const [loss, setLoss] = useState({ source, times: 0, isOver: true })
  const isLost = loss.source === source && !loss.isOver
  useEffect(() => {
    if (!isLost) return undefined
    const askAgain = () => setLoss((last) => ({ ...last, isOver: true }))
    const timer = setTimeout(askAgain, 1000 * Math.min(60, 2 ** loss.times))
    return () => clearTimeout(timer)
  }, [isLost, loss.times])
  const lose = () => setLoss((last) => ({ source, times: last.source === source ? last.times + 1 : 1, isOver: false }))
  return [isLost, lose]
}

/**
 * A photograph in a frame of fixed proportions, so that the page does not move when it loads. `sizes` is its width in
 * the page. If its file fails to load, the frame stays empty, and the file is requested again.
 */
export function Photograph({
  image,
  sizes = '240px',
  alt = '',
  isDecoration = false,
  isEager = false,
}: {
  image: Pictured | undefined
  sizes?: string
  alt?: string
  isDecoration?: boolean
  isEager?: boolean
}) {
  const texts = useTexts()
  const source = image?.url ?? image?.preview_url ?? null
  const [isLost, lose] = useLoss(source)
  if (source === null || isLost)
    return (
      <span className="frame empty">
        {!isDecoration && <span>{isLost ? texts.pictureLost : image ? texts.pictureComing : texts.noPicture}</span>}
      </span>
    )
  const set = image?.preview_url && image.url ? `${image.preview_url} 250w, ${image.url} 900w` : undefined
  return (
    <span className="frame">
      <img
        src={source}
        srcSet={set}
        sizes={sizes}
        alt={isDecoration ? '' : alt}
        loading={isEager ? 'eager' : 'lazy'}
        decoding="async"
        draggable={false}
        onError={lose}
      />
    </span>
  )
}
