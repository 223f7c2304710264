import { decimalsOf, textNames, type ItemUpdate, type Translation } from '@auction-catalogue/client'
import { readBound } from '../amounts.ts'
import type { Item } from '../api/index.ts'
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

/** An item's texts and estimate by name: `nl.title`, `low`. Amounts are units of the currency, as they are typed. */
export type Values = Record<string, string>

/** The typed values by name, each with the value before the typing. */
export type Draft = { mine: Values; base: Values }

const empty: Draft = { mine: {}, base: {} }

export const hasDraft = (item: string): boolean => readDraft(item) !== null

/** The unsaved values of an item. */
export function useDraft(item: string): [Draft, (draft: Draft | null) => void] {
  const [draft, keep] = useKept<Draft>(item)
  return [draft ?? empty, (next) => keep(next && Object.keys(next.mine).length > 0 ? next : null)]
}

/** The rest of a draft once the values `sent` are stored: the values typed since then. */
export function readRest(item: string, sent: Values, stored: Values): Draft | null {
  const draft = readDraft(item) as Draft | null
  if (draft === null) return null
  const saved = Object.keys(sent).map((name) => [name, stored[name] ?? ''])
  const mine = Object.entries(draft.mine).filter(([name, value]) => value !== sent[name])
  return { mine: Object.fromEntries(mine), base: { ...draft.base, ...Object.fromEntries(saved) } }
}

/** The values of an item that can be changed. A locale without any text has none, except that of the house. */
export function readValues(item: Item, own: string): Values {
  const texts = listTranslations(item, own).flatMap(([locale, translation]) =>
    textNames.map((field): [string, string] => [`${locale}.${field}`, translation[field] ?? '']),
  )
  const bounds = (['low', 'high'] as const).map((bound): [string, string] => {
    const money = item.estimate?.[bound]
    return [bound, money ? String(money.amount / 10 ** decimalsOf(money.currency)) : '']
  })
  return Object.fromEntries([...texts, ...bounds])
}

/** The names whose stored value has changed, but not to the typed one. */
export function findConflicts({ mine, base }: Draft, theirs: Values): string[] {
  return Object.keys(mine).filter((name) => {
    const now = theirs[name] ?? ''
    return now !== (base[name] ?? '') && now !== mine[name]
  })
}

/** The body that stores the typed values. An empty text clears its field. */
export function printBody(mine: Values, currency: string, language: Language): ItemUpdate {
  const translations: Record<string, Record<string, string | null>> = {}
  const estimate: Record<string, { amount: number; currency: string } | null> = {}
  for (const [name, value] of Object.entries(mine)) {
    const [locale, field] = name.split('.')
    if (field !== undefined) (translations[locale!] ??= {})[field] = value.trim() === '' ? null : value
    else {
      const amount = readBound(value, currency, language)
      estimate[name] = amount === null ? null : { amount, currency }
    }
  }
  return {
    ...(Object.keys(translations).length > 0 && { translations }),
    ...(Object.keys(estimate).length > 0 && { estimate }),
  }
}
