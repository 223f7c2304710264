import { textNames, type TextName } from '../../src/items/texts.ts'

/** A line of the load format. */
export type Line = { type: string; [field: string]: unknown }

/** The UUID with this number. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** The numbers of records whose ids end in UUIDs of `uuid`. */
export function numbersOf(records: { id: string }[]): number[] {
  return records.map(({ id }) => Number(id.slice(-12)))
}

/** The house line of a test: Dutch, in euros. */
export function houseLine(slug: string, fields: Record<string, unknown> = {}): Line {
  return { type: 'house', slug, name: `House ${slug}`, default_locale: 'nl', currency: 'EUR', ...fields }
}

/** Makes lines of a type, each with the UUID of its number as its id. `common`: the other fields of every line. */
export function linesOf(type: string, common: (number: number) => Record<string, unknown>) {
  return (number: number, fields: Record<string, unknown> = {}): Line => ({
    type,
    id: uuid(number),
    ...common(number),
    ...fields,
  })
}

/** An amount in euros. */
export function eur(amount: number) {
  return { amount, currency: 'EUR' }
}

/** The public ids of the records of `catalogueOf`. */
export type CatalogueIds = ReturnType<typeof idsOf>

function idsOf(house: number) {
  const id = (prefix: string, number: number) => `${prefix}_${uuid(house * 1000 + number)}`
  return {
    seller: id('sel', 1),
    parentCategory: id('cat', 2),
    category: id('cat', 3),
    maker: id('mkr', 4),
    deliveryClass: id('dlc', 5),
    incrementStrategy: id('inc', 6),
    consignment: id('con', 7),
    auction: id('auc', 8),
    draftAuction: id('auc', 9),
    session: id('ses', 10),
    liveSession: id('ses', 11),
    draftSession: id('ses', 12),
    item: id('itm', 13),
    image: id('img', 14),
    secondImage: id('img', 15),
    spareImage: id('img', 16),
    lot: id('lot', 17),
    liveLot: id('lot', 18),
    bid: id('bid', 99),
    plainItem: id('itm', 19),
    spareSeller: id('sel', 20),
    spareCategory: id('cat', 21),
    spareMaker: id('mkr', 22),
    spareDeliveryClass: id('dlc', 23),
    spareConsignment: id('con', 24),
    spareItem: id('itm', 25),
    spareSession: id('ses', 26),
  }
}

// Nothing points to them, and lists have them last.
const early = { created_at: '2020-01-01T00:00:00Z' }

/** A house with at least one record of every kind, all of them related; houses differ by their number. */
export function catalogueOf(house: number): { slug: string; ids: CatalogueIds; lines: Line[] } {
  const ids = idsOf(house)
  const slug = `house-${house}`
  const lines: Line[] = [
    houseLine(slug),
    { type: 'seller', id: ids.seller, seller_number: 12, profile_name: 'Erven Van Dam' },
    { type: 'category', id: ids.parentCategory, slug: 'art', names: { nl: 'Kunst' } },
    {
      type: 'category',
      id: ids.category,
      slug: 'paintings',
      names: { nl: 'Schilderijen' },
      parent: ids.parentCategory,
    },
    { type: 'maker', id: ids.maker, name: 'Jan Sluijters' },
    { type: 'delivery_class', id: ids.deliveryClass, name: 'Large', instructions: 'Bring two people.' },
    {
      type: 'increment_strategy',
      id: ids.incrementStrategy,
      name: 'Standard',
      steps: [
        { from: eur(0), increment: eur(500) },
        { from: eur(10000), increment: eur(1000) },
      ],
    },
    { type: 'consignment', id: ids.consignment, number: '2026-1', seller: ids.seller, private_notes: 'secret' },
    { type: 'seller', id: ids.spareSeller, ...early, seller_number: 13 },
    { type: 'category', id: ids.spareCategory, ...early, slug: 'spare' },
    { type: 'maker', id: ids.spareMaker, ...early, name: 'Spare' },
    { type: 'delivery_class', id: ids.spareDeliveryClass, ...early, name: 'Spare' },
    { type: 'consignment', id: ids.spareConsignment, ...early, number: 'spare' },
    { type: 'auction', id: ids.auction, external_reference: 'A-1', title: 'Spring', published: true },
    { type: 'auction', id: ids.draftAuction, external_reference: 'A-2', title: 'Autumn', description: 'Later' },
    {
      type: 'session',
      id: ids.session,
      auction: ids.auction,
      external_reference: 'S-1',
      titles: { nl: 'Zitting' },
      kind: 'timed',
      opens_at: '2099-05-01T10:00:00Z',
      timed: { first_closes_at: '2099-05-08T10:00:00Z', group_size: 1, interval_seconds: 60 },
      increment_strategy: ids.incrementStrategy,
      published: true,
    },
    {
      type: 'session',
      id: ids.liveSession,
      auction: ids.auction,
      external_reference: 'S-2',
      titles: { nl: 'Veiling' },
      kind: 'live',
      opens_at: '2099-06-01T10:00:00Z',
      live: { closes_at: '2099-06-01T18:00:00Z' },
      increment_strategy: ids.incrementStrategy,
    },
    {
      type: 'session',
      id: ids.draftSession,
      auction: ids.draftAuction,
      external_reference: 'S-3',
      titles: { nl: 'Concept' },
      kind: 'timed',
      opens_at: '2099-07-01T10:00:00Z',
      timed: { first_closes_at: '2099-07-08T10:00:00Z', group_size: 2, interval_seconds: 30 },
      increment_strategy: ids.incrementStrategy,
    },
    {
      type: 'session',
      id: ids.spareSession,
      ...early,
      auction: ids.draftAuction,
      external_reference: 'S-4',
      titles: { nl: 'Reserve' },
      kind: 'live',
      increment_strategy: ids.incrementStrategy,
    },
    {
      type: 'item',
      id: ids.item,
      external_reference: 'I-1',
      title: 'Stilleven',
      description: 'Olieverf op doek',
      translations: { nl: { title: 'Stilleven', description: 'Olieverf op doek' }, en: { title: 'Still life' } },
      estimate: { low: eur(10000), high: eur(20000) },
      seller: ids.seller,
      categories: [ids.category],
      makers: [ids.maker],
      delivery_class: ids.deliveryClass,
      consignment: ids.consignment,
    },
    { type: 'item', id: ids.plainItem, external_reference: 'I-2', title: 'Vaas' },
    { type: 'item', id: ids.spareItem, ...early, external_reference: 'I-3', title: 'Kom' },
    {
      type: 'image',
      id: ids.image,
      item: ids.item,
      external_reference: 'P-1',
      public: true,
      position: 0,
      featured: true,
      alt: 'Een vaas',
      alt_translations: { en: 'A vase' },
    },
    { type: 'image', id: ids.secondImage, item: ids.item, external_reference: 'P-2', public: true, position: 1 },
    { type: 'image', id: ids.spareImage, item: ids.item, external_reference: 'P-3' },
    { type: 'lot', id: ids.lot, session: ids.session, item: ids.item, lot_number: 1, starting_bid: eur(5000) },
    { type: 'lot', id: ids.liveLot, session: ids.liveSession, item: ids.plainItem, lot_number: 1, active: true },
  ]
  return { slug, ids, lines }
}

/** A running session with these ids in the auction of a catalogue, and its one lot. */
export function runningSale(ids: CatalogueIds, { session, lot }: { session: string; lot: string }): [Line, Line] {
  const close = { closes_at: '2099-01-01T00:00:00Z', scheduled_closes_at: '2099-01-01T00:00:00Z' }
  return [
    {
      type: 'session',
      id: session,
      auction: ids.auction,
      titles: { nl: 'Nu' },
      kind: 'timed',
      opens_at: '2020-01-01T00:00:00Z',
      timed: { first_closes_at: '2099-01-01T00:00:00Z', group_size: 1, interval_seconds: 60 },
      increment_strategy: ids.incrementStrategy,
      published: true,
      customer_bidding_enabled: true,
    },
    { type: 'lot', id: lot, session, item: ids.item, lot_number: 1, active: true, ...close },
  ]
}

/** A different value for each text of an item. */
export const everyText = Object.fromEntries(textNames.map((name) => [name, `The ${name}`])) as Record<TextName, string>
