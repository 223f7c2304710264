import type { CompiledQuery, DatabaseConnection, Driver, QueryExecutorProvider, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import pg, { DatabaseError, type Pool, type PoolClient } from 'pg'
import { sendTogether, type Prepared } from './statement-batch.ts'
import { isAnswer, isUnreachable, UnknownOutcome } from './errors.ts'

/** A statement, and whether the transaction sends it with the next one (`ahead`) or with COMMIT (`last`). */
type Travelling = CompiledQuery & { travels?: 'ahead' | 'last' }

type Executor = QueryExecutorProvider & { executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> }

/** A template or a builder. */
type Statement = { compile(on: QueryExecutorProvider): CompiledQuery }

/**
 * Runs a statement without waiting for its result. It is sent with the next statement, which throws its error.
 * Outside of a transaction it is sent at once.
 */
export async function sendAhead(db: Executor, statement: Statement): Promise<void> {
  const travelling: Travelling = { ...statement.compile(db), travels: 'ahead' }
  await db.executeQuery(travelling)
}

/** Runs the last statement of a transaction, together with COMMIT: after it nothing can refuse the transaction. */
export async function sendLast<R>(db: Executor, statement: CompiledQuery<R>): Promise<R[]> {
  const travelling: Travelling = { ...statement, travels: 'last' }
  return (await db.executeQuery<R>(travelling)).rows
}

const names = new LRUCache<string, string>({ max: 1_000 })
let named = 0

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `catalogue_${named++}`
  names.set(text, name)
  return name
}

// A prepared statement takes half a megabyte of the server's memory. Most clients need only a few. A client that uses
// every combination of filters, limit and expansions costs new connections, not memory.
const mostStatements = 100
const prepared = new WeakMap<PoolClient, Set<string>>()

// The driver's conversion, which its types do not declare. The driver converts values too late: after it has begun to
// send the statement. An error then leaves a wrong record of what is prepared, and does not stop COMMIT.
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils

const begin = { name: 'begin', text: 'begin', values: [] }
const commit = { name: 'commit', text: 'commit', values: [] }

/** A connection of the pool: each of its statements is prepared once, and those of a transaction travel together. */
class Connection implements DatabaseConnection {
  readonly #client: PoolClient
  readonly #timeout: number | undefined
  readonly #statements: Set<string>
  /** The unsent statements of the open transaction; undefined outside of one. */
  #held: Prepared[] | undefined
  #isCommitted = false
  // A lost connection is not used again. The pool may notice its end too late.
  #isLost = false

  constructor(client: PoolClient, timeout: number | undefined) {
    this.#client = client
    this.#timeout = timeout
    this.#statements = prepared.get(client) ?? new Set()
    prepared.set(client, this.#statements)
  }

  async #send(statements: Prepared[]) {
    const commits = statements.at(-1) === commit
    try {
      return await sendTogether(this.#client, statements, this.#timeout)
    } catch (error) {
      // Shows the stack of the caller instead of the socket's.
      Error.captureStackTrace(error as Error)
      this.#isLost ||= isUnreachable(error)
      // The server reports the failure of each statement in order. A pooler reports a lost server at any time.
      const isRefused = statements.length > 1 && error instanceof DatabaseError && !isUnreachable(error)
      throw commits && !isRefused && !isAnswer(error) ? new UnknownOutcome(error) : error
    }
  }

  #prepare({ sql: text, parameters }: CompiledQuery): Prepared {
    if (parameters.length === 0) return { text }
    const name = nameOf(text)
    this.#statements.add(name)
    return { name, text, values: parameters.map((value) => prepareValue(value)) }
  }

  async executeQuery<R>(query: Travelling): Promise<QueryResult<R>> {
    if (this.#isCommitted) throw new Error(`a transaction that is over cannot: ${query.sql}`)
    const statement = this.#prepare(query)
    const held = this.#held
    if (held && query.travels === 'ahead') {
      held.push(statement)
      return { rows: [] }
    }
    const isLast = held !== undefined && query.travels === 'last'
    this.#held = held && !isLast ? [] : undefined
    const { rows, rowCount } = await this.#send([...(held ?? []), statement, ...(isLast ? [commit] : [])])
    this.#isCommitted = isLast
    return { rows: rows as R[], ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) }
  }

  streamQuery(): never {
    throw new Error('a result is read whole')
  }

  async begin(): Promise<void> {
    if (this.#client.pipeline) this.#held = [begin]
    else await this.#send([begin])
  }

  async commit(): Promise<void> {
    const held = this.#held ?? []
    this.#held = undefined
    if (!this.#isCommitted) {
      const { command } = await this.#send([...held, commit])
      // PostgreSQL answers COMMIT so if an earlier statement failed and the program went on.
      if (command === 'ROLLBACK') throw new Error('the transaction is not stored: one of its statements has failed')
    }
    this.#isCommitted = false
  }

  async rollback(): Promise<void> {
    const isBegun = this.#held?.[0] !== begin
    this.#held = undefined
    if (!this.#isCommitted && !this.#isLost && isBegun) await this.#send([{ text: 'rollback' }])
    this.#isCommitted = false
  }

  release(): void {
    this.#client.release(this.#isLost || this.#statements.size > mostStatements)
  }
}

/**
 * The query builder's driver on a pool. In a transaction BEGIN and the statements of `sendAhead` travel with the next
 * statement, and COMMIT with that of `sendLast`. `timeout`: milliseconds for a statement.
 */
export function createDriver(pool: Pool, timeout: number | undefined): Driver {
  const of = (connection: DatabaseConnection) => connection as Connection
  return {
    init: async () => undefined,
    acquireConnection: async () => new Connection(await pool.connect(), timeout),
    beginTransaction: (connection) => of(connection).begin(),
    commitTransaction: (connection) => of(connection).commit(),
    rollbackTransaction: (connection) => of(connection).rollback(),
    releaseConnection: async (connection) => of(connection).release(),
    destroy: () => pool.end(),
  }
}
