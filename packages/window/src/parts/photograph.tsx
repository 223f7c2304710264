import type { GalleryImage } from '@auction-catalogue/client'
import { useState } from 'react'
import { useTexts } from '../texts/texts.tsx'

type Pictured = Pick<GalleryImage, 'url' | 'preview_url'>

/**
 * A photograph in a frame of fixed proportions, so that nothing moves when it comes. `sizes` is its width in the page; a
 * file that is gone from the store leaves the empty frame.
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
  const [lost, setLost] = useState<string | null>(null)
  const source = image?.url ?? image?.preview_url ?? null
  if (source === null || lost === source)
    return (
      <span className="frame empty">
        {!isDecoration && <span>{image ? texts.pictureComing : texts.noPicture}</span>}
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
        onError={() => setLost(source)}
      />
    </span>
  )
}
