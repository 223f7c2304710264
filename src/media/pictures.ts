// A picture is decoded in a process of its own (decoders.ts, decoder.ts) and stored by key (object-keys.ts) in a store
// (store.ts): a folder (file-store.ts, routes.ts) or a bucket (s3-store.ts).
import { decode, type Decoded, type Refusal, type Reply, type Task } from './decoders.ts'

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

function valueOf(reply: Reply | undefined): Decoded[Task] {
  if (reply === undefined)
    throw new PictureError(
      'too-large',
      'The picture takes more memory to decode than the service has for one; send it as a JPEG that is not progressive.',
    )
  if ('refusal' in reply) throw new PictureError(reply.refusal, reply.message)
  if ('message' in reply) throw Object.assign(new Error(reply.message), { code: reply.code })
  return reply.value
}

/**
 * Checks a local file by decoding all of it (of an animation, the first frame), whatever its name. Returns its media
 * type, and its size in pixels after EXIF orientation. Houses take turns.
 * @throws PictureError, or the signal's reason when it aborts before the file's turn
 */
export async function inspectPicture(path: string, house: string, signal?: AbortSignal): Promise<Decoded['inspect']> {
  return valueOf(await decode(house, { task: 'inspect', path, widest: 0 }, signal)) as Decoded['inspect']
}

// A picture that takes almost all memory by itself gets narrower sources, or none.
const widest = [Infinity, 960, 0]

/**
 * Makes the renditions, the sources and the placeholder of section 2.4 as WebP: first frame, upright, sRGB, 8 bits,
 * transparency preserved, no metadata. The file is decoded once, at the size that the largest of them needs. Houses take
 * turns.
 * @throws PictureError
 */
export async function deriveRenditions(path: string, house: string): Promise<Decoded['derive']> {
  let reply: Reply | undefined
  for (const each of widest) {
    reply = await decode(house, { task: 'derive', path, widest: each })
    if (reply !== undefined) break
  }
  return valueOf(reply) as Decoded['derive']
}
