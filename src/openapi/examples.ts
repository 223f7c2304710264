import { noTexts } from '../items/texts.ts'
import { staffPrefix } from './interfaces.ts'
import { followedKinds, kinds } from '../kinds.ts'

const ids = {
  auction: 'auc_290583ad-5c4e-4a7a-9d0c-7c1f1f3b8a01',
  timedSession: 'ses_5b1f0c52-31a6-4f0e-8f5b-1d0a6f0e2b02',
  liveSession: 'ses_9c2e7d14-6f3b-4b5d-a1c8-3e4f5a6b7c03',
  lot: 'lot_0d4c8a6e-2f17-4d39-b6a5-8c9e0f1a2b04',
  item: 'itm_7e3a9b1c-4d58-4c6f-9e2d-5a6b7c8d9e05',
  image: 'img_c1d2e3f4-a5b6-4788-99aa-bbccddeeff06',
  seller: 'sel_1a2b3c4d-5e6f-4708-8192-a3b4c5d6e707',
  category: 'cat_2b3c4d5e-6f70-4819-92a3-b4c5d6e7f808',
  maker: 'mkr_3c4d5e6f-7081-492a-a3b4-c5d6e7f80909',
  delivery_class: 'dlc_4d5e6f70-8192-4a3b-b4c5-d6e7f8091a0a',
  increment_strategy: 'inc_5e6f7081-92a3-4b4c-85d6-e7f8091a2b0b',
  consignment: 'con_6f708192-a3b4-4c5d-96e7-f8091a2b3c0c',
}
const times = { created_at: '2026-10-01T08:30:00.000Z', updated_at: '2026-10-12T14:05:10.250Z' }
const euro = (amount: number) => ({ amount, currency: 'EUR' })
const timing = {
  first_closes_at: '2026-12-08T19:00:00.000Z',
  group_size: 1,
  interval_seconds: 60,
  extension_threshold_seconds: 120,
  extension_seconds: 120,
}
const session = {
  auction: ids.auction,
  settings: { buyer_premium_percentage: '22.5' },
  increment_strategy: ids.increment_strategy,
  published: true,
  finished: false,
  customer_bidding_enabled: true,
  ...times,
}
const created = { auction: ids.auction, settings: { buyer_premium_percentage: '22.5' } }
const opening = { opens_at: '2026-12-01T10:00:00+01:00' }

const counts = {
  lots: 118,
  active: 117,
  with_bids: 40,
  extended: 3,
  sold: 0,
  unsold: 0,
  withdrawn: 1,
  without_result: 117,
  without_images: 2,
  images_processing: 5,
  images_failed: 0,
}

const timedSession = {
  ...session,
  id: ids.timedSession,
  title: 'Eerste zitting',
  external_reference: 'V-2026-12-1',
  kind: 'timed',
  opens_at: '2026-12-01T09:00:00.000Z',
  timed: timing,
}

const liveSession = {
  ...session,
  id: ids.liveSession,
  title: 'Zaalveiling',
  external_reference: 'V-2026-12-2',
  kind: 'live',
  opens_at: '2026-12-01T09:00:00.000Z',
  live: { closes_at: '2026-12-09T18:00:00.000Z' },
}

const staffOfSession = { results: 'by-staff', numbers_fixed: true }

const lot = {
  id: ids.lot,
  lot_number: 118,
  active: true,
  title: 'Delfts blauwe vaas',
  starting_bid: euro(30_000),
  current_bid: null,
  sold: false,
  result: null,
  notice: null,
  notice_translations: {},
  closes_at: '2026-12-08T20:57:00.000Z',
  timed: { scheduled_closes_at: '2026-12-08T20:57:00.000Z' },
  item: ids.item,
  session: ids.timedSession,
  ...times,
}

const cursor = 'eyJ2IjoxfQ.7c1f1f3b8a01'
const change = {
  type: 'lot',
  id: ids.lot,
  version: '3f0a9c21.17',
  deleted: false,
  changed_at: times.updated_at,
}

/**
 * An example of each record and body, by the name of its schema. The examples of pages and answers are made from
 * them.
 */
export function printExamples(publicUrl: string): Record<string, object> {
  const address = (file: string) => `${publicUrl}/media/public/5f1c/${file}.webp`
  const urls = {
    url: address('large'),
    preview_url: address('preview'),
    thumbnail_url: address('thumbnail'),
    mini_url: address('mini'),
  }
  const source = (width: number, height: number) => ({ url: address(String(width)), width, height, type: 'image/webp' })
  const shown = {
    width: 4000,
    height: 3000,
    placeholder: '3OcRJYB4d3h/iIeHeEh3eIhw+j2w',
    sources: [source(480, 360), source(960, 720), source(1600, 1200), source(2560, 1920)],
    alt: 'De vaas van voren',
    alt_translations: { nl: 'De vaas van voren', en: 'The vase from the front' },
  }
  const house = { name: 'Veilinghuis Terbraeck', locale: 'nl', currency: 'EUR', time_zone: 'Europe/Amsterdam' }
  const key = {
    name: 'storefront',
    permissions: ['auctions.read', 'lots.read'],
    rate_limit: 300,
    require_if_match: false,
  }
  const staffHouse = { ...house, results: 'by-staff' }
  const base = `${publicUrl}/api/v2`
  const item = {
    id: ids.item,
    external_reference: 'V-118',
    ...noTexts,
    title: 'Delfts blauwe vaas',
    description: 'Met een landschap, omstreeks 1720.',
    condition: 'Kleine chip aan de rand.',
    dimensions: 'h. 31 cm',
    estimate: { low: euro(40_000), high: euro(60_000) },
    images: [ids.image],
    translations: {
      nl: { title: 'Delfts blauwe vaas', description: 'Met een landschap, omstreeks 1720.' },
      en: { title: 'Blue and white Delft vase' },
    },
    seller: ids.seller,
    categories: [ids.category],
    makers: [ids.maker],
    delivery_class: ids.delivery_class,
    consignment: ids.consignment,
    ...times,
  }
  const maker = { value: ids.maker, name: 'De Grieksche A', count: 12 }
  return {
    Discovery: {
      name: 'Auction catalogue',
      version: '2',
      documentation: `${publicUrl}/docs`,
      openapi: `${base}/openapi.json`,
      house,
      key,
      resources: Object.fromEntries(followedKinds.map((kind) => [kinds[kind].plural, `${base}/${kinds[kind].plural}`])),
      changes: `${base}/changes`,
      search: { lots: `${base}/lots/search`, items: `${base}/items/search` },
    },
    House: house,
    StaffDiscovery: {
      house: staffHouse,
      key: { ...key, permissions: ['auctions.read', 'lots.read', 'staff'] },
      resources: Object.fromEntries(
        ['sessions', 'lots', 'items', 'journal'].map((name) => [name, `${publicUrl}${staffPrefix}/${name}`]),
      ),
    },
    StaffHouse: staffHouse,
    ApiKey: key,
    FacetValue: maker,
    SearchPage: { total: 31, corrected: { kandelaer: ['kandelaar'] }, facets: { maker: [maker] } },
    Auction: {
      id: ids.auction,
      title: 'Winterveiling',
      description: 'Zilver, glas en Delfts aardewerk.',
      slug: 'winterveiling',
      external_reference: 'V-2026-12',
      published: true,
      sessions: [ids.timedSession, ids.liveSession],
      ...times,
    },
    Session: timedSession,
    SessionCounts: counts,
    TimedSession: timedSession,
    LiveSession: liveSession,
    StaffSession: { ...timedSession, staff: staffOfSession },
    StaffTimedSession: { ...timedSession, staff: staffOfSession },
    StaffLiveSession: { ...liveSession, staff: staffOfSession },
    Lot: lot,
    StaffLot: { ...lot, staff: { held: false, bids: 3, has_had_bid: true } },
    BiddenLot: lot,
    AddedLots: { data: [{ ...lot, staff: { held: false, bids: 3, has_had_bid: true } }] },
    LotResult: { state: 'sold', amount: euro(45_000), at: '2026-12-08T20:59:02.000Z', after_sale: false, with: null },
    Item: item,
    ChangedItems: { data: [item] },
    ImageSource: source(480, 360),
    GalleryImage: { id: ids.image, ...urls, ...shown, position: 0, featured: true },
    ManagedImage: {
      id: ids.image,
      item: ids.item,
      external_reference: 'V-118-1',
      public: true,
      featured: true,
      processing: false,
      processing_failure: null,
      gallery_position: 0,
      ...urls,
      original_url: `${publicUrl}/media/originals/8a2d.jpg?expires=1796000000&signature=q7Yb`,
      ...shown,
      ...times,
    },
    Seller: { id: ids.seller, seller_number: 2041, name: 'J. de Vries', ...times },
    Category: { id: ids.category, name: 'Aardewerk', slug: 'aardewerk', parent: null, ...times },
    Maker: { id: ids.maker, name: 'De Grieksche A', active: true, ...times },
    DeliveryClass: { id: ids.delivery_class, name: 'Breekbaar', instructions: 'Alleen ophalen.', ...times },
    IncrementStrategy: {
      id: ids.increment_strategy,
      name: 'Standaard',
      steps: [
        { from: euro(0), increment: euro(1_000) },
        { from: euro(50_000), increment: euro(5_000) },
      ],
      ...times,
    },
    Consignment: { id: ids.consignment, number: '2026-0731', seller: ids.seller, locked: false, ...times },
    Problem: {
      type: `${publicUrl}/problems/validation-failed`,
      title: 'The body does not meet the rules',
      status: 422,
      instance: '/api/v2/items',
      detail: 'The body has errors in these fields: title.',
      errors: [{ field: 'title', code: 'blank', message: 'title must not be blank.' }],
    },
    AuctionCreate: { title: 'Winterveiling', external_reference: 'V-2026-12', description: null },
    AuctionUpdate: { title: 'Winterveiling 2026' },
    TimedSessionCreate: {
      ...created,
      ...opening,
      title: 'Eerste zitting',
      external_reference: 'V-2026-12-1',
      timed: { first_closes_at: '2026-12-08T20:00:00+01:00', group_size: 1, interval_seconds: 60 },
    },
    LiveSessionCreate: {
      ...created,
      ...opening,
      title: 'Zaalveiling',
      external_reference: 'V-2026-12-2',
      live: { closes_at: '2026-12-09T19:00:00+01:00' },
    },
    SessionUpdate: {
      ...opening,
      timed: { first_closes_at: '2026-12-08T20:30:00+01:00', group_size: 2, interval_seconds: 60 },
    },
    LotUpdate: { active: true },
    LotsChange: { lots: [{ lot: ids.lot, starting_bid: euro(30_000), held: true, notice: null }] },
    SessionLotsUpdate: { active: true, lots: [ids.lot] },
    SwitchedLots: { changed: 117, unchanged: 1 },
    ItemCreate: {
      external_reference: 'V-118',
      title: 'Delfts blauwe vaas',
      translations: { en: { title: 'Blue and white Delft vase' } },
      estimate: { low: euro(40_000), high: euro(60_000) },
      seller: ids.seller,
      categories: [ids.category],
      makers: [ids.maker],
    },
    ItemUpdate: { condition: null, estimate: { high: euro(65_000) } },
    ItemsChange: {
      items: [{ item: ids.item, categories: [ids.category], makers: [], delivery_class: ids.delivery_class }],
    },
    ImageUpdate: { alt: 'De vaas van voren', alt_translations: { en: 'The vase from the front' } },
    GalleryReplacement: { images: [ids.image], featured: ids.image },
    NoFields: {},
    Change: change,
    ChangePage: { data: [change], has_more: false, next_cursor: cursor },
    Fingerprint: { cursor, counts: { lot: 1 }, fingerprint: '9b0f3c1d5e7a42688c4d1e2f3a5b6c7d' },
  }
}
