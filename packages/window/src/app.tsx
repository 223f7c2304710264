import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { store, useConnection } from './api/index.ts'
import { keepFiles, loadPart } from './parts/load.ts'
import { loadRest, router } from './router.tsx'
import { TextsProvider } from './texts/texts.tsx'

// Most visits need neither.
const SignIn = lazy(async () => ({ default: (await loadPart(() => import('./sign-in.tsx'))).SignIn }))
const KeyOffer = lazy(async () => ({ default: (await loadPart(() => import('./key-offer.tsx'))).KeyOffer }))

// A hidden tab does not wait for changes: a browser has few connections to one host for all its tabs.
async function followWhileSeen(end: AbortSignal): Promise<void> {
  const { createFollower } = await loadPart(() => import('./api/follow.ts'))
  if (end.aborted) return
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
  end.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', adapt)
    controller?.abort()
  })
}

/** The pages of one key. */
function House() {
  const { offered } = useConnection()
  useEffect(() => {
    const end = new AbortController()
    void followWhileSeen(end.signal)
    // What a clerk recorded before the page was loaded again is sent on every page.
    if (sessionStorage.getItem('decisions'))
      void import('./staff/decisions.ts').then(({ sendWaiting }) => sendWaiting())
    const timer = setTimeout(loadRest, 3_000)
    return () => {
      end.abort()
      clearTimeout(timer)
    }
  }, [])
  return (
    <>
      <RouterProvider router={router} />
      {offered !== null && (
        <Suspense>
          <KeyOffer />
        </Suspense>
      )}
    </>
  )
}

function App() {
  const { key } = useConnection()
  return (
    <QueryClientProvider client={store}>
      <TextsProvider>
        <Suspense>{key === null ? <SignIn /> : <House key={key} />}</Suspense>
      </TextsProvider>
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
