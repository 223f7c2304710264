import { sql, type PostgresPoolClient } from 'kysely'
import pg, { DatabaseError, type PoolClient } from 'pg'
import { sendTogether, type Prepared } from './batch.ts'
import { isAnswer, isUnreachable, UnknownOutcome } from './errors.ts'

const marks = { unawaited: '/* not awaited */', last: '/* then COMMIT */' }

/**
 * Marks a statement for whose answer nobody waits. In a transaction it is sent together with the next statement, which
 * throws its error.
 */
export const unawaited = sql.raw(marks.unawaited)

/** Marks the last statement of a transaction, after which nothing can refuse it. It is sent together with COMMIT. */
export const lastly = sql.raw(marks.last)

type Description = { name: string; isUnawaited: boolean; isLast: boolean }

const mostDescribed = 1_000
const descriptions = new Map<string, Description>()
let described = 0

function describe(text: string): Description {
  const known = descriptions.get(text)
  if (known) return known
  if (descriptions.size >= mostDescribed) descriptions.clear()
  const name = `catalogue_${described++}`
  const description = {
    name,
    isUnawaited: text.includes(marks.unawaited),
    isLast: text.includes(marks.last),
  }
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
  // A lost connection is not used again. The pool may learn of its end too late.
  let lost = false
  let held: Prepared[] | undefined
  let isCommitted = false

  async function run(statements: Prepared[]) {
    const commits = statements.at(-1)!.text === 'commit'
    try {
      return await sendTogether(client, statements, timeout)
    } catch (error) {
      lost ||= isUnreachable(error)
      // The server says of each statement whether it failed, in their order. A pooler that has lost it says so at any time.
      const isRefused = statements.length > 1 && error instanceof DatabaseError && !isUnreachable(error)
      throw commits && !isRefused && !isAnswer(error) ? new UnknownOutcome(error) : error
    }
  }

  async function query(text: string, values: readonly unknown[]) {
    if (isCommitted) {
      if (text !== 'commit') throw new Error(`a transaction that is over cannot: ${text}`)
      isCommitted = false
      return nothing
    }
    if (text === 'begin' && client.pipeline) {
      held = [{ text }]
      return nothing
    }
    if (text === 'rollback' && lost) return nothing
    const { name, isUnawaited, isLast } = describe(text)
    const statement =
      values.length === 0 ? { text } : { name, text, values: values.map((value) => prepareValue(value)) }
    if (values.length > 0) statements.add(name)
    if (!held) return run([statement])
    if (isUnawaited) {
      held.push(statement)
      return nothing
    }
    const earlier = held
    if (isLast) {
      held = undefined
      const answer = await run([...earlier, statement, { text: 'commit' }])
      isCommitted = true
      return answer
    }
    held = text === 'commit' || text === 'rollback' ? undefined : []
    if (text !== 'rollback') return run([...earlier, statement])
    return earlier[0]?.text === 'begin' ? nothing : run([statement])
  }

  const release = (destroy = false) => client.release(destroy || lost || statements.size > mostStatements)
  return { query, release } as unknown as PostgresPoolClient
}
