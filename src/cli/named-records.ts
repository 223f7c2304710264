import { findRecord, requireHouse, type NamedKind } from '../backoffice/named-records.ts'
import type { Context } from '../context.ts'
import type { NamedHouse } from '../houses/houses.ts'
import { parseId } from '../values/ids.ts'
import { escapeControls } from '../values/text.ts'
import { withCatalogue, type CommonOptions } from './command.ts'

/** The names of at most one record of each kind: ids, references, SESSION/NUMBER of a lot. */
type Names = { [Kind in NamedKind]?: string | undefined }

/** Says on standard error what a command is about to change. */
export function announce(description: string): void {
  process.stderr.write(`${escapeControls(description)}\n`)
}

/**
 * Runs a command on the records with these names, in the context of their house: the one of --house, else the one that has
 * the first record. The work gets the UUIDs of the records.
 */
export function withRecords<Named extends Names>(
  names: Named,
  options: CommonOptions,
  work: (context: Context, uuids: Named) => Promise<void>,
  found: (kind: NamedKind, name: string, description: string) => void = () => undefined,
): Promise<void> {
  return withCatalogue(async ({ db, media }) => {
    let house: NamedHouse | undefined
    const uuids: Names = {}
    for (const [kind, name] of Object.entries(names) as [NamedKind, string | undefined][]) {
      if (name === undefined) continue
      const record = await findRecord(db, kind, name, house?.slug ?? options.house)
      house = record.house
      uuids[kind] = record.uuid
      found(kind, name, `${record.description}, house ${house.slug}`)
    }
    const clock = () => new Date()
    const context = { db, house: house ?? (await requireHouse(db, options.house)), now: clock(), clock }
    await work({ ...context, mediaBase: media.publicBase }, uuids as Named)
  })
}

/**
 * Runs a command that changes something, as `withRecords` does. It first says which records it means, where a name was not
 * an id or somebody looks on. A script that uses ids finds nothing but errors on standard error.
 */
export function changeRecords<Named extends Names>(
  names: Named,
  options: CommonOptions,
  work: (context: Context, uuids: Named) => Promise<void>,
): Promise<void> {
  return withRecords(names, options, work, (kind, name, description) => {
    if (process.stderr.isTTY || parseId(kind, name) === undefined) announce(description)
  })
}
