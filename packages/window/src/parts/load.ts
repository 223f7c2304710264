const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Whether the service has another version of the window by now; asked however often it takes. */
export async function isReplaced(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')!.getAttribute('src')!
  for (;;) {
    const page = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } }).catch(() => undefined)
    if (page?.ok) return !(await page.text()).includes(own)
    await pause(2_000)
  }
}

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
