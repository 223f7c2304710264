import {
  CatalogueError,
  decimalsOf,
  textNames,
  type ItemId,
  type ItemUpdate,
  type Tagged,
  type Translation,
} from '@auction-catalogue/client'
import { readBound } from '../amounts.ts'
import { catalogue, type Item } from '../api/index.ts'
import { readItem } from '../api/single.ts'
import { readDraft, useKept } from '../parts/drafts.ts'
import type { Language } from '../settings.ts'

type Texts = Partial<Translation>

/** An item's texts by locale, first those in the language of the house: they have the item's title. */
export function listTranslations({ title, translations }: Item, own: string | undefined): [string, Texts][] {
  const all = translations as Record<string, Texts>
  if (own === undefined) return Object.entries(all)
  const { [own]: first, ...others } = all
  return Object.entries({ [own]: { ...first, title: first?.title ?? title }, ...others })
}

/**
 * What can be set of an item, by name: `nl.title`, `low`, `reference`, `makers`. Amounts are units of the currency, as they
 * are typed; of several records the ids are separated by spaces.
 */
export type Values = Record<string, string>

/** The typed values by name, each with the value before the typing. */
export type Draft = { mine: Values; base: Values }

export const empty: Draft = { mine: {}, base: {} }

export const hasDraft = (item: string): boolean => readDraft(item) !== null

/** The unsaved values of an item. */
export function useDraft(item: string): [Draft, (draft: Draft | null) => void] {
  const [draft, keep] = useKept<Draft>(item)
  return [draft ?? empty, (next) => keep(next && Object.keys(next.mine).length > 0 ? next : null)]
}

/** A draft after a value was typed. One that is as it was stored leaves it. */
export function typeInto({ mine, base }: Draft, stored: Values, name: string, value: string): Draft {
  const [{ [name]: _, ...otherMine }, { [name]: begun, ...otherBase }] = [mine, base]
  const from = begun ?? stored[name] ?? ''
  return value === from && from === (stored[name] ?? '')
    ? { mine: otherMine, base: otherBase }
    : { mine: { ...mine, [name]: value }, base: { ...base, [name]: from } }
}

/** A draft after the choice between the typed value and the one that was stored meanwhile. */
export function settle({ mine, base }: Draft, stored: Values, name: string, isMine: boolean): Draft {
  const { [name]: _, ...others } = mine
  return { mine: isMine ? mine : others, base: { ...base, [name]: stored[name] ?? '' } }
}

/** The rest of a draft once the values `sent` are stored: the values typed since then. */
export function restOf(draft: Draft, sent: Values, stored: Values): Draft {
  const saved = Object.keys(sent).map((name) => [name, stored[name] ?? ''])
  const mine = Object.entries(draft.mine).filter(([name, value]) => value !== sent[name])
  return { mine: Object.fromEntries(mine), base: { ...draft.base, ...Object.fromEntries(saved) } }
}

const singles = ['consignment', 'seller', 'delivery_class'] as const

/** The values of an item that can be changed. A locale without any text has none, except that of the house. */
export function readValues(item: Item, own: string): Values {
  const texts = listTranslations(item, own).flatMap(([locale, translation]) =>
    textNames.map((field): [string, string] => [`${locale}.${field}`, translation[field] ?? '']),
  )
  const bounds = (['low', 'high'] as const).map((bound): [string, string] => {
    const money = item.estimate?.[bound]
    return [bound, money ? String(money.amount / 10 ** decimalsOf(money.currency)) : '']
  })
  return Object.fromEntries([
    ...texts,
    ...bounds,
    ['reference', item.external_reference ?? ''],
    ['categories', item.categories.join(' ')],
    ['makers', item.makers.join(' ')],
    ...singles.map((name) => [name, item[name] ?? '']),
  ])
}

/** The names whose stored value has changed, but not to the typed one. */
export function findConflicts({ mine, base }: Draft, theirs: Values): string[] {
  return Object.keys(mine).filter((name) => {
    const now = theirs[name] ?? ''
    return now !== (base[name] ?? '') && now !== mine[name]
  })
}

/** Why values cannot be saved, as the name of a text, and which. */
export type Fault = { why: 'needsTitle' | 'notAnAmount' | 'lowAboveHigh'; names: string[] }

/** What is wrong with the typed values, which are over the stored ones. */
export function findFault(
  mine: Values,
  stored: Values,
  { locale, currency }: { locale: string; currency: string },
  language: Language,
): Fault | undefined {
  const title = `${locale}.title`
  if ((mine[title] ?? stored[title] ?? '').trim() === '') return { why: 'needsTitle', names: [title] }
  // A stored amount may have cents, which the user has not typed.
  const amountOf = (name: string) =>
    mine[name] === undefined
      ? stored[name]
        ? Number(stored[name]) * 10 ** decimalsOf(currency)
        : null
      : readBound(mine[name], currency, language)
  const [low, high] = ['low', 'high'].map(amountOf)
  if (Number.isNaN(low)) return { why: 'notAnAmount', names: ['low'] }
  if (Number.isNaN(high)) return { why: 'notAnAmount', names: ['high'] }
  if (low != null && high != null && low > high) return { why: 'lowAboveHigh', names: ['low', 'high'] }
  return undefined
}

/** The name of the value that an error of the service is about: `nl.title` of `translations.nl.title`. */
export const nameOf = (field: string): string =>
  field === 'external_reference'
    ? 'reference'
    : field.replace(/^(translations|estimate)\./, '').replace(/\.(amount|currency|\d+)$/, '')

const listIds = (value: string): string[] => value.split(' ').filter((id) => id !== '')

/** The body that stores the typed values. An empty text clears its field. */
export function printBody(mine: Values, currency: string, language: Language): ItemUpdate {
  const translations: Record<string, Record<string, string | null>> = {}
  const estimate: Record<string, { amount: number; currency: string } | null> = {}
  const others: Record<string, string | string[] | null> = {}
  for (const [name, value] of Object.entries(mine)) {
    const [locale, field] = name.split('.')
    if (field !== undefined) (translations[locale!] ??= {})[field] = value.trim() === '' ? null : value
    else if (name === 'reference') others['external_reference'] = value.trim()
    else if (name === 'categories' || name === 'makers') others[name] = listIds(value)
    else if (singles.some((each) => each === name)) others[name] = value || null
    else {
      const amount = readBound(value, currency, language)
      estimate[name] = amount === null ? null : { amount, currency }
    }
  }
  return {
    ...others,
    ...(Object.keys(translations).length > 0 && { translations }),
    ...(Object.keys(estimate).length > 0 && { estimate }),
  }
}

/**
 * Changes an item over the version `ifMatch`, or over a newer one in which another client changed other values. Of the
 * same values nothing is overwritten: null, and the newer item is known.
 */
export async function saveOver(
  id: ItemId,
  body: ItemUpdate,
  ifMatch: string | null,
  isInConflict: (newer: Item) => boolean,
): Promise<Tagged<Item> | null> {
  if (ifMatch === null) {
    const newer = await readItem(id)
    return isInConflict(newer.item) ? null : saveOver(id, body, newer.etag, isInConflict)
  }
  try {
    return await catalogue().items.update(id, body, { expand: ['images'], ifMatch })
  } catch (error) {
    if (!(error instanceof CatalogueError && error.code === 'precondition-failed')) throw error
    return saveOver(id, body, null, isInConflict)
  }
}
