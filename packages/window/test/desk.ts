import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { closeInTheEnd } from '../../../test/support/ending.ts'
import { settle, type Stage } from './support.ts'

type Image = { id: string; external_reference: string; processing: boolean; processing_failure: object | null }

/** A stage with a desk for pictures: items of its own, and files to add to their pages. Its key opens a wall of lots. */
export async function openDesk(stage: Stage) {
  const folder = await mkdtemp(path.join(tmpdir(), 'window-pictures-'))
  closeInTheEnd(() => rm(folder, { recursive: true }))
  const createItem = (reference: string) =>
    stage.call<{ id: string }>('/items', 'POST', { external_reference: reference, title: `Stuk ${reference}` })
  const listImages = (item: string) => stage.call<Image[]>(`/items/${item}/images?limit=100`)
  const listGallery = async (item: string) => {
    const references = new Map((await listImages(item)).map((image) => [image.id, image.external_reference]))
    return (await stage.call<{ images: string[] }>(`/items/${item}`)).images.map((id) => references.get(id))
  }
  const openItem = async (item: string) => {
    const opened = await stage.open()
    await opened.page.waitForSelector('.lot-card')
    await opened.page.goto(`${stage.origin}/#/items/${item}`)
    await opened.page.waitForSelector('.drop')
    return opened
  }
  const upload = async (page: Page, files: Record<string, Buffer | string>) => {
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content)
    await page.setInputFiles(
      '.desk input[type=file]',
      Object.keys(files).map((name) => path.join(folder, name)),
    )
  }
  return {
    ...stage,
    folder,
    createItem,
    listImages,
    /** The references of the pictures that an item shows, in their order. */
    listGallery,
    /** Opens the page of an item. */
    openItem,
    /** Adds files with these names and contents to the page of an item. */
    upload,
    /** Waits until the interface answers as expected. */
    settle,
  }
}
