const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function isReplaced(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')!.getAttribute('src')!
  const page = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } }).catch(() => undefined)
  return page?.ok === true && !(await page.text()).includes(own)
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
