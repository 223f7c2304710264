// A service worker that caches the files of the window, so that a page opened without a network can say so. It asks the
// network first. It caches nothing of the interface and no pictures.

/** The files of the build, `/` among them: the hash of each file by its address. */
declare const files: Record<string, string>

type Lifetime = Event & { waitUntil(work: Promise<unknown>): void }
type Fetching = Event & { request: Request; respondWith(answer: Promise<Response>): void }

const openCache = () => caches.open('window')

async function answer(request: Request): Promise<Response> {
  // A proxy may answer instead of the service.
  const reply = await fetch(request).catch(() => undefined)
  if (reply && ![502, 503, 504].includes(reply.status)) return reply
  const kept = await (await openCache()).match(request, { ignoreVary: true, ignoreSearch: true })
  return kept ?? reply ?? Response.error()
}

/** Caches the files of this build, all or none. A captive portal may answer with a page of its own. */
async function keep(): Promise<void> {
  const read = async ([address, integrity]: [string, string]) =>
    [address, await fetch(address, { integrity, cache: 'no-cache' })] as const
  const replies = await Promise.all(Object.entries(files).map(read))
  const cache = await openCache()
  await Promise.all(replies.map(([address, reply]) => cache.put(address, reply)))
}

async function removeOld(): Promise<void> {
  const cache = await openCache()
  const old = (await cache.keys()).filter(({ url }) => !(new URL(url).pathname in files))
  await Promise.all(old.map((request) => cache.delete(request)))
}

addEventListener('install', (event) => (event as Lifetime).waitUntil(keep()))
addEventListener('activate', (event) => (event as Lifetime).waitUntil(removeOld()))
addEventListener('fetch', (event) => {
  const fetching = event as Fetching
  const { request } = fetching
  const { origin, pathname } = new URL(request.url)
  const isPage = pathname === '/' && request.mode === 'navigate'
  if (origin === location.origin && (isPage || pathname.startsWith('/assets/'))) fetching.respondWith(answer(request))
})
