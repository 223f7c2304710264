import { Writable } from 'node:stream'
import { exportHouse, type Exported, type Pictures } from '../../src/export/exporter.ts'
import { findHouse } from '../../src/houses/houses.ts'
import type { TestService } from './service.ts'

/** Exports a house of a service. Returns the text of its file. */
export async function exportOf(
  service: Pick<TestService, 'connection' | 'db' | 'media'>,
  slug: string,
  pictures?: Pictures,
): Promise<Exported & { text: string }> {
  const pieces: Buffer[] = []
  const output = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      done()
    },
  })
  const house = (await findHouse(service.db, slug))!
  const done = await exportHouse(service, house, output, { pictures, isPacked: false })
  return { ...done, text: Buffer.concat(pieces).toString() }
}
