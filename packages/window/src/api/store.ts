import { QueryClient, onlineManager } from '@tanstack/react-query'
import { clearRecords } from './records.ts'

onlineManager.setOnline(true)

const createStore = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: 'always',
        staleTime: 60_000,
        gcTime: 30 * 60_000,
        // The catalogue's client repeats requests that may succeed later.
        retry: false,
      },
      mutations: { networkMode: 'always' },
    },
  })

/** The data read with the signed-in key. */
export let store = createStore()

/** Drops the data: another key sees another house. */
export function emptyStore(): void {
  store.clear()
  clearRecords()
  store = createStore()
}

const begun = Promise.withResolvers<void>()
let hasBegun = false

/** Resolves once the changes are followed, or cannot be. */
export const whenFollowing = () => begun.promise
export const isFollowing = () => hasBegun
export function beginFollowing(): void {
  hasBegun = true
  begun.resolve()
}
