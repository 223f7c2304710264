import { listChanges, type Change, type ChangesQuery, type Fingerprint } from './changes.ts'
import { CreatableRecords, Images, Records, Sessions, type Options } from './groups.ts'
import type { Listing } from './listing.ts'
import type { Kind } from './records.ts'
import { Items, Lots } from './search.ts'
import { checkNames, isDiscovery, isObject } from './shapes.ts'
import { Staff } from './staff.ts'
import { Transport, type CatalogueOptions } from './transport.ts'
import type * as wire from './generated/wire.ts'

const isFingerprint = (body: unknown) => isObject(body) && isObject(body['counts'])

/** The catalogue of the house that a key belongs to. */
export class Catalogue {
  readonly #transport: Transport
  readonly auctions: CreatableRecords<'auction'>
  readonly sessions: Sessions
  readonly lots: Lots
  readonly items: Items
  readonly images: Images
  readonly sellers: Records<'seller'>
  readonly categories: Records<'category'>
  readonly makers: Records<'maker'>
  readonly deliveryClasses: Records<'delivery_class'>
  readonly incrementStrategies: Records<'increment_strategy'>
  readonly consignments: Records<'consignment'>
  /** What staff do. It needs a key with the permission `staff`; a bid needs `staff` or `bids`. */
  readonly staff: Staff

  constructor(options: CatalogueOptions) {
    const transport = new Transport(options)
    this.#transport = transport
    this.auctions = new CreatableRecords(transport, 'auctions')
    this.sessions = new Sessions(transport, 'sessions')
    this.lots = new Lots(transport, 'lots')
    this.items = new Items(transport, 'items')
    this.images = new Images(transport, 'images')
    this.sellers = new Records(transport, 'sellers')
    this.categories = new Records(transport, 'categories')
    this.makers = new Records(transport, 'makers')
    this.deliveryClasses = new Records(transport, 'delivery_classes')
    this.incrementStrategies = new Records(transport, 'increment_strategies')
    this.consignments = new Records(transport, 'consignments')
    this.staff = new Staff(transport)
  }

  /** The house and the key, the resources of the service, and their addresses. */
  async discover(options: Options = {}): Promise<wire.Discovery> {
    const { body } = await this.#transport.send({ method: 'GET', path: '', ...options, accepts: isDiscovery })
    return body as wire.Discovery
  }

  /** The house of the key: its name, language, currency and time zone. */
  async house(options: Options = {}): Promise<wire.House> {
    return (await this.discover(options)).house
  }

  /** The changes, from the beginning or after a cursor. With `follow` the list does not end. */
  changes<const K extends Kind = Exclude<Kind, 'image'>, const E extends 'record' = never>(
    query: ChangesQuery<K, E> = {},
    options: Options = {},
  ): Listing<Change<K, E>, string> {
    return listChanges(this.#transport, query, options)
  }

  /** The fingerprint that a copy must have once it has followed all changes. */
  async fingerprint(query: { types?: readonly Kind[] } = {}, options: Options = {}): Promise<Fingerprint> {
    checkNames('fingerprint', query, ['types'])
    const { body } = await this.#transport.send({
      method: 'GET',
      path: '/changes/fingerprint',
      query: { 'types[]': query.types },
      ...options,
      accepts: isFingerprint,
    })
    return body as Fingerprint
  }
}
