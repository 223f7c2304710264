// The writes of sections 3 and 4.2 to 4.4 over plain data, written from the specification alone. Bodies have the
// right shape; refusals depend only on the state.
import { find } from './world.ts'
import type {
  Id,
  Texts,
  Versioned,
  Auction,
  Item,
  World,
  AuctionBody,
  SessionBody,
  ItemBody,
  Operation,
  House,
} from './world.ts'

const inMilliseconds = (time: string) => new Date(time).toISOString()
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

// Replaces different values, and counts that as a change.
function update<T extends Versioned>(record: T, changes: Partial<T>): boolean {
  const changed = Object.entries(changes).some(([name, value]) => !same(value, record[name as keyof T]))
  if (changed) Object.assign(record, changes, { version: record.version + 1 })
  return changed
}

function createAuction(world: World, id: Id, body: AuctionBody): number {
  if (world.auctions.some((auction) => auction.external_reference === body.external_reference)) return 409
  const base = body.title!.toLowerCase().replaceAll(' ', '-')
  let slug = base
  for (let number = 2; world.auctions.some((auction) => auction.slug === slug); number++) slug = `${base}-${number}`
  const { title, description = null, external_reference } = body
  world.auctions.push({
    id,
    version: 1,
    title: title!,
    description,
    slug,
    external_reference: external_reference!,
    published: false,
  })
  return 201
}

function updateAuction(world: World, id: Id, body: AuctionBody): number {
  const auction = find(world.auctions, id)
  if (!auction) return 404
  if (auction.published) return 409
  update(auction, body as Partial<Auction>)
  return 200
}

function createSession(world: World, house: House, id: Id, body: SessionBody): number {
  const { timed, live, settings } = body
  const closes = timed?.first_closes_at ?? live!.closes_at
  if (Date.parse(closes) <= Date.parse(body.opens_at!)) return 422
  if (world.sessions.some((session) => session.external_reference === body.external_reference)) return 409
  const siblings = world.sessions.filter((session) => session.auction === body.auction)
  const latest = siblings.at(-1)
  const sibling = siblings.findLast((session) => session.timed)?.timed
  const builtIn = { group_size: 1, interval_seconds: 60, extension_threshold_seconds: 120, extension_seconds: 120 }
  world.sessions.push({
    id,
    version: 1,
    auction: body.auction!,
    title: body.title!,
    external_reference: body.external_reference!,
    opens_at: inMilliseconds(body.opens_at!),
    ...(timed && { timed: { ...builtIn, ...sibling, ...timed } }),
    ...(live && { live: { closes_at: inMilliseconds(live.closes_at) } }),
    premium: settings?.buyer_premium_percentage ?? latest?.premium ?? '0',
    increment_strategy: body.increment_strategy ?? latest?.increment_strategy ?? house.strategies[0]!,
    published: false,
    finished: false,
  })
  const created = world.sessions.at(-1)!
  if (created.timed) created.timed.first_closes_at = inMilliseconds(created.timed.first_closes_at)
  return 201
}

function updateSession(world: World, id: Id, body: SessionBody): number {
  const session = find(world.sessions, id)
  if (!session) return 404
  if (session.published || session.finished || world.lots.some((lot) => lot.session === id)) return 409
  const { opens_at, timed, live, title = session.title, settings } = body
  const whole = timed ? timed.group_size !== undefined && timed.interval_seconds !== undefined : live !== undefined
  const fits = timed ? session.timed !== undefined : session.live !== undefined
  if (opens_at !== undefined || timed || live) {
    if (opens_at === undefined || !whole || !fits) return 422
    if (Date.parse(timed?.first_closes_at ?? live!.closes_at) <= Date.parse(opens_at)) return 422
  }
  update(session, {
    title,
    premium: settings?.buyer_premium_percentage ?? session.premium,
    ...(opens_at !== undefined && { opens_at: inMilliseconds(opens_at) }),
    ...(timed && { timed: { ...session.timed!, ...timed, first_closes_at: inMilliseconds(timed.first_closes_at) } }),
    ...(live && { live: { closes_at: inMilliseconds(live.closes_at) } }),
  })
  return 200
}

function changeItem(item: Item, house: House, body: ItemBody): Partial<Item> | undefined {
  const { title, weight, translations = {}, estimate } = body
  const flat = { ...(title !== undefined && { title }), ...(weight !== undefined && { weight }) }
  const texts = structuredClone(item.texts)
  for (const [locale, given] of Object.entries(translations)) texts[locale] = { ...texts[locale], ...given }
  for (const [name, text] of Object.entries(flat)) {
    if (translations['nl']?.[name] !== undefined && translations['nl'][name] !== text) return undefined
    texts['nl'] = { ...texts['nl'], [name]: text }
  }
  if (translations['nl']?.['title'] === null) return undefined

  const bound = (name: 'low' | 'high') =>
    estimate?.[name] === undefined ? item[name] : (estimate[name]?.amount ?? null)
  const [low, high] = estimate === null ? [null, null] : [bound('low'), bound('high')]
  if (low !== null && high !== null && low > high) return undefined

  let { seller = item.seller } = body
  const { consignment = item.consignment } = body
  const assigned = consignment !== item.consignment
  if (consignment !== null) {
    if (assigned && house.locked.includes(consignment)) return undefined
    if (body.seller === null) return undefined
    if (assigned && body.seller === undefined) seller ??= house.sellerOf[consignment]!
    if (seller !== house.sellerOf[consignment]) return undefined
  }
  const kept = item.categories.filter((id) => (body.categories ?? item.categories).includes(id))
  const added = (body.categories ?? []).filter((id) => !item.categories.includes(id))
  const external_reference = body.external_reference ?? item.external_reference
  return {
    external_reference,
    texts: compact(texts),
    low,
    high,
    seller,
    consignment,
    makers: body.makers ?? item.makers,
    categories: [...kept, ...added],
  }
}

// Texts as they are stored: no null, no empty locale, in one order.
function compact(texts: Record<string, Texts>): Record<string, Texts> {
  const locales = Object.keys(texts).toSorted()
  const stored = locales.map((locale) => {
    const names = ['title', 'weight'].filter((name) => (texts[locale]![name] ?? null) !== null)
    return [locale, Object.fromEntries(names.map((name) => [name, texts[locale]![name]!]))] as const
  })
  return Object.fromEntries(stored.filter(([, each]) => Object.keys(each).length > 0))
}

function createItem(world: World, house: House, id: Id, body: ItemBody): number {
  const none = { texts: {}, low: null, high: null, seller: null, consignment: null, makers: [], categories: [] }
  const item: Item = { id, version: 1, external_reference: body.external_reference!, ...none }
  if (Object.values(body.estimate ?? {}).includes(null)) return 422
  const isTaken = world.items.some((other) => other.external_reference === body.external_reference)
  const wanted = changeItem(item, house, body)
  if (!wanted || wanted.texts!['nl']?.['title'] === undefined) return isShapeWrong(body) || !isTaken ? 422 : 409
  if (isTaken) return 409
  world.items.push({ ...item, ...wanted })
  return 201
}

// An error that does not depend on the state comes before a reference that is taken.
function isShapeWrong({ title, weight, translations, estimate }: ItemBody): boolean {
  const inDefault = translations?.['nl'] ?? {}
  const differs = (name: string, flat: unknown) =>
    flat !== undefined && inDefault[name] !== undefined && inDefault[name] !== flat
  if (differs('title', title) || differs('weight', weight) || inDefault['title'] === null) return true
  return (estimate?.low?.amount ?? 0) > (estimate?.high?.amount ?? Infinity)
}

function updateItem(world: World, house: House, id: Id, body: ItemBody): number {
  const item = find(world.items, id)
  if (isShapeWrong(body)) return 422
  if (!item) return 404
  const isTaken = world.items.some((other) => other !== item && other.external_reference === body.external_reference)
  const wanted = changeItem(item, house, body)
  if (isTaken) return 409
  if (!wanted) return 422
  if (update(item, wanted)) for (const lot of world.lots) if (lot.item === id && !lot.archived) lot.version++
  return 200
}

const hasBids = (world: World, session: Id) => world.lots.some((lot) => lot.session === session && lot.bids > 0)

const opensSoon = ({ opens_at }: { opens_at: string }, { now }: House) =>
  Date.parse(opens_at) < Date.parse(now) + 300_000

// No session of these histories has results.
function isInPreparation(world: World, house: House, id: Id): boolean {
  const session = find(world.sessions, id)!
  return !session.finished && !(session.published && opensSoon(session, house)) && !hasBids(world, id)
}

function updateLot(world: World, house: House, id: Id, active: boolean): number {
  const lot = find(world.lots, id)
  if (!lot || lot.archived) return 404
  if (lot.active === active) return 200
  if (!isInPreparation(world, house, lot.session) || opensSoon(find(world.sessions, lot.session)!, house)) return 409
  update(lot, { active })
  return 200
}

function archiveLot(world: World, house: House, id: Id): number {
  const lot = find(world.lots, id)!
  if (lot.archived) return 200
  if (!isInPreparation(world, house, lot.session)) return 409
  update(lot, { archived: true })
  return recalculate(world, house, lot.session)
}

function recalculate(world: World, house: House, id: Id): number {
  const session = find(world.sessions, id)!
  const { timed } = session
  if (!timed || session.finished || Date.parse(session.opens_at) <= Date.parse(house.now) || hasBids(world, id))
    return 200
  const lots = world.lots.filter((lot) => lot.session === id && !lot.archived)
  const active = lots.filter((lot) => lot.active).toSorted((one, other) => one.lot_number - other.lot_number)
  for (const lot of lots) {
    const group = Math.floor(active.indexOf(lot) / timed.group_size)
    const close = Date.parse(timed.first_closes_at) + group * timed.interval_seconds * 1000
    update(lot, { close: lot.active ? new Date(close).toISOString() : null })
  }
  return 200
}

function moveByStaff(world: World, operation: Operation): void {
  const { do: move, id } = operation
  if (move === 'addLot') {
    const { session, item, lot_number } = operation
    const fresh = { version: 1, active: false, archived: false, bids: 0, close: null }
    world.lots.push({ id, session, item, lot_number, ...fresh })
  } else if (move === 'bid') find(world.lots, id)!.bids++
  else if (move === 'publishAuction') update(find(world.auctions, id)!, { published: true })
  else if (move === 'publishSession') update(find(world.sessions, id)!, { published: true })
  else if (move === 'finishSession') update(find(world.sessions, id)!, { finished: true })
}

/** Applies the operation to the world. Returns the status of its answer; actions of staff that are carried out have 200. */
export function apply(world: World, house: House, operation: Operation): number {
  const { do: what, id } = operation
  if (what === 'createAuction') return createAuction(world, id, operation.body)
  if (what === 'updateAuction') return updateAuction(world, id, operation.body)
  if (what === 'createSession') return createSession(world, house, id, operation.body)
  if (what === 'updateSession') return updateSession(world, id, operation.body)
  if (what === 'createItem') return createItem(world, house, id, operation.body)
  if (what === 'updateItem') return updateItem(world, house, id, operation.body)
  if (what === 'updateLot') return updateLot(world, house, id, operation.body.active)
  if (what === 'recalculate') return recalculate(world, house, id)
  if (what === 'archiveLot') return archiveLot(world, house, id)
  moveByStaff(world, operation)
  return 200
}
