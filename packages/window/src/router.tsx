import type { ItemId, LotId, SessionId } from '@auction-catalogue/client'
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { takeKeyFromAddress, type Search } from './api/index.ts'
import { Frame } from './frame.tsx'
import type { PrintSearch } from './prints/prints.tsx'
import { Landing } from './sales/landing.tsx'
import type { AfterSearch } from './staff/after/results-of.ts'
import type { ItemsSearch } from './staff/preparing/items/found-items.ts'
import { SessionPage } from './session/session.tsx'
import { Wall } from './session/wall.tsx'
import { loadPart } from './parts/load.ts'
import { focusHeading } from './parts/heading.ts'
import { NotFound, Problem } from './parts/problem.tsx'
import { useTexts } from './texts/texts.tsx'

const parts = {
  Sales: () => import('./sales/sales.tsx'),
  Pictures: () => import('./sales/pictures.tsx'),
  List: () => import('./session/list.tsx'),
  Attention: () => import('./session/attention.tsx'),
  LotPage: () => import('./lot/lot.tsx'),
  ItemPage: () => import('./lot/item.tsx'),
  Results: () => import('./search/results.tsx'),
}

// These are loaded when they are used.
const Schedule = () => import('./session/schedule.tsx')
const DeskPage = () => import('./staff/desk.tsx')
const ResultsPage = () => import('./staff/results.tsx')
const HistoryPage = () => import('./staff/journal/history.tsx')
const JournalPages = () => import('./staff/journal/journal.tsx')
const PreparationPage = () => import('./staff/preparing/preparation.tsx')
const ItemsPage = () => import('./staff/preparing/items.tsx')
const AfterPage = () => import('./staff/after/after.tsx')
const SheetsPage = () => import('./staff/after/sheets.tsx')
const PreparePage = () => import('./staff/preparing/prepare.tsx')
const CataloguingPages = () => import('./staff/cataloguing/pages.tsx')
const PrintsPage = () => import('./prints/prints.tsx')

/** Loads small parts that the first view did not need, so that they are there when the service is not. */
export function loadRest(): void {
  const others = [
    () => import('./session/switching.tsx'),
    () => import('./parts/settings-dialog.tsx'),
    () => import('./sign-in.tsx'),
    () => import('./key-offer.tsx'),
  ]
  for (const part of [...Object.values(parts), ...others]) void loadPart<unknown>(part)
}

// Which lots the wall shows. Part of the address, so that a user can send it to a colleague.
type WallSearch = { q?: string | undefined; only?: string | undefined }

type Ids = { session: SessionId; lot: LotId; item: ItemId }
// An id of another kind is answered with 404, like one that does not exist.
const params = <Name extends keyof Ids>() => ({ parse: (raw: Record<Name, string>) => raw as Pick<Ids, Name> })

// The router reads a number as a number.
const readWords = (q: unknown) => (typeof q === 'string' || typeof q === 'number' ? `${q}` : undefined)

/** The texts of an address that have one of these names. */
const pickTexts = <Search,>(raw: Record<string, unknown>, names: readonly (keyof Search & string)[]) =>
  Object.fromEntries(names.flatMap((name) => (typeof raw[name] === 'string' ? [[name, raw[name]]] : []))) as Search

/** While the program and the texts of a page load. */
function Loading() {
  return <p className="quiet page">{useTexts().loading}</p>
}

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })
const sales = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => loadPart(parts.Sales), 'Sales'),
})
const pictures = createRoute({
  getParentRoute: () => root,
  path: '/pictures',
  component: lazyRouteComponent(() => loadPart(parts.Pictures), 'Pictures'),
})
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  component: lazyRouteComponent(() => loadPart(parts.Results), 'Results'),
  validateSearch: (raw: Record<string, unknown>): Search => ({
    ...pickTexts<Search>(raw, ['session', 'category', 'maker', 'result']),
    q: readWords(raw['q']),
    ...(raw['go'] === true && { go: true }),
  }),
})
const landing = createRoute({ getParentRoute: () => root, path: '/now', component: Landing })
const session = createRoute({
  getParentRoute: () => root,
  path: '/sessions/$session',
  params: params<'session'>(),
  component: SessionPage,
})
const wall = createRoute({
  getParentRoute: () => session,
  path: '/',
  component: Wall,
  validateSearch: ({ q, only }: Record<string, unknown>): WallSearch => ({
    // The router leaves fields that are not named here unchanged in the address.
    q: readWords(q),
    only: typeof only === 'string' ? only : undefined,
  }),
})
const list = createRoute({
  getParentRoute: () => session,
  path: '/list',
  component: lazyRouteComponent(() => loadPart(parts.List), 'List'),
})
const schedule = createRoute({
  getParentRoute: () => session,
  path: '/schedule',
  component: lazyRouteComponent(() => loadPart(Schedule), 'Schedule'),
})
const attention = createRoute({
  getParentRoute: () => session,
  path: '/pictures',
  component: lazyRouteComponent(() => loadPart(parts.Attention), 'Attention'),
})
const desk = createRoute({
  getParentRoute: () => session,
  path: '/desk',
  component: lazyRouteComponent(() => loadPart(DeskPage), 'DeskPage'),
})
const results = createRoute({
  getParentRoute: () => session,
  path: '/results',
  component: lazyRouteComponent(() => loadPart(ResultsPage), 'ResultsPage'),
})
const sessionJournal = createRoute({
  getParentRoute: () => session,
  path: '/journal',
  component: lazyRouteComponent(() => loadPart(JournalPages), 'SessionJournalPage'),
})
const recordJournal = createRoute({
  getParentRoute: () => root,
  path: '/journal/$record',
  component: lazyRouteComponent(() => loadPart(JournalPages), 'RecordJournalPage'),
})
const prepare = createRoute({
  getParentRoute: () => session,
  path: '/prepare',
  component: lazyRouteComponent(() => loadPart(PreparePage), 'PreparePage'),
  validateSearch: ({ lot }: Record<string, unknown>): { lot?: string | undefined } => ({
    lot: typeof lot === 'string' ? lot : undefined,
  }),
})
const preparation = createRoute({
  getParentRoute: () => root,
  path: '/prepare',
  component: lazyRouteComponent(() => loadPart(PreparationPage), 'PreparationPage'),
})
const prints = createRoute({
  getParentRoute: () => session,
  path: '/prints',
  component: lazyRouteComponent(() => loadPart(PrintsPage), 'PrintsPage'),
  validateSearch: ({ paper, language, from, to }: Record<string, unknown>): PrintSearch => ({
    paper: typeof paper === 'string' ? paper : undefined,
    language: typeof language === 'string' ? language : undefined,
    from: typeof from === 'number' ? from : undefined,
    to: typeof to === 'number' ? to : undefined,
  }),
})
const itemsSearch = ['offered', 'without', 'consignment', 'seller', 'maker', 'category', 'sort', 'session'] as const
const items = createRoute({
  getParentRoute: () => root,
  path: '/prepare/items',
  component: lazyRouteComponent(() => loadPart(ItemsPage), 'ItemsPage'),
  validateSearch: (raw: Record<string, unknown>): ItemsSearch => ({
    ...pickTexts<ItemsSearch>(raw, itemsSearch),
    q: readWords(raw['q']),
  }),
})
const catalogueItem = createRoute({
  getParentRoute: () => root,
  path: '/catalogue',
  component: lazyRouteComponent(() => loadPart(CataloguingPages), 'CataloguePage'),
  validateSearch: ({ like }: Record<string, unknown>): { like?: ItemId | undefined } => ({
    like: typeof like === 'string' ? (like as ItemId) : undefined,
  }),
})
const editItem = createRoute({
  getParentRoute: () => root,
  path: '/catalogue/$item',
  params: params<'item'>(),
  component: lazyRouteComponent(() => loadPart(CataloguingPages), 'EditPage'),
})
const readAfter = (raw: Record<string, unknown>) =>
  pickTexts<AfterSearch>(raw, ['seller', 'consignment', 'auction', 'session', 'result'])
const after = createRoute({
  getParentRoute: () => root,
  path: '/after',
  component: lazyRouteComponent(() => loadPart(AfterPage), 'AfterPage'),
  validateSearch: readAfter,
})
const sheets = createRoute({
  getParentRoute: () => root,
  path: '/after/sheets',
  component: lazyRouteComponent(() => loadPart(SheetsPage), 'SheetsPage'),
  validateSearch: readAfter,
})
const lotHistory = createRoute({
  getParentRoute: () => root,
  path: '/sessions/$session/lots/$lot/history',
  params: params<'session' | 'lot'>(),
  component: lazyRouteComponent(() => loadPart(HistoryPage), 'HistoryPage'),
})
const lot = createRoute({
  getParentRoute: () => root,
  path: '/sessions/$session/lots/$lot',
  params: params<'session' | 'lot'>(),
  component: lazyRouteComponent(() => loadPart(parts.LotPage), 'LotPage'),
})
const item = createRoute({
  getParentRoute: () => root,
  path: '/items/$item',
  params: params<'item'>(),
  component: lazyRouteComponent(() => loadPart(parts.ItemPage), 'ItemPage'),
})

// Runs before the router listens, which must not read an address with a key.
const takeKey = () => takeKeyFromAddress(router.history.location)
takeKeyFromAddress()
for (const event of ['popstate', 'hashchange']) addEventListener(event, takeKey)

export const router = createRouter({
  routeTree: root.addChildren([
    sales,
    pictures,
    search,
    landing,
    session.addChildren([wall, list, schedule, attention, prepare, desk, results, sessionJournal, prints]),
    recordJournal,
    preparation,
    items,
    catalogueItem,
    editItem,
    after,
    sheets,
    lot,
    lotHistory,
    item,
  ]),
  history: createHashHistory(),
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultPendingMinMs: 0,
  defaultErrorComponent: ({ error, reset }) => <Problem error={error} retry={reset} />,
  scrollRestoration: true,
})

// The link that the user followed is gone: the page begins at its heading.
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) focusHeading()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
