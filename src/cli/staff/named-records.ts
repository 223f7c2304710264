import type { NamedKind, Names } from '../names.ts'
import type { Catalogue } from '../../running/catalogue.ts'
import { contextNow, type Context, type House } from '../../context.ts'
import type { NamedHouse } from '../../houses/locks.ts'
import { terminal } from '../../values/program.ts'
import { parseId } from '../../values/ids.ts'
import { announce, nameHouse, withCatalogue, type CommonOptions } from '../command.ts'
import { useZoneOf } from '../times.ts'

/** The names of at most one record of each kind: ids, references, SESSION/NUMBER of a lot. */
type Given = { [Kind in NamedKind]?: string | undefined }

/** The context of a command that acts for a house now, and prints times in its zone. */
export function contextOf({ db, media }: Catalogue, house: NamedHouse): Context {
  useZoneOf(house)
  return contextNow(db, house, media.publicBase)
}

type Found = (kind: NamedKind, name: string, description: string) => void

// A refusal of the rules names records as the command did, and prints times as lists do.
async function sayProblem(names: Names, options: CommonOptions, house: House, error: unknown): Promise<never> {
  const [{ CommandError, createPrinter, describeProblem }, { Problem }] = await Promise.all([
    import('../command-error.ts'),
    import('../../problems.ts'),
  ])
  if (!(error instanceof Problem)) throw error
  throw new CommandError(describeProblem(error, createPrinter(names, options), house), { cause: error })
}

// Looks up the records in the house that the command names, otherwise in the house of the first one.
function withFound(
  given: [kind: NamedKind, name: string][],
  options: CommonOptions,
  work: (context: Context, uuids: string[], names: Names) => Promise<void>,
  found: Found = () => undefined,
): Promise<void> {
  return withCatalogue(async (catalogue) => {
    const { findRecord, requireHouse } = await import('../names.ts')
    const { db } = catalogue
    const named = nameHouse(options, catalogue)
    let house: NamedHouse | undefined
    const uuids: string[] = []
    const names = new Map<string, string>()
    for (const [kind, name] of given) {
      const record = await findRecord(db, kind, name, house?.slug ?? named)
      house = record.house
      uuids.push(record.uuid)
      for (const [id, used] of record.names) names.set(id, used)
      found(kind, name, `${record.description}, house ${house.slug}`)
    }
    const context = contextOf(catalogue, house ?? (await requireHouse(db, named)))
    await work(context, uuids, names).catch((error: unknown) => sayProblem(names, options, context.house, error))
  })
}

/**
 * Runs a command on the records with these names, in the context of their house: the one that the command names,
 * otherwise the one that has the first record. The work gets the UUIDs of the records.
 */
export function withRecords<Named extends Given>(
  names: Named,
  options: CommonOptions,
  work: (context: Context, uuids: Named, names: Names) => Promise<void>,
  found?: Found,
): Promise<void> {
  const given = (Object.entries(names) as [NamedKind, string | undefined][]).flatMap(([kind, name]) =>
    name === undefined ? [] : [[kind, name] as [NamedKind, string]],
  )
  const toNamed = (uuids: string[]) => Object.fromEntries(given.map(([kind], index) => [kind, uuids[index]])) as Named
  return withFound(given, options, (context, uuids, names) => work(context, toNamed(uuids), names), found)
}

const announceNamed: Found = (kind, name, description) => {
  if (terminal().stderr.isTTY || parseId(kind, name) === undefined) announce(description)
}

/**
 * Runs a command that changes records, as `withRecords` does. Says which records it changes, if a name is not an id or
 * standard error is a terminal. For a script that uses ids, standard error has only errors.
 */
export const changeRecords = <Named extends Given>(
  names: Named,
  options: CommonOptions,
  work: (context: Context, uuids: Named, names: Names) => Promise<void>,
): Promise<void> => withRecords(names, options, work, announceNamed)

/** Runs a command that changes lots of one house, by their names, as `changeRecords` does. */
export const changeNamedLots = (
  names: string[],
  options: CommonOptions,
  work: (context: Context, uuids: string[]) => Promise<void>,
): Promise<void> =>
  withFound(
    names.map((name) => ['lot', name]),
    options,
    work,
    announceNamed,
  )
