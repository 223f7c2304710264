import { Catalogue, type CatalogueOptions } from '@auction-catalogue/client'
import { connection } from './connection.ts'

// A page outlives every fault, so its requests do too; they end when the user leaves the page. A recent answer that has
// not changed is not sent again.
const patient = { retries: Infinity, longestWait: 5, remember: 40_000_000 }

const create = (key: string, options: Partial<CatalogueOptions>) =>
  new Catalogue({ url: location.origin, key, fetch: connection.observe(key), ...options })

let current: { key: string; catalogue: Catalogue } | undefined

/** The catalogue of the signed-in key. */
export function catalogue(): Catalogue {
  // A page that the user leaves by signing out may still ask: the service refuses this key.
  const key = connection.key ?? 'none'
  if (current?.key !== key) current = { key, catalogue: create(key, patient) }
  return current.catalogue
}

/**
 * Asks the service whether a key is valid.
 * @throws CatalogueError
 */
export const tryKey = (key: string) => create(key, { retries: 0 }).discover()

/**
 * The house of any key.
 * @throws CatalogueError
 */
export const readHouse = (key: string, signal: AbortSignal) => create(key, patient).house({ signal })

/** A catalogue that reports the sent part of a picture, from 0 to 1. */
export const catalogueOfUpload = (onProgress: (part: number) => void): Catalogue => {
  const key = connection.key ?? 'none'
  return create(key, { ...patient, fetch: connection.observe(key, sendWithProgress(onProgress)) })
}

// A browser's fetch reports no progress.
const sendWithProgress =
  (onProgress: (part: number) => void): typeof fetch =>
  (url, { method, headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const sender = new XMLHttpRequest()
      sender.open(method!, url as string)
      for (const [name, value] of headers as Headers) sender.setRequestHeader(name, value)
      sender.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
      sender.addEventListener('load', () => {
        const lines = sender.getAllResponseHeaders().trim().split('\r\n')
        const pairs = lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string])
        resolve(new Response(sender.responseText, { status: sender.status, headers: pairs }))
      })
      sender.addEventListener('error', () => reject(new TypeError('The upload was cut off')))
      sender.addEventListener('abort', () => reject(signal?.reason as Error))
      signal?.addEventListener('abort', () => sender.abort())
      sender.send(body as Blob)
    })
