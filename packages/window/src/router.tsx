import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { Frame } from './frame.tsx'
import { Landing } from './sales/landing.tsx'
import { Sales } from './sales/sales.tsx'
import { SessionPage } from './session/session.tsx'
import { Wall } from './session/wall.tsx'
import { NotFound } from './parts/problem.tsx'

/** Which lots the wall shows; part of the address, so that it can be sent to a colleague. */
export type WallSearch = { q?: string; only?: string }

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })
const sales = createRoute({ getParentRoute: () => root, path: '/', component: Sales })
const landing = createRoute({ getParentRoute: () => root, path: '/now', component: Landing })
const session = createRoute({ getParentRoute: () => root, path: '/sessions/$session', component: SessionPage })
const wall = createRoute({
  getParentRoute: () => session,
  path: '/',
  component: Wall,
  validateSearch: ({ q, only }: Record<string, unknown>): WallSearch => ({
    // The router reads a number as one.
    ...((typeof q === 'string' || typeof q === 'number') && { q: `${q}` }),
    ...(typeof only === 'string' && { only }),
  }),
})
const schedule = createRoute({
  getParentRoute: () => session,
  path: '/schedule',
  component: lazyRouteComponent(() => import('./session/schedule.tsx'), 'Schedule'),
})
const attention = createRoute({
  getParentRoute: () => session,
  path: '/pictures',
  component: lazyRouteComponent(() => import('./session/attention.tsx'), 'Attention'),
})
const lot = createRoute({
  getParentRoute: () => root,
  path: '/sessions/$session/lots/$lot',
  component: lazyRouteComponent(() => import('./lot/lot.tsx'), 'LotPage'),
})
const item = createRoute({
  getParentRoute: () => root,
  path: '/items/$item',
  component: lazyRouteComponent(() => import('./lot/item.tsx'), 'ItemPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([sales, landing, session.addChildren([wall, schedule, attention]), lot, item]),
  history: createHashHistory(),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

// The files of this version are gone once the service is newer. What was typed is kept in the tab, so a reload loses nothing.
addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('reloaded') ?? 0)
  if (Date.now() - last < 10_000) return
  event.preventDefault()
  sessionStorage.setItem('reloaded', String(Date.now()))
  location.reload()
})
