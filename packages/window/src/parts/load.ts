const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Whether the service has another version of the window by now. Asks again until it gets an answer. */
export async function isReplaced(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')!.getAttribute('src')!
  for (;;) {
    const page = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } }).catch(() => undefined)
    // A captive portal answers with a page of its own.
    const program = page?.ok && / src="(\/assets\/index-[^"]+)"/.exec(await page.text())?.[1]
    if (program) return program !== own
    await pause(2_000)
  }
}

/**
 * Registers the service worker that caches the window, so that it opens without a network too. Browsers forbid it to
 * pages without TLS.
 */
export function keepFiles(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const create = { createScriptURL: () => '/offline.js' }
  const url = trustedTypes?.createPolicy('offline', create).createScriptURL('') ?? '/offline.js'
  // Lib.dom has no trusted types. A browser without service workers loses nothing else.
  void navigator.serviceWorker?.register(url as string).catch(() => undefined)
}
type TrustedTypes = { createPolicy(name: string, policy: object): { createScriptURL(text: string): unknown } }

/**
 * Loads a part of the window, with as many attempts as needed. After an upgrade the old files are gone: the tab
 * reloads, and keeps its unsaved text.
 */
export async function loadPart<Part>(part: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await part()
    } catch {
      if (await isReplaced()) location.reload()
      await pause(2_000)
    }
  }
}
