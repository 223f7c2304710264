import { catalogueOf, type CatalogueIds } from '../../../test/support/lines.ts'
import { startService, type TestService } from '../../../test/support/service.ts'
import { Catalogue, type CatalogueOptions } from '../src/index.ts'
import type * as wire from '../src/generated/wire.ts'

type Ids = {
  [Name in keyof CatalogueIds]: Name extends 'seller' | 'spareSeller'
    ? wire.SellerId
    : Name extends 'parentCategory' | 'category' | 'spareCategory'
      ? wire.CategoryId
      : Name extends 'maker' | 'spareMaker'
        ? wire.MakerId
        : Name extends 'deliveryClass' | 'spareDeliveryClass'
          ? wire.DeliveryClassId
          : Name extends 'incrementStrategy'
            ? wire.IncrementStrategyId
            : Name extends 'consignment' | 'spareConsignment'
              ? wire.ConsignmentId
              : Name extends 'auction' | 'draftAuction'
                ? wire.AuctionId
                : Name extends 'session' | 'liveSession' | 'draftSession' | 'spareSession'
                  ? wire.SessionId
                  : Name extends 'item' | 'plainItem' | 'spareItem'
                    ? wire.ItemId
                    : Name extends 'lot' | 'liveLot'
                      ? wire.LotId
                      : wire.ImageId
}

/** A listening service with a house that has every kind of record, and a client of that house. */
export async function serveCatalogue(options: Parameters<typeof startService>[0] = {}) {
  const { slug, ids, lines } = catalogueOf(1)
  // Keeps background changes away from the records that the tests compare.
  const service: TestService = await startService({ records: lines, ...options })
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const key = await service.issueKey(slug)
  const connect = (more: Partial<CatalogueOptions> = {}) => new Catalogue({ url, key, ...more })
  return { service, url, key, ids: ids as Ids, connect, catalogue: connect(), close: () => service.close() }
}
