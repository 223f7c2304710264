import { sql, type RawBuilder } from 'kysely'
import { errorCode } from './errors.ts'

/**
 * An expression that fails its statement with a reason. SQL has no expression that raises an error, so this casts a
 * text to a number.
 */
export function refuse(reason: RawBuilder<string>): RawBuilder<number> {
  return sql`('refused: ' || ${reason} || '.')::int`
}

/** The reason with which `refuse` failed a statement; undefined for any other error. */
export function refusalOf(error: unknown): string | undefined {
  return errorCode(error) === '22P02' ? /refused: (.*?)\./s.exec((error as Error).message)?.[1] : undefined
}
