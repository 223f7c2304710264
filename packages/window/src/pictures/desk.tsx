import { CatalogueError, type GalleryReplacement, type ImageId, type ManagedImage } from '@auction-catalogue/client'
import { useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode } from 'react'
import { Button, Checkbox, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { catalogue, etagOf, knownItem, useImages, type Item } from '../api/index.ts'
import { putWrittenItem, readItem } from '../api/single.ts'
import { Problem, Words } from '../parts/problem.tsx'
import { useTexts } from '../texts/texts.tsx'
import { PictureActions, PictureState } from './picture.tsx'
import { PictureDrop } from './drop.tsx'
import { addUploads, UploadList, useUploads } from './uploads.tsx'
import '../styles/pictures.css'

/** All pictures of an item: their order, the lead photograph, private, processing and failed ones, and new ones. */
export function Desk({ item }: { item: Item }) {
  const texts = useTexts()
  const { data: images, error, refetch } = useImages(item.id)
  const uploads = useUploads([item.id])
  const { order, problem, change } = useGallery(item)
  const byId = new Map(images?.map((image) => [image.id, image]))
  const gallery = order.flatMap((id) => byId.get(id) ?? [])
  const others = (images ?? []).filter((image) => !image.public)
  const sorted = gallery.toSorted((one, other) =>
    (one.external_reference ?? '').localeCompare(other.external_reference ?? '', undefined, { numeric: true }),
  )
  const isSorted = sorted.every((image, index) => image === gallery[index])
  return (
    <section className="desk" aria-labelledby="desk">
      <div className="heading">
        <h2 id="desk">{texts.pictures}</h2>
        {!isSorted && (
          <button type="button" onClick={() => void change({ images: sorted.map(({ id }) => id) })}>
            {texts.sortByReference}
          </button>
        )}
      </div>
      <PictureDrop onPictures={(pictures) => addUploads(item.id, pictures)} />
      <UploadList uploads={uploads} />
      {problem && (
        <p className="refusal" role="alert">
          {problem}
        </p>
      )}
      {error && !images && <Problem error={error} retry={() => void refetch()} />}
      {images?.length === 0 && uploads.every(({ state }) => state === 'arrived') && (
        <p className="quiet">{texts.noPictures}</p>
      )}
      {gallery.length > 0 && <GalleryList gallery={gallery} onChange={change} />}
      {others.length > 0 && (
        <>
          <h3>{texts.privatePictures}</h3>
          <ul className="tiles">
            {others.map((image) => (
              <li key={image.id} className="tile">
                <PictureState image={image} />
                <div className="tile-actions">
                  <button type="button" onClick={() => void change({ images: [...order, image.id] })}>
                    {texts.makePublic}
                  </button>
                  <PictureActions image={image} />
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

// A press of a button is its own: the tile around it would take it for a selection. The browser makes a click of a key.
const keepPresses = {
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') event.stopPropagation()
  },
  onClick: (event: MouseEvent) => event.stopPropagation(),
  onPointerDown: (event: PointerEvent) => event.stopPropagation(),
}

const listIds = ({ images }: Item) => images.map(({ id }) => id)

/** The order of the gallery, present or about to be stored, and the functions that change it. */
function useGallery(item: Item) {
  const texts = useTexts()
  const stored = listIds(item)
  const [wanted, setWanted] = useState<readonly ImageId[] | null>(null)
  const order = wanted ?? stored
  const [problem, setProblem] = useState<ReactNode>(null)
  const chain = useRef(Promise.resolve())

  const isSame = (one: string[], other: string[]) => one.join() === other.join()
  const replace = async (body: GalleryReplacement, ifMatch: string) =>
    putWrittenItem(await catalogue().images.replaceGallery(item.id, body, { ifMatch }))
  // `seen` is the gallery that the user changed. An earlier change in the queue may have replaced it.
  const send = async (body: GalleryReplacement, seen: ImageId[]) => {
    const known = knownItem(item.id)
    const etag = known && etagOf(known)
    if (etag && isSame(listIds(known), seen))
      try {
        return await replace(body, etag)
      } catch (error) {
        if (!(error instanceof CatalogueError && error.code === 'precondition-failed')) throw error
      }
    const newer = await readItem(item.id)
    // Texts or renditions changed, not the gallery, so the change is still valid.
    if (isSame(listIds(newer.item), seen)) await replace(body, newer.etag)
    else setProblem(texts.galleryChanged)
  }
  const change = (body: GalleryReplacement) => {
    setProblem(null)
    if (body.images) setWanted(body.images)
    const seen = [...order]
    chain.current = chain.current
      .then(() => send(body, seen))
      .catch((error: unknown) => setProblem(<Words error={error} />))
      .then(() => setWanted((now) => (now === body.images ? null : now)))
    return chain.current
  }
  return { order, problem, change }
}

function GalleryList(props: { gallery: ManagedImage[]; onChange: (change: GalleryReplacement) => Promise<void> }) {
  const { gallery, onChange } = props
  const texts = useTexts()
  const order = gallery.map(({ id }) => id)
  const place = (keys: ImageId[], target: ImageId, isAfter: boolean) => {
    const rest = order.filter((id) => !keys.includes(id))
    const at = rest.indexOf(target) + (isAfter ? 1 : 0)
    void onChange({ images: [...rest.slice(0, at), ...order.filter((id) => keys.includes(id)), ...rest.slice(at)] })
  }
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder: ({ keys, target }) =>
      place([...keys] as ImageId[], target.key as ImageId, target.dropPosition === 'after'),
  })
  const step = (index: number, by: number) => {
    if (index + by < 0 || index + by >= order.length) return
    const moved = order.toSpliced(index, 1).toSpliced(index + by, 0, order[index]!)
    void onChange({ images: moved })
  }
  return (
    <>
      <h3>{texts.gallery}</h3>
      <p className="quiet">{texts.galleryHelp}</p>
      <GridList
        aria-label={texts.gallery}
        className="tiles"
        items={gallery.map((image, index) => ({ ...image, index, count: gallery.length }))}
        layout="grid"
        selectionMode="multiple"
        dragAndDropHooks={dragAndDropHooks}
      >
        {(image) => {
          const name = image.external_reference ?? texts.pictureOf(image.index + 1, image.count)
          return (
            <GridListItem className="tile" textValue={name}>
              <Checkbox slot="selection" className="tick" aria-label={name}>
                <span className="box" />
              </Checkbox>
              <Button slot="drag" className="handle" aria-label={texts.move(name)}>
                ⠿
              </Button>
              <PictureState image={image} />
              <div className="tile-actions" {...keepPresses}>
                <button
                  type="button"
                  aria-disabled={image.index === 0}
                  onClick={() => step(image.index, -1)}
                  aria-label={`${texts.earlier}: ${name}`}
                >
                  ←
                </button>
                <button
                  type="button"
                  aria-disabled={image.index === image.count - 1}
                  onClick={() => step(image.index, 1)}
                  aria-label={`${texts.later}: ${name}`}
                >
                  →
                </button>
                <button
                  type="button"
                  aria-label={`${texts.makeFeatured}: ${name}`}
                  aria-disabled={image.featured}
                  onClick={() => !image.featured && void onChange({ featured: image.id })}
                >
                  {texts.makeFeatured}
                </button>
                <details className="more">
                  <summary>{texts.more}</summary>
                  <button
                    type="button"
                    onClick={() => void onChange({ images: order.filter((id) => id !== image.id) })}
                  >
                    {texts.makePrivate}
                  </button>
                  <PictureActions image={image} />
                </details>
              </div>
            </GridListItem>
          )
        }}
      </GridList>
    </>
  )
}
