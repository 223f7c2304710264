import type { GalleryImage } from '@auction-catalogue/client'
import { useEffect, useState } from 'react'
import { useHouse } from '../api/index.ts'
import { useSettings } from '../settings.ts'
import { useTexts } from '../texts/texts.tsx'
import { Placeholder } from './placeholder.tsx'

type Sized = Pick<GalleryImage, 'url' | 'width' | 'height'>
type Pictured = Sized & Partial<Pick<GalleryImage, 'preview_url' | 'placeholder' | 'sources'>>

/** What an image shows, in the language of the window or of the house, as attributes of `<img>`. */
export function useAlt(image: Pick<GalleryImage, 'alt' | 'alt_translations'> | undefined, title: string) {
  const { language } = useSettings()
  const house = useHouse()
  const own = image?.alt_translations[language]
  if (own !== undefined) return { alt: own, lang: language }
  return image?.alt ? { alt: image.alt, lang: house?.locale } : { alt: title }
}

/** The widths of a picture for `srcset`. A picture of an earlier version has two renditions in place of sources. */
function printSources({ url, preview_url, sources = [] }: Pictured): string | undefined {
  if (sources.length > 0) return sources.map((source) => `${source.url} ${source.width}w`).join(', ')
  return preview_url && url ? `${preview_url} 250w, ${url} 900w` : undefined
}

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
 * A photograph in a frame of fixed proportions, so that the page does not move when it loads. Until then the frame has
 * its placeholder. `sizes` is its width in the page. If its file fails to load, the frame stays empty, and the file is
 * requested again.
 */
export function Photograph({
  image,
  sizes = '240px',
  alt = { alt: '' },
  isDecoration = false,
  isEager = false,
}: {
  image: Pictured | undefined
  sizes?: string
  alt?: { alt: string; lang?: string | undefined }
  isDecoration?: boolean
  isEager?: boolean
}) {
  const texts = useTexts()
  const source = image?.url ?? image?.preview_url ?? null
  const [isLost, lose] = useLoss(source)
  const [loaded, setLoaded] = useState<string | null>(null)
  if (source === null || isLost)
    return (
      <span className="frame empty">
        {!isDecoration && <span>{isLost ? texts.pictureLost : image ? texts.pictureComing : texts.noPicture}</span>}
      </span>
    )
  return (
    <span className="frame">
      {image?.placeholder && loaded !== source && <Placeholder hash={image.placeholder} />}
      <img
        src={source}
        srcSet={image && printSources(image)}
        sizes={sizes}
        width={image?.width ?? undefined}
        height={image?.height ?? undefined}
        {...(isDecoration ? { alt: '' } : alt)}
        loading={isEager ? 'eager' : 'lazy'}
        decoding="async"
        draggable={false}
        onLoad={() => setLoaded(source)}
        onError={lose}
      />
    </span>
  )
}
