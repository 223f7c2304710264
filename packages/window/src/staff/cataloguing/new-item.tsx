import { CatalogueError, type ConsignmentId, type ItemCreate, type ItemId } from '@auction-catalogue/client'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { catalogue, store, useHouse, usePermissions, type Item, type Permission } from '../../api/index.ts'
import { printBody, readValues, type Values } from '../../lot/draft.ts'
import { PictureDrop } from '../../pictures/drop.tsx'
import { addUploads, UploadList, useUploads } from '../../pictures/uploads.tsx'
import { useTitle } from '../../parts/title.ts'
import { useSettings } from '../../settings.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { readChoice, type Related } from '../choices.ts'
import { Desk, Refused } from './desk.tsx'
import { emptied, focusField, useEditing } from './editing.ts'
import { proposeReference } from './references.ts'
import { useWaiting, Waiting } from './waiting.tsx'

type Made = { id: ItemId; reference: string; title: string }

// What the next item has too.
const kept = ['consignment', 'seller', 'categories', 'reference']
const none: Values = {}

/** The reference after one that ends with a number. */
const countOn = (reference: string) =>
  reference.replace(/\d+$/, (digits) => String(Number(digits) + 1).padStart(digits.length, '0'))

/** What a copy of an item has: all that the key may set, but the reference and the pictures. */
function copy(item: Item, locale: string, may: readonly Permission[]): Values {
  const omitted = [
    'reference',
    ...(may.includes('seller_profiles.read') ? [] : ['consignment', 'seller']),
    ...(may.includes('categories.read') ? [] : ['categories']),
  ]
  const values = Object.entries(readValues(item, locale))
  return Object.fromEntries(values.filter(([name, value]) => value !== '' && !omitted.includes(name)))
}

/** The desk for a new item, or a copy of `like`, and after it for the next one. */
export function NewItemDesk({ like }: { like: Item | null }) {
  const texts = useTexts()
  const { cataloguing: own, preparing } = useStaffTexts()
  const { locale, currency } = useHouse()!
  const { language } = useSettings()
  const navigate = useNavigate()
  const { may } = usePermissions()
  const title = like ? preparing.copyOf(like.external_reference ?? like.title) : own.catalogueItem
  useTitle(title)
  const [first] = useState(() => (like ? copy(like, locale, may) : none))
  const name = like ? `copy of ${like.id}` : 'new item'
  const editing = useEditing(name, none, first)
  const { draft, values, read, change, keep } = editing
  const [pictures, setPictures] = useWaiting(name)
  const [made, setMade] = useState<Made[]>([])
  const names = new Set([...Object.keys(draft.mine), ...Object.keys(first)])
  const typed = [...names].filter((name) => !kept.includes(name) && draft.mine[name] !== first[name])
  const [focus] = useState(() =>
    values['consignment'] || typed.length > 0
      ? `${locale}.title`
      : may.includes('seller_profiles.read')
        ? 'consignment'
        : 'reference',
  )
  const proposed = useRef(values['reference'] ?? '')
  const propose = async ({ id, name }: Pick<Related, 'id' | 'name'>) => {
    const reference = await proposeReference({ id: id as ConsignmentId, number: name })
    const now = read()
    // What the person typed meanwhile stays.
    if (now['consignment'] !== id || !['', proposed.current].includes(now['reference'] ?? '')) return
    proposed.current = reference
    change({ reference })
  }
  useEffect(() => {
    const { consignment, reference } = read()
    if (consignment && !reference) void readChoice('consignment', consignment).then(propose)
  }, [])
  const save = async (isNext: boolean) => {
    const { mine } = draft
    const filled = Object.fromEntries(Object.entries(mine).filter(([, value]) => value.trim() !== ''))
    const body = printBody(filled, currency, language) as ItemCreate
    const item = await catalogue()
      .items.create(body)
      .catch(async (error: unknown) => {
        if (!(error instanceof CatalogueError && error.code === 'duplicate-reference')) throw error
        if (!mine['consignment']) throw new Refused(preparing.referenceTaken, 'reference')
        proposed.current = mine['reference']!
        await propose(await readChoice('consignment', mine['consignment']))
        throw new Refused(own.takenMeanwhile(body.external_reference, read()['reference']!), 'reference')
      })
    if (pictures.length > 0) addUploads(item.id, pictures)
    void store.invalidateQueries({ queryKey: ['staff items'] })
    const reference = body.external_reference === proposed.current ? countOn(proposed.current) : ''
    proposed.current = reference
    const next = Object.fromEntries(
      Object.entries({ ...mine, reference }).filter(
        ([name, value]) => isNext && value !== '' && (like !== null || kept.includes(name)),
      ),
    )
    const label = { id: item.id, reference: body.external_reference, title: item.title }
    flushSync(() => {
      setPictures([])
      setMade((before) => [label, ...before])
      keep({ mine: next, base: emptied(next) })
    })
    if (!isNext) {
      await navigate({ to: '/catalogue/$item', params: { item: item.id } })
      return null
    }
    const { consignment } = next
    if (consignment && reference === '') void readChoice('consignment', consignment).then(propose)
    // The next item begins in the language in which this one was begun.
    const begun = Object.keys(mine).find((name) => name.endsWith('.title'))
    focusField(consignment && begun !== undefined ? begun : 'reference')
    return preparing.itemMade(body.external_reference)
  }
  const onDiscard = () => {
    setPictures([])
    keep({ mine: first, base: emptied(first) })
  }
  return (
    <>
      <div className="heading">
        <h1 dir="auto">{title}</h1>
        <p className="quiet keys-help">{own.keysHelp}</p>
      </div>
      <Desk
        name={title}
        hasNext
        {...{ editing, focus, save, onDiscard }}
        isTyped={typed.length > 0 || pictures.length > 0}
        onConsigned={(consignment) => void propose(consignment)}
      >
        <section className="fields" aria-labelledby="item-pictures">
          <h2 id="item-pictures">{texts.pictures}</h2>
          <PictureDrop onPictures={(more) => setPictures([...pictures, ...more])} />
          <Waiting pictures={pictures} onRemove={(gone) => setPictures(pictures.filter((each) => each !== gone))} />
        </section>
      </Desk>
      <MadeList made={made} />
    </>
  )
}

/** The items that were just made, and what of their pictures is on its way or was refused. */
function MadeList({ made }: { made: readonly Made[] }) {
  const own = useStaffTexts().cataloguing
  const uploads = useUploads(made.map(({ id }) => id)).filter(({ state }) => state !== 'arrived')
  if (made.length === 0) return null
  return (
    <section className="made" aria-labelledby="made">
      <h2 id="made">{own.justMade}</h2>
      <ul>
        {made.slice(0, 10).map(({ id, reference, title }) => (
          <li key={id}>
            <Link to="/catalogue/$item" params={{ item: id }} preload={false}>
              <b>{reference}</b> <span dir="auto">{title}</span>
            </Link>
          </li>
        ))}
      </ul>
      <UploadList uploads={uploads} />
    </section>
  )
}
