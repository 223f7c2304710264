type Row = {
  /** Its table in the schema `catalogue`, and its path below `/api/v2`. */
  plural: string
  /** The prefix of its public ids (section 2.1). */
  prefix?: string
  /** The permission to read it. */
  permission?: string
  /** Its number in the feed of changes. The number is stored: a new kind gets the next one. */
  number?: number
  /** Whether a read of an archived record is 404. An image is archived with its item. */
  archives?: true
  /** Whether staff delete its records, while nothing uses them. A deleted record stays as an archived row. */
  deletes?: true
  /** Whether the feed gives it only to requests that name it in `types[]`. */
  byName?: true
}

/** The kinds of record of a house. Each comes after the kinds that its rows refer to: rows are loaded in this order. */
export const kinds = {
  seller: {
    plural: 'sellers',
    prefix: 'sel',
    permission: 'seller_profiles.read',
    number: 4,
    archives: true,
  },
  category: {
    plural: 'categories',
    prefix: 'cat',
    permission: 'categories.read',
    number: 5,
    archives: true,
    deletes: true,
  },
  maker: { plural: 'makers', prefix: 'mkr', permission: 'lots.read', number: 6, archives: true, deletes: true },
  delivery_class: {
    plural: 'delivery_classes',
    prefix: 'dlc',
    permission: 'lots.read',
    number: 7,
    archives: true,
    deletes: true,
  },
  increment_strategy: {
    plural: 'increment_strategies',
    prefix: 'inc',
    permission: 'bidding_step_configurations.read',
    number: 8,
  },
  consignment: {
    plural: 'consignments',
    prefix: 'con',
    permission: 'seller_profiles.read',
    number: 9,
    archives: true,
  },
  auction: {
    plural: 'auctions',
    prefix: 'auc',
    permission: 'auctions.read',
    number: 0,
    archives: true,
  },
  session: {
    plural: 'sessions',
    prefix: 'ses',
    permission: 'auctions.read',
    number: 1,
    archives: true,
    deletes: true,
  },
  item: { plural: 'items', prefix: 'itm', permission: 'lots.read', number: 3, archives: true },
  image: {
    plural: 'images',
    prefix: 'img',
    permission: 'lots.read',
    number: 10,
    archives: true,
    byName: true,
  },
  lot: { plural: 'lots', prefix: 'lot', permission: 'lots.read', number: 2, archives: true },
  bid: { plural: 'bids' },
} as const satisfies Record<string, Row>

type KindWith<Field extends keyof Row> = {
  [Name in Kind]: Field extends keyof (typeof kinds)[Name] ? Name : never
}[Kind]

/** A kind of record of a house. */
export type Kind = keyof typeof kinds

/** All kinds, in the order of loading. */
export const allKinds = Object.keys(kinds) as Kind[]

/** A kind of record that has a public identifier. */
export type RecordKind = KindWith<'prefix'>

/** Whether records of this type have a public identifier with a prefix. */
export function isRecordKind(type: string): type is RecordKind {
  return Object.hasOwn(kinds, type) && 'prefix' in kinds[type as Kind]
}

/** All kinds with a public identifier, in the order of `kinds`. */
export const recordKinds = allKinds.filter(isRecordKind)

/** A kind of record that has a list and is in the feed of changes. */
export type Followed = KindWith<'number'>

/** Whether records of this kind are in the feed of changes. */
export function isFollowed(kind: Kind): kind is Followed {
  return 'number' in kinds[kind]
}

/** The kinds in the feed of changes. The index of each is its number. */
export const followedKinds = allKinds.filter(isFollowed).toSorted((a, b) => kinds[a].number - kinds[b].number)

/** The kinds that the feed gives to requests without `types[]`. */
export const usualKinds = followedKinds.filter((kind) => !('byName' in kinds[kind]))
