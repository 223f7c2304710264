import { QueryClient, QueryClientProvider, onlineManager } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { createFollower, useConnection } from './api/index.ts'
import { loadRest, router } from './router.tsx'
import { SignIn } from './sign-in.tsx'
import { TextsProvider } from './texts/texts.tsx'

const createClient = () =>
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
let client = createClient()
onlineManager.setOnline(true)

// A tab that is not seen waits for no changes: a browser has few connections to one host for all its tabs.
function followWhileSeen(): () => void {
  const follow = createFollower(client)
  let controller: AbortController | undefined
  const adapt = () => {
    if (document.visibilityState === 'hidden') {
      controller?.abort()
      controller = undefined
    } else if (controller === undefined) {
      controller = new AbortController()
      void follow(controller.signal)
    }
  }
  adapt()
  document.addEventListener('visibilitychange', adapt)
  return () => {
    document.removeEventListener('visibilitychange', adapt)
    controller?.abort()
  }
}

export function App() {
  const { key } = useConnection()
  useEffect(() => {
    if (key === null) return undefined
    const stop = followWhileSeen()
    const timer = setTimeout(loadRest, 3_000)
    return () => {
      stop()
      clearTimeout(timer)
      // Another key sees another house.
      client.clear()
      client = createClient()
    }
  }, [key])
  return (
    <TextsProvider>
      {key === null ? (
        <SignIn />
      ) : (
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      )}
    </TextsProvider>
  )
}
