import { sql, type RawBuilder } from 'kysely'
import { errorCode } from './errors.ts'

/**
 * An expression that fails its statement for a reason. SQL has none that raises an error: this converts a text that is no
 * number.
 */
export function refuse(reason: RawBuilder<string>): RawBuilder<number> {
  return sql`('refused: ' || ${reason} || '.')::int`
}

/** The reason for which `refuse` failed a statement; undefined for any other error. */
export function refusalOf(error: unknown): string | undefined {
  return errorCode(error) === '22P02' ? /refused: (.*?)\./s.exec((error as Error).message)?.[1] : undefined
}
