import { sql, type PostgresPoolClient } from 'kysely'
import pg, { type PoolClient, type QueryConfig } from 'pg'
import { isUnreachable } from './errors.ts'

const mark = '/* not awaited */'

/**
 * Marks a statement for whose answer nobody waits. In a transaction it is sent together with the next statement, which
 * throws its error.
 */
export const unawaited = sql.raw(mark)

type Description = { name: string; isUnawaited: boolean; isRead: boolean }

const mostDescribed = 1_000
const descriptions = new Map<string, Description>()
let described = 0

function describe(text: string): Description {
  const known = descriptions.get(text)
  if (known) return known
  if (descriptions.size >= mostDescribed) descriptions.clear()
  const name = `catalogue_${described++}`
  const description = { name, isUnawaited: text.includes(mark), isRead: /^\s*select\b/i.test(text) }
  descriptions.set(text, description)
  return description
}

// A prepared statement takes half a megabyte of the server's memory. Most clients need only a few. A client that uses
// every combination of filters, limit and expansions costs new connections, not memory.
const mostStatements = 100
const prepared = new WeakMap<PoolClient, Set<string>>()

// The driver's conversion, which its types do not name. The driver applies it after it has begun to send a statement: what
// fails there is closed under a name that it believes prepared, and does not stop the COMMIT that travels with it.
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils

const nothing = { command: '', rowCount: 0, rows: [] }

/**
 * A connection of the pool as the query builder uses it. Each statement is prepared once. BEGIN and statements for which
 * nobody waits travel with the next one. `timeout`: milliseconds that a statement may take.
 */
export function openPipeline(client: PoolClient, timeout: number | undefined): PostgresPoolClient {
  const statements = prepared.get(client) ?? new Set()
  prepared.set(client, statements)
  const limit = timeout === undefined ? {} : { query_timeout: timeout }
  // A lost connection is not used again. The pool may learn of its end too late.
  let lost = false
  let held: QueryConfig[] | undefined

  async function run(statement: QueryConfig) {
    try {
      return await client.query({ ...statement, ...limit })
    } catch (error) {
      lost ||= isUnreachable(error)
      throw error
    }
  }

  /** Sends statements at once, and gives the answer to the last. Throws the first error: the others follow from it. */
  async function runTogether(all: QueryConfig[]) {
    const { stream } = client.connection
    stream.cork()
    const answers = all.map(run)
    stream.uncork()
    for (const answer of answers) answer.catch(() => undefined)
    for (const answer of answers) await answer
    return answers.at(-1)!
  }

  async function query(text: string, values: readonly unknown[]) {
    if (text === 'begin' && client.pipeline) {
      held = [{ text }]
      return nothing
    }
    const { name, isUnawaited, isRead } = describe(text)
    const statement =
      values.length === 0 ? { text } : { name, text, values: values.map((value) => prepareValue(value)) }
    if (values.length > 0) statements.add(name)
    if (!held) return run(statement)
    if (isUnawaited) {
      held.push(statement)
      return nothing
    }
    const earlier = held
    held = text === 'commit' || text === 'rollback' ? undefined : []
    const isBegun = earlier[0]?.text !== 'begin'
    if (text === 'rollback') return isBegun ? run(statement) : nothing
    // Should BEGIN fail, what comes with it takes effect by itself. So only a read may come with it.
    if (!isBegun && (earlier.length > 1 || !isRead)) await run(earlier.shift()!)
    return runTogether([...earlier, statement])
  }

  const release = (destroy = false) => client.release(destroy || lost || statements.size > mostStatements)
  return { query, release } as unknown as PostgresPoolClient
}
