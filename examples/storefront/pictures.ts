import type { GalleryImage } from '@auction-catalogue/client'
import { html, type Html } from './html.ts'
import type { ShownLot } from './catalogue.ts'
import type { Site } from './site.ts'

// How wide the places of pictures are, as style.css draws them: up to a width of the window, the widest last. A picture
// fits into a square of this width, or is as wide and at most as high as 80vh.
type Place = readonly (readonly [upTo: string | undefined, width: string, isSquare?: boolean])[]
const gallery = [
  ['152.49rem', '100vw - 31.5rem'],
  [undefined, '121rem'],
] as const
const places = {
  card: [
    ['39.99rem', '100vw - 2.5rem'],
    ['63.99rem', '50vw - 2.25rem', true],
    ['99.99rem', '33.33vw - 2.17rem', true],
    ['152.49rem', '25vw - 2.13rem', true],
    [undefined, '36rem', true],
  ],
  only: [['63.99rem', '100vw - 2.5rem'], ...gallery],
  wide: [['63.99rem', '100vw - 3.5rem', true], ...gallery],
  half: [
    ['63.99rem', '100vw - 3.5rem', true],
    ['152.49rem', '50vw - 16.75rem', true],
    [undefined, '59.5rem', true],
  ],
} satisfies Record<string, Place>

function printSizes(place: keyof typeof places, ratio: number): string {
  const sizes = (places[place] as Place).map(([upTo, width, isSquare]) => {
    const drawn = isSquare
      ? `calc(${Math.min(1, ratio).toFixed(3)} * (${width}))`
      : `min(${width}, ${(80 * ratio).toFixed(1)}vh)`
    return upTo ? `(max-width: ${upTo}) ${drawn}` : drawn
  })
  return sizes.join(', ')
}

/** The public pictures of a lot that can be shown. A picture that was just uploaded has no renditions yet. */
export const listPictures = ({ item }: ShownLot) => item.images.filter(({ url }) => url !== null)

/** The picture that stands for a lot: the one that the house chose, else the first. */
export function findLead(lot: ShownLot): GalleryImage | undefined {
  const pictures = listPictures(lot)
  return pictures.find(({ featured }) => featured) ?? pictures[0]
}

/** A picture in the width that the screen needs. The first of a page is loaded before all others. */
export function printPicture(
  image: GalleryImage,
  place: keyof typeof places,
  alt: string,
  isFirst: boolean,
  { lang }: Site,
): Html {
  const { url, width, height, sources } = image
  const srcset = sources.map((source) => `${source.url} ${source.width}w`).join(', ')
  const sized = width !== null && height !== null && html` width="${width}" height="${height}"`
  const sizes = printSizes(place, width !== null && height !== null ? width / height : 1)
  const loading = isFirst ? html` fetchpriority="high"` : html` loading="lazy" decoding="async"`
  return html`<img
    alt="${alt}"
    ${alt !== '' && lang}
    src="${url}"
    srcset="${srcset}"
    sizes="${sizes}"
    ${sized}${loading}
  />`
}

/** The picture of a page for other sites, with its size if that is known. */
export function describePicture(lot: ShownLot | undefined) {
  const image = lot && findLead(lot)
  if (!image) return undefined
  const source = image.sources.findLast(({ width }) => width <= 1600)
  return { url: source?.url ?? image.url!, width: source?.width, height: source?.height, alt: image.alt ?? lot.title }
}
