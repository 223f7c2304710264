import type { ItemId } from '@auction-catalogue/client'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { catalogue, useMay, usePermissions, type Item, type Permission } from '../api/index.ts'
import { useItem, useNamed } from '../api/single.ts'
import { useFormats } from '../formats.ts'
import { loadPart } from '../parts/load.ts'
import { Photograph, useAlt } from '../parts/photograph.tsx'
import { Problem, Words } from '../parts/problem.tsx'
import { useTitle } from '../parts/title.ts'
import { useTexts } from '../texts/texts.tsx'
import { hasDraft } from './draft.ts'
import { Editor } from './editor.tsx'
import { TextColumns } from './text-columns.tsx'
import '../styles/lot.css'

const Magnifier = lazy(async () => ({ default: (await loadPart(() => import('./magnifier.tsx'))).Magnifier }))
// The picture desk needs drag and drop, which a page without it should not load.
const Desk = lazy(async () => ({ default: (await loadPart(() => import('../pictures/desk.tsx'))).Desk }))

/** An item by itself, whether it is in a lot or not. */
export function ItemPage() {
  const { item: id } = useParams({ from: '/items/$item' })
  return (
    <div className="page wide">
      <ItemView key={id} id={id} />
    </div>
  )
}

/** An item: gallery, texts, relations, picture desk. `children` stand beside the photograph. */
export function ItemView({ id, title, children }: { id: ItemId; title?: string; children?: ReactNode }) {
  const texts = useTexts()
  const { item, etag, error, refetch } = useItem(id)
  const mayWrite = useMay('lots.write')
  const isStaff = useMay('staff')
  const [isEditing, setEditing] = useState(() => hasDraft(id))
  const [isSaved, setSaved] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const showEditor = (isOpen: boolean, saved = false) => {
    flushSync(() => {
      setEditing(isOpen)
      setSaved(saved)
    })
    editButton.current?.focus()
  }
  useTitle(item?.title)
  return (
    <article className="lot">
      <Gallery item={item} />
      <div className="label">
        <h1 dir="auto">{item?.title ?? title}</h1>
        {children}
        {error && <Problem error={error} retry={() => void refetch()} />}
        {item && <Relations item={item} />}
      </div>
      {item && (
        <section className="texts" aria-labelledby="texts">
          <div className="heading">
            <h2 id="texts">{texts.texts}</h2>
            <p role="status" className="quiet">
              {isSaved && texts.saved}
            </p>
            {isStaff && (
              <Link to="/journal/$record" params={{ record: id }}>
                {texts.journal}
              </Link>
            )}
            {isStaff && mayWrite && !isEditing && (
              <Link to="/catalogue/$item" params={{ item: id }}>
                {texts.editAll}
              </Link>
            )}
            {!isStaff && mayWrite && !isEditing && (
              <button ref={editButton} type="button" onClick={() => showEditor(true)}>
                {texts.edit}
              </button>
            )}
          </div>
          {isEditing && mayWrite ? (
            <Editor item={item} etag={etag} onClose={(saved) => showEditor(false, saved)} />
          ) : (
            <TextColumns item={item} />
          )}
        </section>
      )}
      {item && mayWrite && (
        <Suspense fallback={<p className="quiet">{texts.loading}</p>}>
          <Desk item={item} />
        </Suspense>
      )}
    </article>
  )
}

function Gallery({ item }: { item: Item | undefined }) {
  const texts = useTexts()
  const [chosen, setChosen] = useState<string | null>(null)
  const images = item?.images ?? []
  const image = images.find(({ id }) => id === chosen) ?? images.find(({ featured }) => featured) ?? images[0]
  const [isNear, setNear] = useState(false)
  const alt = useAlt(image, item?.title ?? '')
  return (
    <div className="gallery">
      <div className="large">
        <Photograph image={image} sizes="(min-width: 900px) 60vw, 100vw" alt={alt} isEager />
        {image?.url && (
          <button type="button" onClick={() => setNear(true)}>
            {texts.magnify}
          </button>
        )}
      </div>
      {isNear && image?.url && (
        <Suspense>
          <Magnifier image={image} alt={alt} onClose={() => setNear(false)} />
        </Suspense>
      )}
      {images.length > 1 && (
        <ul className="thumbs">
          {images.map((each, index) => (
            <li key={each.id}>
              <button
                type="button"
                aria-label={texts.pictureOf(index + 1, images.length)}
                aria-pressed={each.id === image?.id}
                onClick={() => setChosen(each.id)}
              >
                <Photograph image={{ url: each.thumbnail_url, width: 250, height: 250 }} isDecoration />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Relations({ item }: { item: Item }) {
  const texts = useTexts()
  const { isForClient } = usePermissions()
  const formats = useFormats()
  return (
    <dl className="relations">
      <dt>{texts.estimate}</dt>
      <dd>{item.estimate ? formats.estimate(item.estimate) || texts.noEstimate : texts.noEstimate}</dd>
      <Related label={texts.makers} ids={item.makers} of="lots.read" read={(id) => catalogue().makers.get(id)} />
      <Related
        label={texts.categories}
        ids={item.categories}
        of="categories.read"
        read={(id) => catalogue().categories.get(id)}
      />
      <Related
        label={texts.seller}
        ids={listOf(item.seller)}
        of="seller_profiles.read"
        read={(id) => catalogue().sellers.get(id)}
      />
      <Related
        label={texts.consignment}
        ids={listOf(item.consignment)}
        of="seller_profiles.read"
        read={(id) => catalogue().consignments.get(id)}
      />
      <Related
        label={texts.deliveryClass}
        ids={listOf(item.delivery_class)}
        of="lots.read"
        read={(id) => catalogue().deliveryClasses.get(id)}
      />
      {item.external_reference && !isForClient && (
        <>
          <dt>{texts.reference}</dt>
          <dd>{item.external_reference}</dd>
        </>
      )}
    </dl>
  )
}

const listOf = <Id,>(id: Id | null): Id[] => (id === null ? [] : [id])

type Reading<Id> = { read: (id: Id) => ReturnType<Parameters<typeof useNamed>[1]> }

/** The names of related records, if the key has the permission to read them. */
function Related<Id extends string>(props: { label: string; ids: Id[]; of: Permission } & Reading<Id>) {
  const { label, ids, of, read } = props
  const texts = useTexts()
  const may = useMay(of)
  const { isForClient } = usePermissions()
  if (ids.length === 0 || (isForClient && !may)) return null
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {may ? (
          ids.map((id) => <Name key={id} id={id} read={read} />)
        ) : (
          <span className="quiet">{texts.forbidden}</span>
        )}
      </dd>
    </>
  )
}

function Name<Id extends string>({ id, read }: { id: Id } & Reading<Id>) {
  const texts = useTexts()
  const { data, error } = useNamed(id, read)
  if (error)
    return (
      <span className="refusal">
        <Words error={error} />
      </span>
    )
  return <span>{data ? (data.name ?? data.number ?? texts.none) : '…'}</span>
}
