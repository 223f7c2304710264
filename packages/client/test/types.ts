// Correct and incorrect uses of the client, for the compiler. No program runs this file.
import {
  etag,
  type Auction,
  type AuctionId,
  type Bid,
  type BidId,
  type Catalogue,
  type Conflict,
  type cursor,
  type FacetValue,
  type GalleryImage,
  type ImageId,
  type Item,
  type ItemId,
  type JournalEntry,
  type Locale,
  type House,
  type Lot,
  type LotId,
  type MakerId,
  type ManagedImage,
  type Money,
  type Reason,
  type SellerId,
  type Session,
  type SessionCounts,
  type SessionId,
  type StaffLot,
  type StaffSession,
} from '../src/index.ts'

type Same<A, B> = [A, B] extends [B, A] ? [] : ['these types differ']
declare function same<A, B>(..._: Same<A, B>): void

export async function expand(catalogue: Catalogue, lotId: LotId, session: SessionId) {
  const plain = await catalogue.lots.get(lotId)
  same<typeof plain.item, ItemId>()
  same<typeof plain.session, SessionId>()
  const withItem = await catalogue.lots.get(lotId, { expand: ['item'] })
  same<typeof withItem.item.images, ImageId[]>()
  same<typeof withItem.session, SessionId>()
  const withImages = await catalogue.lots.get(lotId, { expand: ['images', 'session'] })
  same<typeof withImages.item.images, GalleryImage[]>()
  same<typeof withImages.session.auction, AuctionId>()
  for await (const lot of catalogue.lots.list({ session, expand: ['item.images'] })) {
    same<(typeof lot.item.images)[number]['preview_url'], string | null>()
    same<typeof lot, Lot<'item.images'>>()
  }
  const { data } = await catalogue.auctions.list({ expand: ['sessions'] }).page()
  same<(typeof data)[number], Auction<'sessions'>>()
  same<(typeof data)[number]['sessions'], Session[]>()
  const one = await catalogue.sessions.get(session, { expand: ['auction'] })
  same<typeof one.auction, Auction>()
  if (one.kind === 'timed') same<typeof one.timed.extension_seconds, number>()
  else same<typeof one.live.closes_at, string | null>()
  // @ts-expect-error only its kind says which block a session has
  void one.timed.first_closes_at
  // @ts-expect-error a lot has no such relationship
  void catalogue.lots.get(lotId, { expand: ['seller'] })
  // @ts-expect-error sellers have no relationships
  void catalogue.sellers.list({ expand: ['item'] })
  // @ts-expect-error items have no such filter
  void catalogue.items.list({ slug: 'x' })
}

export async function ask(catalogue: Catalogue, session: SessionId, lot: LotId, item: ItemId) {
  same<Awaited<ReturnType<typeof catalogue.house>>, House>()
  const { key, changes } = await catalogue.discover()
  same<typeof key.rate_limit, number>()
  same<typeof changes, string>()
  const counted = await catalogue.sessions.get(session, { expand: ['counts', 'auction'] })
  same<typeof counted.counts, SessionCounts>()
  same<typeof counted.auction, Auction>()
  const plain = await catalogue.sessions.get(session)
  // @ts-expect-error this read did not ask for counts
  void plain.counts
  // @ts-expect-error a write takes no expand[]=counts
  void catalogue.sessions.update(session, {}, { expand: ['counts'] })
  const { changed } = await catalogue.sessions.updateLots(session, { active: true, lots: [lot] }, { dryRun: true })
  same<typeof changed, number>()
  void catalogue.sessions.updateLots(session, { active: false, lots: 'all' })
  // @ts-expect-error the id of an item is not the id of a lot
  void catalogue.sessions.updateLots(session, { active: true, lots: [item] })
  for await (const image of catalogue.images.listAll({ session, failed: true })) same<typeof image, ManagedImage>()
}

export async function search(catalogue: Catalogue, maker: MakerId) {
  const page = await catalogue.lots
    .search({ q: 'vaas', maker: [maker], facets: ['maker', 'open'], expand: ['item'] })
    .page()
  same<(typeof page.data)[number], Lot<'item'>>()
  same<typeof page.total, number>()
  same<typeof page.facets, { maker: FacetValue[]; open: FacetValue[] }>()
  for await (const item of catalogue.items.search({ sort: '-estimate' })) same<typeof item, Item>()
  // @ts-expect-error this search did not ask for it
  void page.facets.result
  // @ts-expect-error items are not counted by session
  void catalogue.items.search({ facets: ['session'] })
}

export async function identify(catalogue: Catalogue, itemId: ItemId, sellerId: SellerId, text: string) {
  void catalogue.items.get('itm_7e3a9b1c-4d58-4c6f-9e2d-5a6b7c8d9e05')
  void catalogue.items.get(text as ItemId)
  // @ts-expect-error the id of a seller is not the id of an item
  void catalogue.items.get(sellerId)
  // @ts-expect-error a text of any form is not an id
  void catalogue.items.get(text)
  // @ts-expect-error in a body too, the id of an item is not the id of a seller
  void catalogue.items.update(itemId, { seller: itemId })
  void catalogue.items.update(itemId, { seller: sellerId, makers: [] as const })
}

export async function write(catalogue: Catalogue, itemId: ItemId, session: SessionId, auction: AuctionId) {
  const item = await catalogue.items.create({ external_reference: 'V-118', title: 'Delfts blauwe vaas' })
  same<(typeof item)[typeof etag], string | undefined>()
  await catalogue.items.update(
    item.id,
    { estimate: { low: { amount: 40_000, currency: 'EUR' } } },
    { ifMatch: item[etag] },
  )
  same<NonNullable<NonNullable<Item['estimate']>['low']>, Money>()
  const title = item.translations['nl' satisfies Locale]?.title
  same<typeof title, string | undefined>()
  const rehearsed = await catalogue.items.create({ external_reference: 'V-119' }, { dryRun: true, expand: ['images'] })
  same<typeof rehearsed.id, null>()
  same<typeof rehearsed.images, GalleryImage[]>()
  const changed = await catalogue.items.update(itemId, {}, { dryRun: true })
  same<typeof changed.id, ItemId>()
  const timing = { auction, title: 'x', external_reference: 'S', opens_at: '2026-12-01T10:00:00Z' }
  void catalogue.sessions.create({ ...timing, live: { closes_at: '2026-12-02T10:00:00Z' } })
  // @ts-expect-error money is never a number alone
  void catalogue.items.update(itemId, { estimate: { low: 400 } })
  // @ts-expect-error a new item has a reference
  void catalogue.items.create({ title: 'x' })
  // @ts-expect-error a new session has timed or live
  void catalogue.sessions.create(timing)
  // @ts-expect-error the interface creates no lots
  void catalogue.lots.create
  // @ts-expect-error sellers are read-only
  void catalogue.sellers.update
  // @ts-expect-error an unsupported locale
  void catalogue.items.update(itemId, { translations: { pt: { title: 'x' } } })
  const [first] = (await catalogue.items.list().page()).data
  // @ts-expect-error a record of a list has no ETag
  void first?.[etag]
  void session
}

export async function upload(catalogue: Catalogue, itemId: ItemId, blob: Blob) {
  const image = await catalogue.images.upload(
    itemId,
    { file: blob, external_reference: 'V-118-1', public: true },
    { onProgress: ({ sent, total }) => void (total === undefined ? sent : sent / total) },
  )
  void (await catalogue.images.settled(itemId, image.id)).preview_url
  void catalogue.images.upload(itemId, { file: 'V-118-1.jpg', external_reference: 'V-118-1' })
  void catalogue.images.upload(itemId, { file: () => blob.stream(), external_reference: 'V-118-1' })
  // @ts-expect-error an image is of an item
  void catalogue.images.settled(image.id)
}

export async function follow(catalogue: Catalogue, after: string) {
  for await (const change of catalogue.changes({ after, types: ['lot', 'item'], follow: true })) {
    if (change.type === 'lot') same<typeof change.id, LotId | null>()
    else same<typeof change.id, ItemId | null>()
    same<(typeof change)[typeof cursor], string>()
    // @ts-expect-error this read did not ask for it
    void change.record
  }
  for await (const change of catalogue.changes({ types: ['lot'], expand: ['record'] }))
    same<typeof change.record, Lot | null>()
  for await (const { data, nextCursor } of catalogue.changes({ types: ['lot'], expand: ['record'] }).pages()) {
    same<typeof nextCursor, string>()
    same<(typeof data)[number]['record'], Lot | null>()
  }
  for await (const { nextCursor } of catalogue.lots.list().pages()) same<typeof nextCursor, string | null>()
  for await (const change of catalogue.changes({ types: ['image'], expand: ['record'] })) {
    same<typeof change.item, ItemId | null>()
    same<typeof change.record, ManagedImage | null>()
  }
  for await (const change of catalogue.changes()) {
    // @ts-expect-error images come only if they are named
    if (change.type === 'image') return
  }
  const { counts } = await catalogue.fingerprint({ types: ['lot'] })
  same<typeof counts.lot, number | undefined>()
}

export async function run(catalogue: Catalogue, session: SessionId, lotId: LotId, item: ItemId, maker: MakerId) {
  const { staff } = catalogue
  const [added] = await staff.sessions.addLots(session, { lots: [{ item, starting_bid: null }] })
  same<NonNullable<typeof added>, StaffLot>()
  const [tried] = await staff.sessions.addLots(session, { lots: [{ item }] }, { dryRun: true })
  same<NonNullable<typeof tried>['id'], null>()
  const lot = await staff.lots.update(
    lotId,
    { held: true, result: null, reason: 'hammered too early' },
    { expand: ['item'] },
  )
  same<typeof lot.item, Item>()
  same<typeof lot.staff.bids, number>()
  same<(typeof lot)[typeof etag], string | undefined>()
  const ordered = await staff.sessions.orderLots(session, { lots: [lotId] }, { ifMatch: '"1"', expand: ['auction'] })
  same<typeof ordered.auction, Auction>()
  same<typeof ordered.staff.results, 'automatic' | 'by-staff'>()
  const made = await staff.makers.create({ name: 'Breguet' })
  same<typeof made.id, MakerId>()
  for await (const bid of staff.bids.list(lotId)) {
    same<typeof bid, Bid>()
    same<typeof bid.id, BidId | null>()
  }
  for await (const row of staff.journal.list({ record: lotId, since: '2026-11-14T00:00:00Z' })) {
    same<typeof row, JournalEntry>()
    same<typeof row.actor.type, 'key' | 'command' | 'job'>()
  }
  for await (const each of staff.items.list({ offered: 'never', expand: ['images'] }))
    same<typeof each, Item<'images'>>()
  for await (const each of staff.lots.list({ session, held: true, number_from: 1, limit: 1000, expand: ['session'] })) {
    same<typeof each, StaffLot<'session'>>()
    same<typeof each.session, Session>()
  }
  for await (const each of staff.sessions.list({ published: false, expand: ['counts'] }))
    same<typeof each, StaffSession<'counts'>>()
  const found = await staff.lots.search({ q: 'vaas', held: false, facets: ['result'], expand: ['item'] }).page()
  same<(typeof found.data)[number], StaffLot<'item'>>()
  same<typeof found.facets, { result: FacetValue[] }>()
  for await (const each of staff.items.search({ offered: 'never' })) same<typeof each, Item>()
  same<(typeof lot)['staff']['held'], boolean>()
  const placed = await staff.bids.place(lotId, { amount: { amount: 1, currency: 'EUR' } })
  if ('staff' in placed) same<typeof placed.staff.has_had_bid, boolean>()
  // @ts-expect-error a key with bids alone gets no staff
  void placed.staff
  // @ts-expect-error what everybody reads has no such field
  void (await catalogue.lots.get(lotId)).staff
  // @ts-expect-error nor such a filter
  void catalogue.lots.list({ held: true })
  // @ts-expect-error only the end of a session is final
  void staff.sessions.update(session, { finished: false })
  // @ts-expect-error the id of a maker is not the id of a lot
  void staff.bids.place(maker, { amount: { amount: 1, currency: 'EUR' } })
  // @ts-expect-error a cancellation has a reason
  void staff.bids.cancel('bid_1', {})
  // @ts-expect-error a bid guards nothing
  void staff.bids.place(lotId, { amount: { amount: 1, currency: 'EUR' } }, { ifMatch: '"1"' })
  // @ts-expect-error such a list is no filter
  void staff.items.list({ offered: 'again' })
  // @ts-expect-error sellers are read with the other records
  void staff.sellers.list
}

export function explain({ reason, errors }: Conflict): string {
  const known: Reason = 'not_closed'
  const least = errors?.[0]?.minimum
  same<typeof least, Money | undefined>()
  return reason === known ? 'later' : String(reason)
}

export function branch(error: Conflict): string {
  return error.code === 'duplicate-reference' && !error.uncertain ? error.detail : `${error.requestId}`
}
