import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { createFollower, store, useConnection } from './api/index.ts'
import { KeyOffer } from './key-offer.tsx'
import { keepFiles } from './parts/load.ts'
import { loadRest, router } from './router.tsx'
import { SignIn } from './sign-in.tsx'
import { TextsProvider } from './texts/texts.tsx'

// A hidden tab does not wait for changes: a browser has few connections to one host for all its tabs.
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

/** The pages of one key. */
function House() {
  useEffect(() => {
    const stop = followWhileSeen()
    const timer = setTimeout(loadRest, 3_000)
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  return (
    <>
      <RouterProvider router={router} />
      <KeyOffer />
    </>
  )
}

function App() {
  const { key } = useConnection()
  return (
    <QueryClientProvider client={store}>
      <TextsProvider>{key === null ? <SignIn /> : <House key={key} />}</TextsProvider>
    </QueryClientProvider>
  )
}

// A file dropped beside its place would replace the page.
function refuseFiles(event: DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}

/** Draws the window into an element. */
export function draw(element: HTMLElement): void {
  setTimeout(keepFiles, 3_000)
  addEventListener('dragover', refuseFiles)
  addEventListener('drop', refuseFiles)
  createRoot(element).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
