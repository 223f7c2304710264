import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { photographs, pieces } from './catalogue.ts'
import { compose } from './drawings/compose.ts'

/** Draws every photograph of the demo house into the folder as a JPEG; returns the names of the files. */
export async function drawPictures(folder: string): Promise<string[]> {
  const wanted = new Map(pieces.flatMap(photographs).map((photograph) => [photograph.file, photograph]))
  const queue = wanted.values()
  const draw = async () => {
    for (const { file, picture, close } of queue)
      await sharp(Buffer.from(compose(picture, close)))
        .jpeg({ quality: 80 })
        .toFile(join(folder, file))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, draw))
  return [...wanted.keys()]
}
