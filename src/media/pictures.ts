// A picture is decoded in a process of its own (decoders.ts, decoder.ts) and stored by key (object-keys.ts) in a store
// (store.ts): a folder (file-store.ts, routes.ts) or a bucket (s3-store.ts).
import { decode, type Decoded, type Refusal, type Task } from './decoders.ts'

/**
 * A file that cannot become renditions: a file of another kind, an unreadable picture, or one that has too many
 * pixels or needs too much memory.
 */
export class PictureError extends Error {
  readonly reason: Refusal

  constructor(reason: Refusal, message: string) {
    super(message)
    this.reason = reason
  }
}

async function request<Name extends Task>(
  task: Name,
  path: string,
  house: string,
  signal?: AbortSignal,
): Promise<Decoded[Name]> {
  const reply = await decode(task, house, path, signal)
  if (reply === undefined)
    throw new PictureError(
      'too-large',
      'The picture takes more memory to decode than the service has for one; send it as a JPEG that is not progressive.',
    )
  if ('refusal' in reply) throw new PictureError(reply.refusal, reply.message)
  if ('message' in reply) throw Object.assign(new Error(reply.message), { code: reply.code })
  return reply.value as Decoded[Name]
}

/**
 * Checks a local file by decoding all of it (of an animation, the first frame), whatever its name. Returns its media
 * type, and its size in pixels after EXIF orientation. Houses take turns.
 * @throws PictureError, or the signal's reason when it aborts before the file's turn
 */
export function inspectPicture(path: string, house: string, signal?: AbortSignal): Promise<Decoded['inspect']> {
  return request('inspect', path, house, signal)
}

/**
 * Makes the renditions of section 2.4 as WebP: first frame, upright, sRGB, 8 bits, transparency preserved, no
 * metadata. The file is decoded once, at the size that the largest rendition needs. Houses take turns.
 * @throws PictureError
 */
export function deriveRenditions(path: string, house: string): Promise<Decoded['derive']> {
  return request('derive', path, house)
}
