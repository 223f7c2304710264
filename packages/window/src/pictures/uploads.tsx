import type { ItemId } from '@auction-catalogue/client'
import { useSyncExternalStore } from 'react'
import { catalogueOfUpload } from '../api/upload.ts'
import { CloseButton } from '../parts/dialog.tsx'
import { Words } from '../parts/problem.tsx'
import { useTexts } from '../texts/texts.tsx'

export type Upload = {
  id: number
  item: ItemId
  file: File
  isPublic: boolean
  state: 'waiting' | 'sending' | 'arrived' | 'refused'
  part: number
  error?: unknown
}

// Uploads go on while the user opens the next item.
let uploads: Upload[] = []
let count = 0
let last = Promise.resolve()
const listeners = new Set<() => void>()

function change(next: Upload[]) {
  uploads = next
  for (const listener of listeners) listener()
}
const update = (id: number, news: Partial<Upload>) =>
  change(uploads.map((upload) => (upload.id === id ? { ...upload, ...news } : upload)))

addEventListener('beforeunload', (event) => {
  if (uploads.some(({ state }) => state === 'waiting' || state === 'sending')) event.preventDefault()
})

async function send({ id, item, file, isPublic }: Upload, before: Promise<void>): Promise<void> {
  const external_reference = file.name.replace(/\.\w{1,5}$/, '') || file.name
  const catalogue = catalogueOfUpload((part) => update(id, { state: 'sending', part }))
  await before
  try {
    await catalogue.images.upload(item, { file, external_reference, public: isPublic })
    update(id, { state: 'arrived', part: 1 })
  } catch (error) {
    update(id, { state: 'refused', error })
  }
}

/** A file for the gallery of an item, or one that only staff see. */
export type Picture = Pick<Upload, 'file' | 'isPublic'>

/** Sends pictures to an item, one after another, so that the gallery is in the order of their names. */
export function addUploads(item: ItemId, pictures: readonly Picture[]): void {
  const sorted = pictures.toSorted((one, other) =>
    one.file.name.localeCompare(other.file.name, undefined, { numeric: true }),
  )
  const added = sorted.map((picture): Upload => ({ ...picture, id: count++, item, state: 'waiting', part: 0 }))
  change([...uploads.filter((upload) => upload.item !== item || upload.state !== 'arrived'), ...added])
  for (const upload of added) last = send(upload, last)
}

/** Takes an upload out of the list. */
export const dismissUpload = (id: number): void => change(uploads.filter((upload) => upload.id !== id))

/** The uploads of this tab to items. */
export function useUploads(items: readonly ItemId[]): Upload[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => uploads,
  )
  return all.filter((upload) => items.includes(upload.item))
}

/** The uploads under way, each with its progress or its refusal. */
export function UploadList({ uploads }: { uploads: Upload[] }) {
  const texts = useTexts()
  if (uploads.length === 0) return null
  const words = { waiting: texts.waiting, sending: texts.uploading, arrived: texts.uploaded }
  return (
    <ul className="uploads" aria-live="polite">
      {uploads.map((upload) => (
        <li key={upload.id} data-state={upload.state}>
          <span className="tile-name">{upload.file.name}</span>
          {upload.state === 'refused' ? (
            <span className="refusal">
              <Words error={upload.error} />{' '}
              <CloseButton of={upload.file.name} onClose={() => dismissUpload(upload.id)} />
            </span>
          ) : (
            <>
              <progress value={upload.part} aria-label={upload.file.name} />
              <span className="quiet">{words[upload.state]}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
