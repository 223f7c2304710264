import { decimalsOf, type Consignment, type ConsignmentId, type ItemCreate } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { catalogue, store, useHouse, type Item } from '../../api/index.ts'
import { useSettings } from '../../settings.ts'
import { textLabels } from '../../texts/items.ts'
import { useTexts } from '../../texts/texts.tsx'
import { readPrice } from '../amounts.ts'
import type { Answers } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { Refused } from '../words.tsx'
import { takeReference } from './words.ts'

/** The reference of the next item of a consignment: its number and the next free one. */
async function proposeReference({ id, number }: Pick<Consignment, 'id' | 'number'>): Promise<string> {
  const { items, staff } = catalogue()
  let last = 0
  for await (const { external_reference: reference } of staff.items.list({ consignment: id, limit: 100 }))
    if (reference?.startsWith(`${number}-`)) last = Math.max(last, Number(reference.slice(number.length + 1)) || 0)
  for (let next = last + 1; ; next++) {
    const reference = `${number}-${next}`
    if ((await items.list({ external_reference: reference, limit: 1 }).page()).data.length === 0) return reference
  }
}

const findConsignment = async (number: string) => (await catalogue().consignments.list({ number }).page()).data[0]

/** What a copy of an item has beside the fields of the form. In a consignment its seller is that of the consignment. */
function copy(item: Item, locale: string, isConsigned: boolean): Partial<ItemCreate> {
  const { [locale]: _, ...translations } = item.translations as Record<string, object>
  const { condition, dimensions, weight, seller, categories, makers, delivery_class } = item
  return {
    condition,
    dimensions,
    weight,
    ...(!isConsigned && { seller }),
    categories,
    makers,
    delivery_class,
    translations,
  }
}

/**
 * Makes items one after another; `like` is the item of which a copy is made. The form stays, with the next reference of
 * the consignment.
 */
export function NewItem({ like, onClose }: { like: Item | null; onClose: () => void }) {
  const own = useStaffTexts()
  const texts = useTexts()
  const { preparing } = own
  const { language } = useSettings()
  const { currency, locale } = useHouse()!
  const form = useRef<HTMLFormElement>(null)
  const [said, setSaid] = useState<ReactNode>(null)
  const [problem, setProblem] = useState<ReactNode>(null)
  const [isBusy, setBusy] = useState(false)
  const field = (name: string) => form.current!.elements.namedItem(name) as HTMLInputElement
  const units = (bound: 'low' | 'high') => {
    const money = like?.estimate?.[bound]
    return money ? String(money.amount / 10 ** decimalsOf(money.currency)) : ''
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
    begin(like.consignment).catch((error: unknown) => setProblem(<Refused error={error} />))
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
    setProblem(null)
    setSaid(null)
    try {
      const consignment = await findAndPropose(answers['consignment']!)
      const [low, high] = [answers['low'], answers['high']].map((text) => readPrice(text, currency, own.notAPrice))
      const body: ItemCreate = {
        ...(like && copy(like, locale, consignment !== undefined)),
        external_reference: answers['reference']!.trim(),
        title: answers['title']!.trim(),
        description: answers['description']!.trim() || null,
        ...((low || high) && { estimate: { ...(low && { low }), ...(high && { high }) } }),
        ...(consignment && { consignment: consignment.id }),
      }
      const made = await takeReference(() => catalogue().items.create(body), preparing)
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
      setProblem(typeof error === 'string' ? error : <Refused error={error} />)
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
    >
      <h2>{like ? preparing.copyOf(like.external_reference ?? like.title) : preparing.newItem}</h2>
      <div className="new-item-row">
        {input('consignment', preparing.consignmentNumber, {
          onBlur: ({ target }: { target: HTMLInputElement }) => {
            if (target.value.trim() === '' || field('reference').value !== '') return
            findAndPropose(target.value)
              .then((consignment) => (consignment ? propose(consignment) : undefined))
              .catch((error: unknown) => setProblem(typeof error === 'string' ? error : <Refused error={error} />))
          },
        })}
        {input('reference', texts.reference, { required: true })}
        {input('low', `${texts.estimate}: ${texts.low}`, { inputMode: 'numeric', defaultValue: units('low') })}
        {input('high', `${texts.estimate}: ${texts.high}`, { inputMode: 'numeric', defaultValue: units('high') })}
      </div>
      {input('title', textLabels.title[language], { required: true, dir: 'auto', defaultValue: like?.title })}
      <label>
        {textLabels.description[language]}
        <textarea name="description" rows={3} dir="auto" defaultValue={like?.description ?? ''} />
      </label>
      <p role="status">{said}</p>
      <p className="refusal" role="alert">
        {problem}
      </p>
      <div className="actions">
        <button type="button" aria-label={`${texts.close}: ${preparing.newItem}`} onClick={onClose}>
          {texts.close}
        </button>
        <button type="submit" className="primary" aria-disabled={isBusy}>
          {preparing.makeItem}
        </button>
      </div>
    </form>
  )
}
