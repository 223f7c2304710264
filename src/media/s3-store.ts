import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import type { Config } from '../settings/config.ts'
import { cacheForEver, isPublic, presentation } from './object-keys.ts'
import { signatureLifetime } from './signatures.ts'
import type { MediaStore } from './store.ts'

// Failures are thrown. The SDK would print them on the console too.
const silence = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * A media store in a bucket of an S3-compatible server, with the credentials from the AWS variables. The policy of
 * the bucket must allow anonymous reads of `public/*` and nothing else. Access lists of single objects are not used:
 * new AWS buckets disable them, and other servers lack them.
 */
export function openS3Store(config: Extract<Config['media'], { store: 's3' }>): MediaStore {
  const { bucket, endpoint, region } = config
  const client = new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silence,
    requestHandler: { connectionTimeout: 3_000, socketTimeout: 10_000 },
  })
  const publicBase =
    endpoint === undefined
      ? `https://${bucket}.s3.${region}.amazonaws.com`
      : `${endpoint.replace(/\/+$/, '')}/${bucket}`
  const at = (key: string) => ({ Bucket: bucket, Key: key })

  async function read(key: string) {
    try {
      const { Body, ContentLength } = await client.send(new GetObjectCommand(at(key)))
      if (!(Body instanceof Readable) || ContentLength === undefined)
        throw new Error(`the store sent nothing for ${key}`)
      return { bytes: ContentLength, stream: Body }
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined
      throw error
    }
  }

  return {
    publicBase,
    async put(key, source) {
      const upload = (Body: Buffer | Readable, ContentLength: number, options: { abortSignal?: AbortSignal } = {}) =>
        client.send(new PutObjectCommand({ ...at(key), ...headers(key), Body, ContentLength }), options)
      if (typeof source !== 'string') {
        await upload(source, source.length)
        return
      }
      await repeat(async () => {
        const file = await open(source)
        const body = file.createReadStream()
        const failure = new AbortController()
        body.once('error', (error) => failure.abort(error))
        try {
          await upload(body, (await file.stat()).size, { abortSignal: failure.signal })
        } finally {
          body.destroy()
        }
      })
    },
    async download(key, path) {
      const found = await read(key)
      if (found) await pipeline(found.stream, createWriteStream(path, { mode: 0o600 }))
      return found !== undefined
    },
    read,
    async copy(from, to) {
      await client.send(
        new CopyObjectCommand({
          ...at(to),
          ...headers(to),
          CopySource: `${bucket}/${from}`,
          MetadataDirective: 'REPLACE',
        }),
      )
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    async url(key, now) {
      if (isPublic(key)) return `${publicBase}/${key}`
      return getSignedUrl(client, new GetObjectCommand(at(key)), { expiresIn: signatureLifetime, signingDate: now })
    },
    async *list(area) {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${area}/` }))
        for (const { Key, Size, LastModified } of page.Contents ?? [])
          if (Key !== undefined && LastModified !== undefined)
            yield { key: Key, bytes: Size ?? 0, storedAt: LastModified }
    },
  }
}

// The SDK retries temporary failures, except of streams, which it cannot rewind.
async function repeat(work: () => Promise<void>): Promise<void> {
  for (const pause of [100, 400]) {
    try {
      return await work()
    } catch {
      await setTimeout(pause)
    }
  }
  return work()
}

function headers(key: string) {
  const { contentType, contentDisposition } = presentation(key)
  return {
    ContentType: contentType,
    CacheControl: isPublic(key) ? cacheForEver : `private, max-age=${signatureLifetime}`,
    ...(contentDisposition === undefined ? {} : { ContentDisposition: contentDisposition }),
  }
}
