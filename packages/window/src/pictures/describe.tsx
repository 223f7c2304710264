import { etag, locales, type GalleryImage, type ItemId } from '@auction-catalogue/client'
import { useState, type FormEvent, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { catalogue, putImages, useHouse } from '../api/index.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useKept } from '../parts/drafts.ts'
import { Words } from '../parts/problem.tsx'
import { useSettings } from '../settings.ts'
import { useTexts } from '../texts/texts.tsx'

type Described = Pick<GalleryImage, 'id' | 'alt_translations'>
type Alts = GalleryImage['alt_translations']

const maxCharacters = 1_000
const isSame = (one: Alts, other: Alts) => locales.every((locale) => one[locale] === other[locale])

/** A button that opens the description of a picture. `name` tells several of them apart. */
export function DescribeButton(props: { item: ItemId; image: Described; name: string }) {
  const { item, image, name } = props
  const texts = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-label={`${texts.describe}: ${name}`} onClick={() => setOpen(true)}>
        {texts.describe}
      </button>
      {isOpen &&
        // The grid of pictures would take the typed keys for its own.
        createPortal(
          <div onKeyDown={(event) => event.stopPropagation()}>
            <Description item={item} image={image} onClose={() => setOpen(false)} />
          </div>,
          document.body,
        )}
    </>
  )
}

// What is typed, over the texts that were there when the typing began.
type Draft = { mine: Alts; seen: Alts }

/**
 * Edits what a picture shows, in each language. What is typed is kept until it is saved or cancelled. A text that another client changed meanwhile is shown, and overwritten
 * only by saving again.
 */
function Description({ item, image, onClose }: { item: ItemId; image: Described; onClose: () => void }) {
  const texts = useTexts()
  const { language } = useSettings()
  const { locale: own } = useHouse()!
  const [draft, setDraft] = useKept<Draft>(`picture ${item} ${image.id}`)
  const { mine, seen } = draft ?? { mine: {}, seen: image.alt_translations }
  const [added, setAdded] = useState<string[]>([])
  const [isChanged, setChanged] = useState(false)
  const [refusal, setRefusal] = useState<ReactNode>(null)
  const [isBusy, setBusy] = useState(false)
  const names = new Intl.DisplayNames(language, { type: 'language' })
  const shown = locales.filter(
    (each) => each === own || [seen, mine].some((alts) => each in alts) || added.includes(each),
  )
  const ordered = shown.toSorted((one, other) => Number(other === own) - Number(one === own))

  const save = async () => {
    const { images } = catalogue()
    const stored = await images.get(item, image.id)
    if (!isSame(stored.alt_translations, seen)) {
      setDraft({ mine, seen: stored.alt_translations })
      setChanged(true)
      return
    }
    const alt_translations = Object.fromEntries(
      Object.entries(mine).map(([each, text]) => [each, text?.trim() || null]),
    )
    const record = await images.update(item, image.id, { alt_translations }, { ifMatch: stored[etag] })
    putImages([record])
    end()
  }
  const end = () => {
    setDraft(null)
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setRefusal(null)
    setChanged(false)
    save()
      .catch((error: unknown) => setRefusal(<Words error={error} />))
      .finally(() => setBusy(false))
  }
  return (
    <Dialog title={texts.describePicture} onClose={onClose}>
      <p className="quiet">{texts.describeHelp}</p>
      <form className="fields" onSubmit={submit}>
        {ordered.map((each) => (
          <label key={each}>
            {names.of(each)}
            <textarea
              lang={each}
              dir="auto"
              rows={3}
              maxLength={maxCharacters}
              value={mine[each] ?? seen[each] ?? ''}
              onChange={({ target }) => setDraft({ mine: { ...mine, [each]: target.value }, seen })}
            />
            {isChanged && mine[each] !== undefined && mine[each] !== seen[each] && (
              <span className="quiet">
                {texts.theirs}: <span lang={each}>{seen[each] ?? texts.none}</span>
              </span>
            )}
          </label>
        ))}
        <select aria-label={texts.addLanguage} value="" onChange={({ target }) => setAdded([...added, target.value])}>
          <option value="">{texts.addLanguage}</option>
          {locales
            .filter((each) => !shown.includes(each))
            .map((each) => (
              <option key={each} value={each}>
                {names.of(each)}
              </option>
            ))}
        </select>
        {(isChanged || refusal) && (
          <p className="refusal" role="alert">
            {isChanged ? texts.refusals.problems['precondition-failed'] : refusal}
          </p>
        )}
        <div className="actions">
          <button type="button" onClick={end}>
            {texts.cancel}
          </button>
          <button type="submit" className="primary" disabled={isBusy || Object.keys(mine).length === 0}>
            {texts.save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
