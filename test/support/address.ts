import type { Connection } from '../../src/db/pool.ts'

/** The address of a database for processes of their own. */
export function urlOf(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString
  const { host, user, database } = connection
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}
