import type { Permission } from '../../src/context.ts'
import type { CatalogueIds } from './lines.ts'

/** What the tests of all operations need besides the OpenAPI document. */
export type Operation = {
  /** The record of each path parameter in a successful call. */
  params?: Record<string, keyof CatalogueIds>
  /** A body that is accepted once. */
  body?: (ids: CatalogueIds) => unknown
  /** The content type and the bytes of a body that is not JSON. */
  upload?: (ids: CatalogueIds) => { type: string; bytes: Buffer }
  /** Set if the record and its state are checked before the body's shape. */
  recordBeforeShape?: true
  /** Permissions that the example body needs in addition to those of the operation. */
  bodyPermissions?: string[]
  /** Set if any one of several permissions is enough: the least of them. */
  anyPermission?: Permission
}

// A picture of one pixel, PNG.
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function multipart(fields: Record<string, string>, file: Buffer) {
  const boundary = 'the-boundary'
  const part = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`
  const bytes = Buffer.concat([
    ...Object.entries(fields).map(([name, value]) => Buffer.from(`${part(name)}\r\n\r\n${value}\r\n`)),
    Buffer.from(`${part('file')}; filename="dot.png"\r\nContent-Type: image/png\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { type: `multipart/form-data; boundary=${boundary}`, bytes }
}

/** The changes of several records at once, which have no version. */
export const unguarded = ['updateLotsOfSession', 'changeItems', 'changeLots']

/** Every operation of the interface by its operationId. The contract fails for an operation without an entry. */
export const operations: Record<string, Operation> = {
  discover: {},
  listAuctions: {},
  createAuction: { body: () => ({ title: 'Winter', external_reference: 'A-new', description: null }) },
  getAuction: { params: { id: 'auction' } },
  updateAuction: {
    params: { id: 'draftAuction' },
    body: () => ({ title: 'Autumn sale', description: 'Sooner' }),
    recordBeforeShape: true,
  },
  listSessions: {},
  createSession: {
    body: ({ auction, incrementStrategy }) => ({
      auction,
      title: 'Second sitting',
      external_reference: 'S-new',
      opens_at: '2099-09-01T10:00:00+02:00',
      timed: { first_closes_at: '2099-09-08T10:00:00+02:00' },
      settings: { buyer_premium_percentage: '22.50' },
      increment_strategy: incrementStrategy,
    }),
    bodyPermissions: ['bidding_step_configurations.read'],
  },
  getSession: { params: { id: 'session' } },
  updateSession: {
    params: { id: 'draftSession' },
    body: () => ({ title: 'Corrected', settings: { buyer_premium_percentage: '20' } }),
    recordBeforeShape: true,
  },
  listLots: {},
  searchLots: {},
  getLot: { params: { id: 'lot' } },
  updateLotsOfSession: {
    params: { id: 'session' },
    body: ({ lot }) => ({ active: true, lots: [lot] }),
    recordBeforeShape: true,
  },
  updateLot: { params: { id: 'lot' }, body: () => ({ active: true }) },
  listItems: {},
  searchItems: {},
  createItem: {
    body: ({ seller, category, maker, deliveryClass, consignment }) => ({
      external_reference: 'I-new',
      title: 'Klok',
      translations: { en: { title: 'Clock', weight: '2 kg' } },
      estimate: { low: { amount: 10000, currency: 'EUR' } },
      seller,
      categories: [category],
      makers: [maker],
      delivery_class: deliveryClass,
      consignment,
    }),
    bodyPermissions: ['seller_profiles.read', 'categories.read'],
  },
  getItem: { params: { id: 'item' } },
  updateItem: { params: { id: 'plainItem' }, body: () => ({ title: 'Grote vaas', condition: null }) },
  listHouseImages: {},
  listImages: { params: { item_id: 'item' } },
  getImage: { params: { item_id: 'item', id: 'image' } },
  uploadImage: {
    params: { item_id: 'plainItem' },
    upload: () => multipart({ external_reference: 'P-new', alt: 'Een punt' }, dot),
  },
  updateImage: {
    params: { item_id: 'item', id: 'image' },
    body: () => ({ alt: 'De vaas van voren', alt_translations: { en: 'The vase from the front' } }),
  },
  replaceGallery: {
    params: { item_id: 'item' },
    body: ({ image, secondImage }) => ({ images: [secondImage, image], featured: null }),
  },
  reprocessImage: { params: { item_id: 'item', id: 'spareImage' }, body: () => ({}) },
  deleteImage: { params: { item_id: 'item', id: 'spareImage' } },
  listSellers: {},
  getSeller: { params: { id: 'seller' } },
  listCategories: {},
  getCategory: { params: { id: 'category' } },
  listMakers: {},
  getMaker: { params: { id: 'maker' } },
  listDeliveryClasses: {},
  getDeliveryClass: { params: { id: 'deliveryClass' } },
  listIncrementStrategies: {},
  getIncrementStrategy: { params: { id: 'incrementStrategy' } },
  listConsignments: {},
  getConsignment: { params: { id: 'consignment' } },
  changeAuction: { params: { id: 'draftAuction' }, body: () => ({ published: true }) },
  changeSession: {
    params: { id: 'draftSession' },
    body: ({ incrementStrategy }) => ({
      published: true,
      customer_bidding_enabled: true,
      increment_strategy: incrementStrategy,
      opens_at: '2099-07-02T10:00:00Z',
      timed: { group_size: 3 },
    }),
    bodyPermissions: ['bidding_step_configurations.read'],
  },
  addLots: {
    params: { id: 'session' },
    body: ({ plainItem }) => ({
      lots: [
        { item: plainItem, lot_number: 901, starting_bid: { amount: 5000, currency: 'EUR' }, again: true },
        { item: plainItem, again: true },
      ],
    }),
  },
  deleteSession: { params: { id: 'spareSession' } },
  delaySession: { params: { id: 'draftSession' }, body: () => ({ seconds: 600, reason: 'the lift is broken' }) },
  orderLots: { params: { id: 'draftSession' }, body: () => ({ lots: [], from: 10 }) },
  changeLot: { params: { id: 'lot' }, body: () => ({ starting_bid: { amount: 6000, currency: 'EUR' } }) },
  changeLots: {
    params: { id: 'session' },
    body: ({ lot }) => ({ lots: [{ lot, starting_bid: { amount: 7000, currency: 'EUR' }, held: false }] }),
  },
  listBids: { params: { id: 'liveLot' } },
  countBids: { params: { id: 'session' } },
  placeBid: { params: { id: 'liveLot' }, body: () => ({ amount: { amount: 50_000, currency: 'EUR' } }) },
  cancelBid: { params: { id: 'bid' }, body: () => ({ reason: 'Typed wrong' }) },
  recordResults: {
    params: { id: 'session' },
    body: ({ lot }) => ({ results: [{ lot, state: 'withdrawn' }] }),
  },
  discoverStaff: {},
  listStaffLots: {},
  getStaffLot: { params: { id: 'lot' } },
  searchStaffLots: {},
  listStaffSessions: {},
  getStaffSession: { params: { id: 'session' } },
  searchStaffItems: {},
  findItems: {},
  createIncrementStrategy: {
    body: () => ({
      name: 'Steep',
      steps: [{ from: { amount: 0, currency: 'EUR' }, increment: { amount: 1000, currency: 'EUR' } }],
    }),
  },
  changeItems: {
    body: ({ plainItem, category, maker, deliveryClass }) => ({
      items: [{ item: plainItem, categories: [category], makers: [maker], delivery_class: deliveryClass }],
    }),
    bodyPermissions: ['categories.read'],
  },
  archiveItem: { params: { id: 'spareItem' }, body: () => ({ archived: true }) },
  createSeller: { body: () => ({ seller_number: 77, profile_name: 'Jansen' }) },
  changeSeller: { params: { id: 'spareSeller' }, body: () => ({ profile_name: 'De Vries' }) },
  deleteSeller: { params: { id: 'spareSeller' } },
  createCategory: { body: ({ category }) => ({ names: { nl: 'Pendules', en: 'Clocks' }, parent: category }) },
  changeCategory: { params: { id: 'spareCategory' }, body: ({ category }) => ({ parent: category }) },
  deleteCategory: { params: { id: 'spareCategory' } },
  createMaker: { body: () => ({ name: 'Breguet' }) },
  changeMaker: { params: { id: 'spareMaker' }, body: () => ({ active: false }) },
  deleteMaker: { params: { id: 'spareMaker' } },
  createDeliveryClass: { body: () => ({ name: 'Post', instructions: null }) },
  changeDeliveryClass: { params: { id: 'spareDeliveryClass' }, body: () => ({ instructions: 'Op vrijdag.' }) },
  deleteDeliveryClass: { params: { id: 'spareDeliveryClass' } },
  createConsignment: { body: ({ seller }) => ({ number: '2026-77', seller, commission_percentage: '12.5' }) },
  changeConsignment: { params: { id: 'spareConsignment' }, body: ({ seller }) => ({ seller, locked: true }) },
  deleteConsignment: { params: { id: 'spareConsignment' } },
  listJournal: {},
  listChanges: { anyPermission: 'categories.read' },
  getFingerprint: { anyPermission: 'categories.read' },
}
