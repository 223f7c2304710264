import { Busboy } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { finished, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem, temporarilyUnavailable } from '../../problems.ts'
import { hasBody, requirePlainText } from './json.ts'

/** A file of a form, stored at `path`. All other values of a form are strings. */
export class ReceivedFile {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }
}

/** A part of a form. Of several files, only the first is written to disk. */
export type FormPart = { name: string; value: string | ReceivedFile }

const mebibyte = 1024 * 1024
// Error messages contain the names of parts.
const longestName = 100
const limits = { files: 2, fields: 20, fieldSize: 128 * 1024 }

/** Makes the routes of this scope take forms only. They read forms with `receiveForm`. */
export function acceptForms(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
}

/**
 * Reads a `multipart/form-data` body while it arrives: texts into memory, the file into the folder. Sets the body of
 * the request to the values by name.
 * @throws Problem malformed-json, unsupported-media-type (a content encoding), payload-too-large (a file larger than
 * `fileBytes`), temporarily-unavailable (full disk)
 */
export async function receiveForm(request: FastifyRequest, folder: string, fileBytes: number): Promise<FormPart[]> {
  if (!hasBody(request)) throw new Problem('malformed-json', 'The request has no body.')
  requirePlainText(request)
  const { raw } = request
  const mostBytes = fileBytes + mebibyte
  const tooLarge = new Problem('payload-too-large', `The file is larger than ${fileBytes / mebibyte} MiB.`)
  const tooMany = new Problem(
    'payload-too-large',
    `The form has more than ${limits.files} files or ${limits.fields} fields.`,
  )
  if (Number(request.headers['content-length']) > mostBytes) throw tooLarge
  const form = openParser(request, fileBytes)
  const parts: FormPart[] = []
  const file = new ReceivedFile(path.join(folder, 'file'))
  const stop = new AbortController()
  let written: Promise<void> | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const add = (name: string | undefined, value: FormPart['value']) => {
        if (name) parts.push({ name: name.slice(0, longestName), value })
        else reject(new Problem('malformed-json', 'A part of the form has no name.'))
      }
      form.on('field', add)
      form.on('file', (name: string | undefined, bytes: Readable) => {
        add(name, file)
        if (written) {
          bytes.on('error', reject).resume()
          return
        }
        bytes.once('limit', () => reject(tooLarge))
        written = pipeline(bytes, createWriteStream(file.path, { flags: 'wx', mode: 0o600 }), { signal: stop.signal })
        written.catch(reject)
      })
      form.on('filesLimit', () => reject(tooMany)).on('fieldsLimit', () => reject(tooMany))
      form.on('error', reject).on('finish', resolve)
      finished(raw, { writable: false }, (error) => error && reject(error))
      let size = 0
      raw.on('data', (bytes: Buffer) => {
        size += bytes.length
        if (size > mostBytes) reject(tooLarge)
      })
      raw.pipe(form)
    })
    await written
    request.body = Object.fromEntries(parts.map(({ name, value }) => [name, value]))
    return parts
  } catch (error) {
    // Clients read the answer only after they have sent everything, so the rest is read and dropped.
    raw.unpipe()
    raw.resume()
    stop.abort()
    await written?.catch(() => undefined)
    throw toProblem(error as NodeJS.ErrnoException)
  }
}

function openParser({ headers }: FastifyRequest, fileSize: number) {
  try {
    const type = { 'content-type': headers['content-type']! }
    return new Busboy({ headers: { ...headers, ...type }, limits: { ...limits, fileSize } })
  } catch (error) {
    throw toProblem(error as Error)
  }
}

function toProblem(error: NodeJS.ErrnoException): Error {
  if (error instanceof Problem) return error
  if (error.syscall === undefined) return new Problem('malformed-json', `The form cannot be read: ${error.message}.`)
  return temporarilyUnavailable('The upload cannot be stored.', 60, error)
}
