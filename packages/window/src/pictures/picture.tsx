import type { ManagedImage } from '@auction-catalogue/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { catalogue } from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Photograph } from '../parts/photograph.tsx'
import { Words } from '../parts/problem.tsx'
import { useTexts } from '../texts/texts.tsx'
import { DescribeButton } from './describe.tsx'

/** A picture with its reference, and whether it is private, processing or failed. */
export function PictureState({ image }: { image: ManagedImage }) {
  const texts = useTexts()
  const formats = useFormats()
  const failure = image.processing_failure
  return (
    <>
      <Photograph image={image} isDecoration sizes="200px" />
      <span className="tile-name">{image.external_reference ?? texts.none}</span>
      <span className="badges">
        {image.alt === null && <span className="badge">{texts.undescribed}</span>}
        {image.featured && (
          <span className="badge" data-state="running">
            {texts.featured}
          </span>
        )}
        {!image.public && <span className="badge">{texts.private}</span>}
        {image.processing && <span className="badge">{texts.processing}</span>}
        {failure && (
          <span className="badge" data-state="failed">
            {texts.failed}
          </span>
        )}
      </span>
      {failure && <span className="refusal">{texts.failedWhy(formats.dayTime(failure.at))}</span>}
    </>
  )
}

/** The actions on any picture: describe it, process it again, and delete it after a question. */
export function PictureActions({ image }: { image: ManagedImage }) {
  const texts = useTexts()
  const [asks, setAsks] = useState(false)
  const reprocess = useMutation({
    mutationFn: () => catalogue().images.reprocess(image.item, image.id),
  })
  const remove = useMutation({
    // Deletes any version of the picture. The service may refuse a key without If-Match.
    mutationFn: () => catalogue().images.delete(image.item, image.id, { ifMatch: '*' }),
  })
  const error = reprocess.error ?? remove.error
  return (
    <>
      <DescribeButton item={image.item} image={image} name={image.external_reference ?? image.id} />
      {!image.processing && (
        <button type="button" onClick={() => reprocess.mutate()} disabled={reprocess.isPending}>
          {texts.reprocess}
        </button>
      )}
      <button type="button" onClick={() => setAsks(true)} disabled={remove.isPending}>
        {texts.remove}
      </button>
      {error && (
        <span className="refusal" role="alert">
          <Words error={error} />
        </span>
      )}
      {asks && (
        <Dialog title={texts.removeQuestion} onClose={() => setAsks(false)}>
          <p>{image.external_reference}</p>
          <p className="quiet">{texts.removeHelp}</p>
          <div className="actions">
            <button type="button" onClick={() => setAsks(false)}>
              {texts.cancel}
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => {
                setAsks(false)
                remove.mutate()
              }}
            >
              {texts.remove}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
