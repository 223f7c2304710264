const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Whether the service has another version of the window by now; asked however often it takes. */
export async function isReplaced(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')!.getAttribute('src')!
  for (;;) {
    const page = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } }).catch(() => undefined)
    // Whoever gives access to a network answers with a page of his own.
    const program = page?.ok && / src="(\/assets\/index-[^"]+)"/.exec(await page.text())?.[1]
    if (program) return program !== own
    await pause(2_000)
  }
}

/** Lets the browser keep the files of the window, so that it opens without a network too. Pages without TLS may not. */
export function keepFiles(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const create = { createScriptURL: () => '/offline.js' }
  const url = trustedTypes?.createPolicy('offline', create).createScriptURL('') ?? '/offline.js'
  // Lib.dom knows no trusted types. A browser that keeps nothing loses nothing else.
  void navigator.serviceWorker?.register(url as string).catch(() => undefined)
}
type TrustedTypes = { createPolicy(name: string, policy: object): { createScriptURL(text: string): unknown } }

/**
 * Loads a part of the window, however often it takes. A tab from before an upgrade asks for files that are gone: it is
 * loaded anew, and what was typed is kept in the tab.
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
