import { textNames, type Consignment, type ConsignmentId, type ItemCreate } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { Fragment, useEffect, useState, type FormEvent, type ReactNode } from 'react'
import { catalogue, store, useHouse, type Item } from '../../api/index.ts'
import { useKeptForm } from '../../parts/drafts.ts'
import { useSettings } from '../../settings.ts'
import { textLabels } from '../../texts/items.ts'
import { useTexts } from '../../texts/texts.tsx'
import { printTyped, readBound } from '../../amounts.ts'
import type { Answers } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { Words } from '../../parts/problem.tsx'
import { ConsignmentChoices, findConsignment, proposeReference } from './consignments.tsx'
import { takeReference } from './words.ts'

const shown = ['title', 'description'] as const
type Shown = (typeof shown)[number]

/** The texts of an item in other languages than that of the form, without those fields of which the form has another text. */
function listOtherTexts({ translations }: Item, locale: string, changed: readonly Shown[]): [string, object][] {
  const isKept = ([name, text]: [string, unknown]) => text != null && !changed.includes(name as Shown)
  return Object.entries(translations as Record<string, object>)
    .map(([each, texts]): [string, object] => [each, Object.fromEntries(Object.entries(texts).filter(isKept))])
    .filter(([each, texts]) => each !== locale && Object.keys(texts).length > 0)
}

/** What a copy of an item has beside the fields of the form. In a consignment its seller is that of the consignment. */
function copy(item: Item, locale: string, changed: readonly Shown[], isConsigned: boolean): Partial<ItemCreate> {
  const { seller, categories, makers, delivery_class } = item
  const others = textNames.filter((name) => !shown.some((each) => each === name))
  return {
    ...Object.fromEntries(others.map((name) => [name, item[name]])),
    ...(!isConsigned && { seller }),
    categories,
    makers,
    delivery_class,
    translations: Object.fromEntries(listOtherTexts(item, locale, changed)),
  }
}

/**
 * Makes items one after another; `like` is the item of which a copy is made, `draft` the name of what is typed. The form stays, with the next reference of
 * the consignment. `onTyped` learns whether there is text that is not stored.
 */
export function NewItem(props: {
  like: Item | null
  draft: string
  onTyped: (isTyped: boolean) => void
  onClose: () => void
}) {
  const { like, draft, onTyped, onClose } = props
  const own = useStaffTexts()
  const texts = useTexts()
  const { preparing } = own
  const { language } = useSettings()
  const { currency, locale } = useHouse()!
  const { form, note, drop } = useKeptForm(draft)
  const [said, setSaid] = useState<ReactNode>(null)
  const [problem, setProblem] = useState<ReactNode>(null)
  const [wrong, setWrong] = useState<'low' | 'high' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [changed, setChanged] = useState<Shown[]>([])
  const field = (name: string) => form.current!.elements.namedItem(name) as HTMLInputElement
  const units = (bound: 'low' | 'high') => {
    const money = like?.estimate?.[bound]
    return money ? printTyped(money, language) : ''
  }
  const propose = async (consignment: Pick<Consignment, 'id' | 'number'>) => {
    const reference = await proposeReference(consignment)
    if (form.current && field('reference').value === '') field('reference').value = reference
  }
  useEffect(() => {
    field(like ? 'title' : 'consignment').focus()
    if (!like?.consignment) return
    const begin = async (id: ConsignmentId) => {
      const consignment = await catalogue().consignments.get(id)
      if (form.current && field('consignment').value === '') field('consignment').value = consignment.number
      await propose(consignment)
    }
    begin(like.consignment).catch((error: unknown) => setProblem(<Words error={error} />))
  }, [like])
  const findAndPropose = async (number: string) => {
    const consignment = number.trim() === '' ? undefined : await findConsignment(number.trim())
    if (number.trim() !== '' && !consignment) throw preparing.noConsignment
    return consignment
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const answers = Object.fromEntries(new FormData(event.currentTarget)) as Answers
    setBusy(true)
    setWrong(null)
    setProblem(null)
    setSaid(null)
    try {
      const consignment = await findAndPropose(answers['consignment']!)
      const [low, high] = (['low', 'high'] as const).map((name) => {
        const amount = readBound(answers[name]!, currency, language)
        if (amount === null) return null
        if (amount > 0) return { amount, currency }
        setWrong(name)
        field(name).focus()
        throw `${texts[name]}: ${texts.notAnAmount}`
      })
      const body: ItemCreate = {
        ...(like && copy(like, locale, changed, consignment !== undefined)),
        external_reference: answers['reference']!.trim(),
        title: answers['title']!.trim(),
        description: answers['description']!.trim() || null,
        ...((low || high) && { estimate: { ...(low && { low }), ...(high && { high }) } }),
        ...(consignment && { consignment: consignment.id }),
      }
      const made = await takeReference(() => catalogue().items.create(body), preparing)
      onTyped(false)
      drop()
      void store.invalidateQueries({ queryKey: ['staff items'] })
      setSaid(
        <>
          {preparing.itemMade(body.external_reference)}{' '}
          <Link to="/items/$item" params={{ item: made.id }}>
            {preparing.addPictures}
          </Link>
        </>,
      )
      for (const name of ['title', 'description', 'low', 'high', 'reference'])
        if (!like || name === 'reference') field(name).value = ''
      if (consignment) await propose(consignment)
      field(consignment ? 'title' : 'reference').focus()
    } catch (error) {
      setProblem(typeof error === 'string' ? error : <Words error={error} />)
    }
    setBusy(false)
  }
  const input = (name: string, label: string, more: object = {}) => (
    <label>
      {label}
      <input name={name} autoComplete="off" {...more} />
    </label>
  )
  return (
    <form
      ref={form}
      className="fields new-item"
      aria-label={preparing.newItem}
      onSubmit={(event) => void submit(event)}
      onInput={() => {
        onTyped(true)
        note()
        if (like) setChanged(shown.filter((name) => field(name).value.trim() !== (like[name] ?? '')))
      }}
    >
      <h2>{like ? preparing.copyOf(like.external_reference ?? like.title) : preparing.newItem}</h2>
      <div className="new-item-row">
        {input('consignment', preparing.consignmentNumber, {
          list: 'consignments',
          onBlur: ({ target }: { target: HTMLInputElement }) => {
            if (target.value.trim() === '' || field('reference').value !== '') return
            findAndPropose(target.value)
              .then((consignment) => (consignment ? propose(consignment) : undefined))
              .catch((error: unknown) => setProblem(typeof error === 'string' ? error : <Words error={error} />))
          },
        })}
        {input('reference', texts.reference, { required: true })}
        {(['low', 'high'] as const).map((name) => (
          <Fragment key={name}>
            {input(name, `${texts.estimate}: ${texts[name]}`, {
              inputMode: 'decimal',
              defaultValue: units(name),
              'aria-invalid': wrong === name,
              'aria-describedby': 'new-item-problem',
            })}
          </Fragment>
        ))}
      </div>
      {input('title', textLabels.title[language], { required: true, dir: 'auto', defaultValue: like?.title })}
      <label>
        {textLabels.description[language]}
        <textarea name="description" rows={3} dir="auto" defaultValue={like?.description ?? ''} />
      </label>
      {like && <OtherTexts like={like} locale={locale} changed={changed} />}
      <ConsignmentChoices id="consignments" />
      <p role="status">{said}</p>
      <p id="new-item-problem" className="refusal" role="alert">
        {problem}
      </p>
      <div className="actions">
        <button type="submit" className="primary" aria-disabled={isBusy}>
          {preparing.makeItem}
        </button>
        <button type="button" aria-label={`${texts.close}: ${preparing.newItem}`} onClick={onClose}>
          {texts.close}
        </button>
      </div>
    </form>
  )
}

/** Says which languages the copy has besides, and which of their texts are left out because the form has another one. */
function OtherTexts({ like, locale, changed }: { like: Item; locale: string; changed: readonly Shown[] }) {
  const { preparing } = useStaffTexts()
  const { language } = useSettings()
  const names = new Intl.DisplayNames(language, { type: 'language' })
  const list = new Intl.ListFormat(language)
  const translations = Object.entries(like.translations as Record<string, Partial<Record<Shown, string>>>)
  const listLanguages = (locales: string[]) => list.format(locales.map((each) => names.of(each)!))
  const kept = listOtherTexts(like, locale, changed).map(([each]) => each)
  return (
    <div role="status" className="quiet">
      {kept.length > 0 && <p>{preparing.alsoCopied(listLanguages(kept))}</p>}
      {changed.map((name) => {
        const left = translations.flatMap(([each, texts]) => (each !== locale && texts[name] ? [each] : []))
        if (left.length === 0) return null
        return <p key={name}>{preparing.leftOut(textLabels[name][language], listLanguages(left))}</p>
      })}
    </div>
  )
}
