import {
  textNames,
  type Auction,
  type AuctionCreate,
  type AuctionUpdate,
  type Item,
  type ItemCreate,
  type ItemUpdate,
  type Session,
  type SessionCreate,
  type SessionUpdate,
} from '@auction-catalogue/client'
import { compact, type FieldError, type Money, type Records, type Texts } from '../records.ts'

/** The update that a record means, undefined if nothing differs, and the errors of what the interface cannot change. */
export type Wish<Change> = { change: Change | undefined; errors: FieldError[] }

/** The ids of an item's links. A link that the record does not name is undefined, and stays unchanged. */
export type ItemLinks = Pick<ItemCreate, 'seller' | 'categories' | 'makers' | 'delivery_class' | 'consignment'>

function withoutNulls<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null && field !== undefined)) as T
}

/** A session's title in the house's language, or its only title. */
function titleOf(record: Records['session'], locale: string): string | undefined {
  const titles: Record<string, string | undefined> = record.titles ?? {}
  const all = Object.values(titles)
  return titles[locale] ?? (all.length === 1 ? all[0] : undefined)
}

// The service stores whole seconds.
const sameInstant = (a: string | null | undefined, b: string | null | undefined) =>
  a && b ? Math.floor(Date.parse(a) / 1000) === Math.floor(Date.parse(b) / 1000) : (a ?? null) === (b ?? null)
const sameMoney = (a: Money | null | undefined, b: Money | null | undefined) =>
  a?.amount === b?.amount && a?.currency === b?.currency
const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((value, index) => value === b[index])

/** The body that creates an auction. Fields may be missing: the service checks the body. */
export function createAuction(record: Records['auction']): AuctionCreate {
  const { external_reference, title, description } = record
  return withoutNulls({ title, external_reference, description }) as AuctionCreate
}

/** The error of a field that the source empties although the catalogue has a value, which the interface cannot clear. */
const cleared = (type: string, field: string, wanted: unknown, stored: unknown): FieldError[] =>
  wanted !== null || (stored ?? null) === null
    ? []
    : [
        {
          field,
          code: 'required',
          message: `is empty, and the ${type} in the catalogue has ${JSON.stringify(stored)}: it can be changed, not cleared`,
        },
      ]

/** What a record wants of a stored auction. */
export function changeAuction(record: Records['auction'], stored: Auction): Wish<AuctionUpdate> {
  const change = orNothing({
    title: record.title && record.title !== stored.title ? record.title : undefined,
    description: changed(record.description, stored.description),
  })
  return { change, errors: cleared('auction', 'title', record.title, stored.title) }
}

/** The body that creates a session. */
export function createSession(
  record: Records['session'],
  ids: { auction: string; increment_strategy?: string | undefined },
  locale: string,
): SessionCreate {
  const { external_reference, opens_at, kind, timed, live, settings } = record
  return withoutNulls({
    ...ids,
    title: titleOf(record, locale),
    external_reference,
    opens_at,
    [kind]: withoutNulls((kind === 'timed' ? timed : live) ?? {}),
    settings: settings && withoutNulls(settings),
  }) as unknown as SessionCreate
}

const sameId = (a: string | undefined, b: string) => a?.slice(-36).toLowerCase() === b.slice(-36).toLowerCase()

/** The errors of a session whose kind, auction or strategy differs: they are set when it is made. */
function findFixed(
  record: Records['session'],
  ids: { auction: string | undefined; increment_strategy: string | undefined },
  stored: Session,
): FieldError[] {
  const { kind, timed } = record
  // A sheet that does not say the kind has an empty block.
  const saysKind = kind !== 'timed' || !timed || Object.keys(timed).length > 0
  const strategy = stored.increment_strategy
  const isOther = ids.increment_strategy !== undefined && !(strategy && sameId(ids.increment_strategy, strategy))
  const messages = {
    kind: saysKind && kind !== stored.kind && `is ${stored.kind} in the catalogue: a session keeps its kind`,
    auction: !sameId(ids.auction, stored.auction) && 'is another one in the catalogue: a session stays in its auction',
    increment_strategy: isOther && 'is another one in the catalogue: only staff can change it',
  }
  return Object.entries(messages).flatMap(([field, message]) => (message ? [{ field, code: 'differs', message }] : []))
}

/** What a record wants of a stored session. Timing changes as a whole. `ids` are those of its links, if they are there. */
export function changeSession(
  record: Records['session'],
  ids: { auction: string | undefined; increment_strategy: string | undefined },
  stored: Session,
  locale: string,
): Wish<SessionUpdate> {
  const { titles, opens_at, settings } = record
  const title = titles === null ? null : titleOf(record, locale)
  const premium = settings?.buyer_premium_percentage
  const wanted = (stored.kind === 'timed' ? record.timed : record.live) ?? {}
  const given = withoutNulls(wanted)
  const block: Record<string, unknown> = stored.kind === 'timed' ? stored.timed : stored.live
  const same = Object.entries(given).every(([name, value]) =>
    typeof value === 'string' ? sameInstant(value, block[name] as string | null) : value === block[name],
  )
  const opens = opens_at ?? stored.opens_at
  const timing =
    same && sameInstant(opens, stored.opens_at)
      ? {}
      : { opens_at: opens, [stored.kind]: withoutNulls({ ...block, ...given }) }
  const change = orNothing<SessionUpdate>({
    title: title && title !== stored.title ? title : undefined,
    settings:
      premium && Number(premium) !== Number(stored.settings.buyer_premium_percentage)
        ? { buyer_premium_percentage: premium }
        : undefined,
    ...(timing as Pick<SessionUpdate, 'opens_at'>),
  })
  // Where a record has none of the others, a new session has those of the house.
  const times = Object.entries(wanted).filter(([name]) => name.endsWith('closes_at'))
  const errors = [
    ...findFixed(record, ids, stored),
    ...cleared('session', 'title', title, stored.title),
    ...cleared('session', 'opens_at', opens_at, stored.opens_at),
    ...times.flatMap(([name, value]) => cleared('session', `${stored.kind}.${name}`, value, block[name])),
  ]
  return { change, errors }
}

function changed<T>(wanted: T | undefined, stored: T): T | undefined {
  return wanted === undefined || wanted === stored ? undefined : wanted
}

function orNothing<T extends object>(change: T): T | undefined {
  const fields = compact(change)
  return Object.keys(fields).length > 0 ? fields : undefined
}

function textsOf(record: Texts): Texts {
  return compact(Object.fromEntries(textNames.map((name) => [name, record[name]])))
}

function translationsOf({ translations }: Records['item']): [locale: string, Texts][] {
  const rows = Array.isArray(translations)
    ? translations.map((row): [string, Texts] => [row.locale, row])
    : Object.entries<Texts>((translations ?? {}) as Record<string, Texts>)
  return rows.map(([locale, texts]): [string, Texts] => [locale, textsOf(texts)])
}

/** The body that creates an item. */
export function createItem(record: Records['item'], links: ItemLinks): ItemCreate {
  const translations = translationsOf(record).flatMap(([locale, texts]) => {
    const given = withoutNulls(texts)
    return Object.keys(given).length > 0 ? [[locale, given]] : []
  })
  const estimate = record.estimate && withoutNulls(record.estimate)
  return withoutNulls({
    external_reference: record.external_reference,
    ...textsOf(record),
    translations: translations.length > 0 ? Object.fromEntries(translations) : undefined,
    estimate,
    ...links,
  }) as ItemCreate
}

/** What a record wants of a stored item. Fields that the record does not have stay unchanged. */
export function changeItem(
  record: Records['item'],
  links: ItemLinks,
  stored: Omit<Item, 'images'>,
  locale: string,
): Wish<ItemUpdate> {
  const flat = textNames.map((name) => [name, changed(record[name], stored[name])])
  const translations = translationsOf(record).flatMap(([language, texts]) => {
    // Texts in the house's language are fields of the item itself.
    const present: { [Name in keyof Texts]?: string | null | undefined } =
      (language === locale ? stored : stored.translations[language as 'nl']) ?? {}
    const change = orNothing(
      Object.fromEntries(textNames.map((name) => [name, changed(texts[name], present[name] ?? null)])),
    )
    return change ? [[language, change]] : []
  })
  const change = orNothing<ItemUpdate>({
    ...Object.fromEntries(flat),
    translations: translations.length > 0 ? Object.fromEntries(translations) : undefined,
    estimate: changeEstimate(record.estimate, stored.estimate),
    seller: changed(links.seller, stored.seller),
    delivery_class: changed(links.delivery_class, stored.delivery_class),
    consignment: changed(links.consignment, stored.consignment),
    makers: links.makers && !sameList(links.makers, stored.makers) ? links.makers : undefined,
    categories:
      links.categories && !sameList(links.categories.toSorted(), stored.categories.toSorted())
        ? links.categories
        : undefined,
  })
  // The load format may have the title only as a translation.
  if (change?.title === null && Object.fromEntries(translationsOf(record))[locale]?.title) delete change.title
  const field = change?.title === null ? 'title' : `translations.${locale}.title`
  const title = change?.title === null ? null : change?.translations?.[locale as 'nl']?.title
  return { change: change && orNothing(change), errors: cleared('item', field, title, stored.title) }
}

function changeEstimate(wanted: Records['item']['estimate'], stored: Item['estimate']): ItemUpdate['estimate'] {
  if (wanted === undefined) return undefined
  if (wanted === null) return stored === null ? undefined : null
  return orNothing({
    low: wanted.low === undefined || sameMoney(wanted.low, stored?.low) ? undefined : wanted.low,
    high: wanted.high === undefined || sameMoney(wanted.high, stored?.high) ? undefined : wanted.high,
  })
}

/** The names of the fields in a change, also of nested ones: `translations.en.title`. */
export function namesOf(change: object): string[] {
  return Object.entries(change).flatMap(([name, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value) && !('currency' in value)
      ? namesOf(value as object).map((part) => `${name}.${part}`)
      : [name],
  )
}
