import { QueryClient, onlineManager } from '@tanstack/react-query'

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
        // The catalogue's client repeats what may succeed later.
        retry: false,
      },
      mutations: { networkMode: 'always' },
    },
  })

/** What was read with the key that is signed in. */
export let store = createStore()

/** Forgets what was read: another key sees another house. */
export function emptyStore(): void {
  store.clear()
  store = createStore()
}
