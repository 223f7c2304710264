import type { LotFile, NumberedLot, Print } from '../../files/lot-file.ts'
import type { NamedRecord } from '../../names.ts'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../db/pool.ts'
import type { NamedHouse } from '../../../houses/locks.ts'
import type { Source } from '../../../load/source.ts'
import { parseId } from '../../../values/ids.ts'
import { announce, nameHouse, printCount, withCatalogue, type CommonOptions } from '../../command.ts'
import { contextOf } from '../named-records.ts'

async function findHouseOfFile(
  db: Database,
  { lots }: LotFile<NumberedLot>,
  slug: string | undefined,
): Promise<NamedHouse> {
  const { findHouseOf, requireHouse } = await import('../../names.ts')
  const { session } = lots[0]!
  const isById = slug === undefined && parseId('session', session) !== undefined
  return isById ? findHouseOf(db, 'session', session) : requireHouse(db, slug)
}

/**
 * Runs a command on the lots of a file, in the context of their house: the one that the command names, otherwise the one
 * that has the session of the first lot. The work calls `announceSession` before any change.
 */
export async function withLotFile<Lot extends NumberedLot>(
  path: string,
  options: CommonOptions,
  read: (source: Source) => Promise<LotFile<Lot>>,
  work: (
    context: Context,
    file: LotFile<Lot>,
    announceSession: (session: NamedRecord, lots: number) => void,
    print: Print,
  ) => Promise<void>,
): Promise<void> {
  const [{ openSource }, { createPrinter }] = await Promise.all([
    import('../../../load/source.ts'),
    import('../../command-error.ts'),
  ])
  const source = await openSource(path)
  return withCatalogue(async (catalogue) => {
    const file = await read(source)
    const house = await findHouseOfFile(catalogue.db, file, nameHouse(options, catalogue))
    const announceSession = ({ description }: NamedRecord, lots: number) =>
      announce(`${description}, house ${house.slug}: ${printCount(lots, 'lot')}`)
    await work(contextOf(catalogue, house), file, announceSession, (names) => createPrinter(names, options))
  })
}
