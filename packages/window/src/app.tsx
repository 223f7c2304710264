import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { createFollower, emptyStore, store, useConnection } from './api/index.ts'
import { loadRest, router } from './router.tsx'
import { SignIn } from './sign-in.tsx'
import { TextsProvider } from './texts/texts.tsx'

// A tab that is not seen waits for no changes: a browser has few connections to one host for all its tabs.
function followWhileSeen(): () => void {
  const follow = createFollower(store)
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

function App() {
  const { key } = useConnection()
  useEffect(() => {
    if (key === null) return undefined
    const stop = followWhileSeen()
    const timer = setTimeout(loadRest, 3_000)
    return () => {
      stop()
      clearTimeout(timer)
      emptyStore()
    }
  }, [key])
  return (
    <TextsProvider>
      {key === null ? (
        <SignIn />
      ) : (
        <QueryClientProvider client={store}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      )}
    </TextsProvider>
  )
}

/** Draws the window into an element. */
export function draw(element: HTMLElement): void {
  createRoot(element).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
