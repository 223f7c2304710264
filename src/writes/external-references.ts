import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import { violatedConstraint } from '../db/errors.ts'
import { kinds } from '../kinds.ts'
import { duplicateReference, type Problem } from '../problems.ts'

type Referenced = 'auction' | 'session' | 'item'

/** The refusal of an external reference that a record of the kind has. */
export const takenReference = (kind: Referenced, reference: string | undefined): Problem =>
  duplicateReference({ kind, field: 'external_reference', value: reference })

/**
 * Refuses an external reference that a record of the kind, archived or not, has.
 * @throws Problem duplicate-reference
 */
export async function requireFreeReference({ db, house }: Scope, kind: Referenced, reference: string): Promise<void> {
  const { rows } = await sql`
    select from ${sql.table(`catalogue.${kinds[kind].plural}`)}
    where house_id = ${house.id} and external_reference = ${reference}`.execute(db)
  if (rows.length > 0) throw takenReference(kind, reference)
}

/** Returns the handler of the errors of a write that sets an external reference: one that is taken is a refusal. */
export const refuseTaken =
  (kind: Referenced, reference: string | undefined) =>
  (error: unknown): never => {
    throw violatedConstraint(error) === `${kinds[kind].plural}_external_reference`
      ? takenReference(kind, reference)
      : error
  }
