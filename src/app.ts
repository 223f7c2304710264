import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { auctionRoutes } from './auctions/routes.ts'
import { Auction } from './auctions/schema.ts'
import { changeRoutes } from './changes/routes.ts'
import { Change } from './changes/schema.ts'
import { createWaitingRoom } from './changes/waiting-room.ts'
import type { Connection, Database } from './db/pool.ts'
import { shareRuns } from './db/shared.ts'
import { findKeysByHash } from './houses/api-keys.ts'
import { createAuthenticator } from './http/access/authentication.ts'
import { createRateLimiter, type WindowStore } from './http/access/rate-limit.ts'
import { installChecks, refuseUnknownRoutes } from './http/checks.ts'
import { createFramework, defaultTimeouts } from './http/server/framework.ts'
import type { Dice } from './http/server/faults.ts'
import { serveHealth } from './http/server/health.ts'
import type { Timeouts } from './http/server/http-server.ts'
import { refuseOverload } from './http/server/overload.ts'
import { holdOpenSlots } from './http/server/slots.ts'
import { imageRoutes } from './images/routes.ts'
import { ManagedImage } from './images/schema.ts'
import { itemRoutes } from './items/routes.ts'
import { Estimate, GalleryImage, ImageSource, Item, Translation } from './items/schema.ts'
import { lotRoutes } from './lots/routes.ts'
import { AddedLots, Lot, LotResult, StaffLot, SwitchedLots } from './lots/schema.ts'
import { mediaRoutes } from './media/routes.ts'
import type { MediaStore } from './media/store.ts'
import { describeInterface, ProblemDetails } from './openapi/description.ts'
import { serveDocumentation } from './openapi/documentation.ts'
import { catalogueInterface, staffInterface, staffPrefix } from './openapi/interfaces.ts'
import { Discovery, discoveryRoutes, StaffDiscovery, staffDiscoveryRoutes } from './openapi/discovery.ts'
import { serveProblemPages } from './openapi/problem-pages.ts'
import { createAnswerCache, type CountCacheUse } from './reads/cache.ts'
import { encodeAnswers } from './http/encoding/encoding.ts'
import { answerConditionally } from './reads/conditional.ts'
import { referenceRoutes } from './references/routes.ts'
import { Category, Consignment, DeliveryClass, IncrementStrategy, Maker, Seller } from './references/schema.ts'
import { createSearchSlots, searchRoutes, staffSearchRoutes } from './search/routes.ts'
import { FacetValue } from './search/schema.ts'
import { createSearcher, type Searcher } from './search/searcher.ts'
import type { Keyrings } from './settings/secret.ts'
import { sessionRoutes } from './sessions/routes.ts'
import {
  LiveSession,
  LiveSessionCreate,
  Session,
  StaffLiveSession,
  StaffSession,
  StaffTimedSession,
  TimedSession,
  TimedSessionCreate,
  SessionCounts,
} from './sessions/schema.ts'
import { admitStaff } from './staff/admission.ts'
import { auctionRoutes as staffAuctionRoutes } from './staff/auctions.ts'
import { Bid, bidRoutes } from './staff/bids.ts'
import { ChangedItems, itemRoutes as staffItemRoutes } from './staff/items.ts'
import { JournalEntry, journalRoutes } from './staff/journal.ts'
import { lotRoutes as staffLotRoutes } from './staff/lots.ts'
import { referenceRoutes as staffReferenceRoutes } from './staff/references.ts'
import { resultRoutes } from './staff/results.ts'
import { sessionRoutes as staffSessionRoutes } from './staff/sessions.ts'
import { strategyRoutes } from './staff/strategies.ts'
import { Money } from './values/shapes.ts'
import type { WindowFiles } from './window/files.ts'
import { windowRoutes } from './window/routes.ts'
import { installWrites } from './writes/writes.ts'

type RouteOptions = Parameters<typeof changeRoutes>[1] &
  Parameters<typeof discoveryRoutes>[1] &
  Parameters<typeof searchRoutes>[1]
type Routes = (app: FastifyInstance, options: RouteOptions) => Promise<void>

/**
 * What the interfaces serve, in the order of their documents: operations of the catalogue interface (`routes`) and of the
 * staff interface (`staff`), and the shapes that they refer to by name. Each document has the shapes that it needs.
 */
const resources: readonly { routes?: Routes; staff?: Routes; shapes: TSchema[] }[] = [
  { shapes: [Money, ProblemDetails] },
  { routes: discoveryRoutes, staff: staffDiscoveryRoutes, shapes: [Discovery, StaffDiscovery] },
  { routes: auctionRoutes, staff: staffAuctionRoutes, shapes: [Auction] },
  {
    routes: sessionRoutes,
    staff: staffSessionRoutes,
    shapes: [
      TimedSession,
      LiveSession,
      Session,
      StaffTimedSession,
      StaffLiveSession,
      StaffSession,
      SessionCounts,
      TimedSessionCreate,
      LiveSessionCreate,
      AddedLots,
    ],
  },
  { staff: resultRoutes, shapes: [LotResult] },
  { routes: lotRoutes, staff: staffLotRoutes, shapes: [Lot, StaffLot, SwitchedLots] },
  { staff: bidRoutes, shapes: [Bid] },
  { routes: itemRoutes, staff: staffItemRoutes, shapes: [Translation, Estimate, Item, ChangedItems] },
  { routes: searchRoutes, staff: staffSearchRoutes, shapes: [FacetValue] },
  { routes: imageRoutes, shapes: [ImageSource, GalleryImage, ManagedImage] },
  { staff: strategyRoutes, shapes: [IncrementStrategy] },
  {
    routes: referenceRoutes,
    staff: staffReferenceRoutes,
    shapes: [Seller, Category, Maker, DeliveryClass, Consignment],
  },
  { routes: changeRoutes, shapes: [Change] },
  { staff: journalRoutes, shapes: [JournalEntry] },
]

// The parts and settings of the HTTP service.
type AppOptions = {
  db: Database
  keyrings: Keyrings
  publicUrl: string
  media: MediaStore
  /** `DATA_DIR` of a file store, whose files are then served under `/media`. Any other store serves its own files. */
  dataDir?: string
  rateLimitPerMinute: number
  /** The most bytes of the response cache; 0 switches it off. */
  cacheBytes: number
  /** The most bytes of the indexes of searches. Default: 64 MiB. */
  searchBytes?: number | undefined
  /** After how many milliseconds the answer of a search need not be complete. Default: 500. */
  searchPatience?: number
  windows: WindowStore
  /** The page at `/`. Default: none. */
  window?: WindowFiles | undefined
  logger: FastifyBaseLogger
  /**
   * How to reach the database, to listen for changes. Without it, requests that wait for changes poll every few
   * seconds.
   */
  connection?: Connection
  /** The database for `/readyz`, on a connection of its own. Default: `db`. */
  probe?: Database
  metrics?:
    | (Parameters<typeof createFramework>[0]['metrics'] & {
        countCacheUse: CountCacheUse
        watchSearch(measure: Searcher['measure']): void
      })
    | undefined
  timeouts?: Timeouts
  /** The lag of the event loop, in milliseconds, beyond which requests are refused. Default: 2 seconds. */
  longestLag?: number
  /** Adds network faults on purpose. */
  faults?: Dice | undefined
}

const mostKeysTogether = 100

/** Creates the HTTP service: every plugin and every resource, in order. It does not listen yet. */
export async function createApp(options: AppOptions) {
  const { db, probe = db, keyrings, publicUrl, media, dataDir, timeouts = defaultTimeouts } = options
  const findKey = shareRuns((hashes: Buffer[]) => findKeysByHash(db, hashes, new Date()), mostKeysTogether)
  const { authenticate, nameKey } = createAuthenticator((hash) => findKey(hash.toString('base64'), hash))
  const app = createFramework({ ...options, nameKey })
  app.decorate('site', {
    db,
    keyrings,
    publicUrl,
    media,
    answers: createAnswerCache(options.cacheBytes, options.metrics?.countCacheUse),
  })
  const { refuse: refuseUnknown, refuseMethod } = refuseUnknownRoutes(app)

  await refuseOverload(app, options.longestLag)
  app.addHook('onSend', answerConditionally)
  encodeAnswers(app)
  holdOpenSlots(app)
  const shapes = resources.flatMap((resource) => resource.shapes)
  await describeInterface(app, { ...catalogueInterface, shapes })
  await describeInterface(app, { ...staffInterface, shapes })
  await serveDocumentation(app)
  serveProblemPages(app)
  serveHealth(app, probe)

  if (options.window) {
    await app.register(windowRoutes, { files: options.window, mediaOrigin: new URL(media.publicBase).origin })
  }
  if (dataDir !== undefined)
    await app.register(mediaRoutes, { dataDir, keyring: keyrings.addresses, clock: () => new Date() })
  await app.register(async (interfaces) => {
    const countRequest = await createRateLimiter(interfaces, options.rateLimitPerMinute, options.windows)
    installWrites(interfaces)
    installChecks(interfaces, { authenticate, countRequest, refuseMethod, bodyMilliseconds: timeouts.body })
    const room = createWaitingRoom(options.connection)
    const slots = createSearchSlots()
    const searcher = createSearcher(
      options.searchBytes ?? 64 * 1024 * 1024,
      options.searchPatience ?? 500,
      (house, items) =>
        options.logger.warn(
          { house, items },
          'the search has only the newest items of a house: SEARCH_MEMORY_MIB is too small',
        ),
    )
    options.metrics?.watchSearch(() => searcher.measure())
    interfaces.addHook('onClose', () => searcher.close())
    const shared = { room, authenticate, slots, searcher, rateLimitPerMinute: options.rateLimitPerMinute }
    // Without a handler of its own, a prefix would not run its hooks for unknown paths.
    await interfaces.register(
      async (api) => {
        api.setNotFoundHandler(refuseUnknown)
        for (const { routes } of resources) if (routes) await api.register(routes, shared)
      },
      { prefix: '/api/v2' },
    )
    await interfaces.register(
      async (staff) => {
        admitStaff(staff)
        staff.setNotFoundHandler(refuseUnknown)
        for (const { staff: routes } of resources) if (routes) await staff.register(routes, shared)
      },
      { prefix: staffPrefix },
    )
  })
  return app
}
