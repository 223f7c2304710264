import type { Catalogue } from '@auction-catalogue/client'
import { createCatalogue, patient } from './catalogue.ts'
import { connection } from './connection.ts'

/** A catalogue that reports the sent part of a picture, from 0 to 1. */
export const catalogueOfUpload = (onProgress: (part: number) => void): Catalogue => {
  const key = connection.key ?? 'none'
  return createCatalogue(key, { ...patient, fetch: connection.observe(key, sendWithProgress(onProgress)) })
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
