import { findRecord, type NamedKind } from '../backoffice/named-records.ts'
import type { Context } from '../context.ts'
import { withCatalogue } from './command.ts'

/** Runs a command on the record with this id, in the context of the house that has it. */
export function withRecord(
  kind: NamedKind,
  id: string,
  work: (context: Context, uuid: string) => Promise<void>,
): Promise<void> {
  return withCatalogue(async ({ db, media }) => {
    const { house, uuid } = await findRecord(db, kind, id)
    const clock = () => new Date()
    await work({ db, house, now: clock(), clock, mediaBase: media.publicBase }, uuid)
  })
}
