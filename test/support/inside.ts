import { Readable } from 'node:stream'
import { openCatalogue } from '../../src/running/catalogue.ts'
import { readConfig } from '../../src/settings/config.ts'
import { permissions, type Permission } from '../../src/context.ts'
import type { Database } from '../../src/db/pool.ts'
import { createKey, type KeyTerms } from '../../src/houses/api-keys.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { load } from '../../src/load/loader.ts'
import type { MediaStore } from '../../src/media/store.ts'
import type { Line } from './lines.ts'

type KeyGrant = { granted?: readonly Permission[]; staff?: string } & Partial<KeyTerms>

/** Loads lines of the load format. Paths of files are relative to the folder. */
export function loadLines(to: { db: Database; media: MediaStore }, directory: string, lines: Iterable<Line>) {
  const text = Readable.from(
    (function* () {
      for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`)
    })(),
  )
  return load({ ...to, now: new Date() }, { name: 'test', stream: text, directory })
}

/**
 * Prepares the records of a running service with the functions of its commands, without a process for each.
 * `settings`: those of the service.
 */
export async function openInside(settings: Record<string, string>) {
  const { db, media, config, close } = await openCatalogue(readConfig(settings), { connections: 1 })
  return {
    load: (lines: Iterable<Line>) => loadLines({ db, media }, config.dataDir, lines),
    /**
     * Issues a key of a house with these permissions, by default all but those of staff. `staff`: the person who uses it,
     * with the permission staff too.
     */
    issueKey: async (slug: string, { granted = permissions, staff, ...terms }: KeyGrant = {}): Promise<string> => {
      const house = (await findHouse(db, slug))!
      const all: Permission[] = staff === undefined ? [...granted] : [...granted, 'staff']
      return (await createKey(db, house, all, staff ?? null, new Date(), terms)).key
    },
    close,
  }
}
