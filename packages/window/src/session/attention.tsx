import type { ManagedImage, SessionId } from '@auction-catalogue/client'
import { Link, useParams } from '@tanstack/react-router'
import { memo } from 'react'
import { itemIdOf, useLots, useMay, type Lot } from '../api/index.ts'
import { Words } from '../parts/problem.tsx'
import { PictureActions, PictureState } from '../pictures/picture.tsx'
import { useTexts } from '../texts/texts.tsx'
import { needsLook } from './filters.ts'
import { usePictures } from './use-pictures.ts'

const noLots: Lot[] = []

const isBad = (image: ManagedImage) =>
  image.processing || image.processing_failure !== null || image.url === null || !image.public

/** The lots of a session whose pictures are missing, private, processing or failed. */
export function Attention() {
  const texts = useTexts()
  const { session } = useParams({ from: '/sessions/$session' })
  const { data } = useLots(session)
  const lots = data?.lots ?? noLots
  const { pictures, errors, looked, of } = usePictures(lots, true)
  const mayWrite = useMay('lots.write')
  if (!data) return <p className="quiet">{texts.loading}</p>
  const attended = lots.filter(
    (lot) => needsLook(lot) || errors.has(itemIdOf(lot)) || pictures.get(itemIdOf(lot))?.some(isBad),
  )
  return (
    <section aria-label={texts.attention} className="attention">
      <h2>{texts.attention}</h2>
      {data.complete && looked === of && attended.length === 0 && <p>{texts.attentionNone}</p>}
      {looked < of && <p className="quiet">{texts.attentionLooking(looked, of)}</p>}
      <ul>
        {attended.map((lot) => (
          <AttendedLot
            key={lot.id}
            lot={lot}
            session={session}
            images={pictures.get(itemIdOf(lot))}
            error={errors.get(itemIdOf(lot))}
            mayWrite={mayWrite}
          />
        ))}
      </ul>
    </section>
  )
}

/** A lot with its pictures that need attention. In a large session only the lot read last is drawn again. */
const AttendedLot = memo(function AttendedLot(props: {
  lot: Lot
  session: SessionId
  images: ManagedImage[] | undefined
  error: unknown
  mayWrite: boolean
}) {
  const { lot, session, images, error, mayWrite } = props
  const texts = useTexts()
  const bad = images?.filter(isBad) ?? []
  return (
    <li>
      <h3>
        <Link to="/sessions/$session/lots/$lot" params={{ session, lot: lot.id }}>
          {lot.lot_number} {lot.title}
        </Link>
      </h3>
      {error !== undefined && (
        <p className="refusal" role="alert">
          {texts.missedPictures(1)} <Words error={error} />
        </p>
      )}
      {images?.length === 0 && <p className="quiet">{texts.noPictures}</p>}
      {bad.length > 0 && (
        <ul className="tiles">
          {bad.map((image) => (
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
