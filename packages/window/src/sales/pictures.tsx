import type { ManagedImage } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { mostPictures, useMay, usePictures, type Need } from '../api/index.ts'
import { Words } from '../parts/problem.tsx'
import { useTitle } from '../parts/title.ts'
import { PictureActions, PictureState } from '../pictures/picture.tsx'
import { useTexts } from '../texts/texts.tsx'
import '../styles/pictures.css'

/** The failed and the processing pictures of a house, whether their items are in a sale or not. */
export function Pictures() {
  const texts = useTexts()
  useTitle(texts.pictures)
  return (
    <div className="page wide">
      <h1>{texts.pictures}</h1>
      <Needy need="failed" title={texts.failed} />
      <Needy need="processing" title={texts.processing} />
    </div>
  )
}

function Needy({ need, title }: { need: Need; title: string }) {
  const texts = useTexts()
  const { data, error } = usePictures(null, need)
  return (
    <section aria-label={title} className="attention">
      <h2>{title}</h2>
      {error && (
        <p className="refusal" role="alert">
          {texts.missedPictures} <Words error={error} />
        </p>
      )}
      {!data && !error && <p className="quiet">{texts.loading}</p>}
      {data?.length === 0 && <p>{texts.noneNeedy}</p>}
      {data && data.length >= mostPictures && <p className="quiet">{texts.firstNeedy(mostPictures)}</p>}
      <ul className="tiles">
        {data?.slice(0, mostPictures).map((image) => (
          <Picture key={`${image.item} ${image.id}`} image={image} />
        ))}
      </ul>
    </section>
  )
}

function Picture({ image }: { image: ManagedImage }) {
  const texts = useTexts()
  const mayWrite = useMay('lots.write')
  return (
    <li className="tile">
      <PictureState image={image} />
      <div className="tile-actions">
        <Link to="/items/$item" params={{ item: image.item }}>
          {texts.toItem(image.external_reference ?? '')}
        </Link>
        {mayWrite && <PictureActions image={image} />}
      </div>
    </li>
  )
}
