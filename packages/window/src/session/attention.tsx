import type { ItemId, ManagedImage, SessionId } from '@auction-catalogue/client'
import { Link, useParams } from '@tanstack/react-router'
import { memo, useMemo, useRef, useState } from 'react'
import { itemIdOf, itemOf, useLots, useMay, usePictures, type Lot } from '../api/index.ts'
import { Photograph } from '../parts/photograph.tsx'
import { Words } from '../parts/problem.tsx'
import { Rows } from '../parts/rows.tsx'
import { DescribeButton } from '../pictures/describe.tsx'
import { PictureActions, PictureState } from '../pictures/picture.tsx'
import { useTexts } from '../texts/texts.tsx'
import { listUndescribed } from './filters.ts'
import '../styles/pictures.css'

const noLots: Lot[] = []
const noImages: ManagedImage[] = []

/** The lots of a session whose pictures are missing, private, processing or failed; or those without a description. */
export function Attention() {
  const texts = useTexts()
  const [isUndescribed, setUndescribed] = useState(false)
  return (
    <>
      <div className="toolbar">
        <div className="chips" role="group" aria-label={texts.filters}>
          <button type="button" aria-pressed={!isUndescribed} onClick={() => setUndescribed(false)}>
            {texts.attention}
          </button>
          <button type="button" aria-pressed={isUndescribed} onClick={() => setUndescribed(true)}>
            {texts.filterUndescribed}
          </button>
        </div>
      </div>
      {isUndescribed ? <Undescribed /> : <Attended />}
    </>
  )
}

/** The lots with public pictures without a description in the language of the house. */
function Undescribed() {
  const texts = useTexts()
  const { session } = useParams({ from: '/sessions/$session' })
  const { data } = useLots(session)
  const mayWrite = useMay('lots.write')
  if (!data) return <p className="quiet">{texts.loading}</p>
  const lots = data.lots.flatMap((lot) => {
    const images = listUndescribed(lot)
    return images.length > 0 ? [{ lot, images }] : []
  })
  return (
    <section aria-label={texts.filterUndescribed} className="attention">
      <h2>{texts.filterUndescribed}</h2>
      {!data.complete && <p className="quiet">{texts.loading}</p>}
      {data.complete && lots.length === 0 && <p>{texts.noneUndescribed}</p>}
      <Rows as="ul" of={lots}>
        {({ lot, images }) => (
          <li key={lot.id}>
            <LotHeading lot={lot} session={session} />
            <ul className="tiles">
              {images.map((image) => (
                <li key={image.id} className="tile">
                  <Photograph image={image} isDecoration sizes="200px" />
                  {mayWrite && (
                    <div className="tile-actions">
                      <DescribeButton item={itemIdOf(lot)} image={image} name={`${lot.title} ${image.position + 1}`} />
                    </div>
                  )}
                </li>
              ))}
            </ul>
          </li>
        )}
      </Rows>
    </section>
  )
}

function LotHeading({ lot, session }: { lot: Lot; session: SessionId }) {
  return (
    <h3>
      <Link to="/sessions/$session/lots/$lot" params={{ session, lot: lot.id }}>
        {lot.lot_number} {lot.title}
      </Link>
    </h3>
  )
}

function Attended() {
  const texts = useTexts()
  const { session } = useParams({ from: '/sessions/$session' })
  const { data } = useLots(session)
  const lots = data?.lots ?? noLots
  const { pictures, error, isLoaded } = useNeedy(session)
  const mayWrite = useMay('lots.write')
  if (!data) return <p className="quiet">{texts.loading}</p>
  const attended = lots.filter((lot) => itemOf(lot)?.images.length === 0 || pictures.has(itemIdOf(lot)))
  return (
    <section aria-label={texts.attention} className="attention">
      <h2>{texts.attention}</h2>
      {error !== null && (
        <p className="refusal" role="alert">
          {texts.missedPictures} <Words error={error} />
        </p>
      )}
      {!(data.complete && isLoaded) && error === null && <p className="quiet">{texts.loading}</p>}
      {data.complete && isLoaded && error === null && attended.length === 0 && <p>{texts.attentionNone}</p>}
      <Rows as="ul" of={attended}>
        {(lot) => (
          <AttendedLot
            key={lot.id}
            lot={lot}
            session={session}
            images={pictures.get(itemIdOf(lot)) ?? noImages}
            isLoaded={isLoaded}
            mayWrite={mayWrite}
          />
        )}
      </Rows>
    </section>
  )
}

/** The pictures of a session that need attention, by item. The pictures of an item without a change stay the same list. */
function useNeedy(session: SessionId) {
  const lists = [usePictures(session, 'failed'), usePictures(session, 'processing'), usePictures(session, 'private')]
  const last = useRef(new Map<ItemId, ManagedImage[]>())
  const [failed, processing, hidden] = lists.map(({ data }) => data)
  const pictures = useMemo(() => {
    const byItem = new Map<ItemId, ManagedImage[]>()
    for (const list of [failed, processing, hidden])
      for (const image of list ?? []) {
        const known = byItem.get(image.item) ?? []
        if (!known.some(({ id }) => id === image.id)) byItem.set(image.item, [...known, image])
      }
    for (const [item, images] of byItem) {
      const before = last.current.get(item)
      if (before?.length === images.length && images.every((image, index) => image === before[index]))
        byItem.set(item, before)
    }
    return (last.current = byItem)
  }, [failed, processing, hidden])
  return {
    pictures,
    error: lists.find(({ error }) => error)?.error ?? null,
    isLoaded: lists.every(({ data }) => data !== undefined),
  }
}

/** A lot with its pictures that need attention. In a large session only a changed lot is drawn again. */
const AttendedLot = memo(function AttendedLot(props: {
  lot: Lot
  session: SessionId
  images: ManagedImage[]
  isLoaded: boolean
  mayWrite: boolean
}) {
  const { lot, session, images, isLoaded, mayWrite } = props
  const texts = useTexts()
  return (
    <li>
      <LotHeading lot={lot} session={session} />
      {isLoaded && images.length === 0 && <p className="quiet">{texts.noPictures}</p>}
      {images.length > 0 && (
        <ul className="tiles">
          {images.map((image) => (
            <li key={image.id} className="tile">
              <PictureState image={image} />
              {mayWrite && (
                <div className="tile-actions">
                  <PictureActions image={image} />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
})
