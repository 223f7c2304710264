import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { CatalogueError, uploadImage } from '../api/index.ts'
import { problemWords } from '../parts/problem.tsx'
import { useTexts } from '../texts/texts.tsx'

export type Upload = {
  id: string
  file: File
  isPublic: boolean
  state: 'waiting' | 'sending' | 'arrived' | 'refused'
  part: number
  error?: unknown
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Sends pictures to an item, one after another, so that the gallery has the order of their names. */
export function useUploads(item: string) {
  const client = useQueryClient()
  const [uploads, setUploads] = useState<Upload[]>([])
  const chain = useRef(Promise.resolve())
  const controller = useRef<AbortController>(null)
  useEffect(() => {
    controller.current = new AbortController()
    return () => controller.current?.abort()
  }, [])
  const update = (id: string, change: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)))

  const send = async (upload: Upload) => {
    const { signal } = controller.current!
    const reference = upload.file.name.replace(/\.\w{1,5}$/, '') || upload.file.name
    for (let attempts = 0; !signal.aborted; attempts++) {
      update(upload.id, { state: 'sending', part: 0 })
      try {
        const onProgress = (part: number) => update(upload.id, { part })
        await uploadImage(item, { file: upload.file, reference, public: upload.isPublic }, { onProgress, signal })
        update(upload.id, { state: 'arrived', part: 1 })
        void client.invalidateQueries({ queryKey: ['item', item] })
        await client.invalidateQueries({ queryKey: ['images', item] })
        return
      } catch (error) {
        const status = error instanceof CatalogueError ? error.status : -1
        // The reference is unique in the item: a picture that came before its answer was lost is refused, not doubled.
        const hadArrived = attempts > 0 && status === 409
        if (hadArrived) return update(upload.id, { state: 'arrived', part: 1 })
        if (![0, 429, 502, 503, 504].includes(status)) return update(upload.id, { state: 'refused', error })
        update(upload.id, { state: 'waiting' })
        await sleep(Math.min(10_000, 1_000 * 2 ** attempts))
      }
    }
  }
  const add = (files: File[], isPublic: boolean) => {
    const sorted = files.toSorted((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }))
    const added = sorted.map((file): Upload => ({ id: crypto.randomUUID(), file, isPublic, state: 'waiting', part: 0 }))
    setUploads((all) => [...all.filter(({ state }) => state !== 'arrived'), ...added])
    for (const upload of added) chain.current = chain.current.then(() => send(upload))
  }
  return { uploads, add, dismiss: (id: string) => setUploads((all) => all.filter((upload) => upload.id !== id)) }
}

/** The pictures that are on their way, each with its progress or its refusal. */
export function UploadList({ uploads, dismiss }: { uploads: Upload[]; dismiss: (id: string) => void }) {
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
              {problemWords(upload.error, texts)}{' '}
              <button type="button" onClick={() => dismiss(upload.id)}>
                {texts.close}
              </button>
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
