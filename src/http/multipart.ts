import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Problem, temporarilyUnavailable } from '../problems.ts'
import { hasBody } from './bodies.ts'

/** A part of a form: a text, or a file that was written to disk. */
export type FormPart = { name: string; value: unknown }

const mebibyte = 1024 * 1024
const limits = { files: 2, fields: 20, fieldSize: 4096 }

/**
 * Reads a `multipart/form-data` body as it comes in: texts into memory, files (`{path}`) into the folder.
 * @throws Problem malformed-json, payload-too-large (a file larger than `fileBytes`), temporarily-unavailable (full disk)
 */
export async function receiveForm(request: FastifyRequest, folder: string, fileBytes: number): Promise<FormPart[]> {
  if (!request.isMultipart() || !hasBody(request)) throw new Problem('malformed-json', 'The request has no body.')
  const tooLarge = new Problem('payload-too-large', `A file may have ${fileBytes / mebibyte} MiB.`)
  if (Number(request.headers['content-length']) > fileBytes + mebibyte) throw tooLarge
  const parts: FormPart[] = []
  try {
    for await (const part of request.parts({ limits: { ...limits, fileSize: fileBytes } })) {
      if (part.type === 'field') {
        parts.push({ name: part.fieldname, value: part.value })
        continue
      }
      const file = path.join(folder, String(parts.length))
      await pipeline(part.file, createWriteStream(file))
      if (part.file.truncated) throw tooLarge
      parts.push({ name: part.fieldname, value: { path: file } })
    }
    return parts
  } catch (error) {
    // The client reads the answer only after it has sent everything, which nobody wants any more.
    request.raw.unpipe()
    request.raw.resume()
    throw toProblem(error as Error & { syscall?: string; statusCode?: number })
  }
}

function toProblem(error: Error & { syscall?: string; statusCode?: number }): Problem {
  if (error instanceof Problem) return error
  if (error.statusCode === 413)
    return new Problem('payload-too-large', `The form has too many parts: ${error.message}.`)
  if (error.syscall === undefined) return new Problem('malformed-json', `The form cannot be read: ${error.message}.`)
  return temporarilyUnavailable('The upload cannot be stored.', 60, error)
}
