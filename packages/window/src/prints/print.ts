const settle = (image: HTMLImageElement) =>
  new Promise((resolve) => {
    image.addEventListener('load', resolve)
    image.addEventListener('error', resolve)
    image.loading = 'eager'
    if (image.complete) resolve(undefined)
  })

/**
 * Loads all photographs of an element and opens the print dialog of the browser, which proposes `name` for a file. A
 * photograph that does not come is left out. `onLoaded` counts them. Nothing is printed once `signal` is aborted.
 */
export async function printPaper(
  paper: HTMLElement,
  name: string,
  onLoaded: (loaded: number, of: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const images = [...paper.querySelectorAll('img')]
  let loaded = 0
  await Promise.all(images.map((image) => settle(image).then(() => onLoaded(++loaded, images.length))))
  if (signal.aborted) return
  const { title } = document
  document.title = name
  print()
  document.title = title
}
