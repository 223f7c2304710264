import { decode, type Decoded, type Refusal, type Task } from './decoders.ts'

/**
 * A file that no renditions can be made of: another kind of file, not readable as a picture, or too large, in pixels
 * or in the memory that it takes to decode.
 */
export class PictureError extends Error {
  readonly reason: Refusal

  constructor(reason: Refusal, message: string) {
    super(message)
    this.reason = reason
  }
}

async function request<Name extends Task>(task: Name, path: string): Promise<Decoded[Name]> {
  const reply = await decode(task, path)
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
 * Checks a local file by decoding it whole (of an animation the first frame); its name does not count. Gives its media
 * type, and its size in pixels as it is shown (EXIF orientation applied).
 * @throws PictureError
 */
export function inspectPicture(path: string): Promise<Decoded['inspect']> {
  return request('inspect', path)
}

/**
 * Makes the renditions of section 2.4 as WebP: first frame, upright, sRGB, 8 bits, transparency kept, no metadata.
 * The file is decoded once, to what the largest of them needs.
 * @throws PictureError
 */
export function deriveRenditions(path: string): Promise<Decoded['derive']> {
  return request('derive', path)
}
