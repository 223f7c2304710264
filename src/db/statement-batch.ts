import { Query, type PoolClient, type QueryConfig, type QueryResult } from 'pg'

/** A statement as the driver takes it: prepared under its name. Its values are texts, bytes or null. */
export type Prepared = Pick<QueryConfig<unknown[]>, 'name' | 'text' | 'values'>

// The internals of the driver that its types do not declare.
type Wire = {
  stream: { cork(): void; uncork(): void }
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  query(text: string): void
  parse(statement: Prepared): void
  bind(portal: { statement: string | undefined; values: unknown[] | undefined }): void
  describe(what: { type: 'P' }): void
  execute(): void
  sync(): void
}
type Done = (error: Error | null, result: QueryResult) => void
type DriverQuery = {
  name: string | undefined
  text: string
  submit(wire: Wire): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, wire: Wire): void
  handleError(error: Error, wire: Wire): void
}
const DriverQuery = Query as unknown as new (text: string, done: Done) => DriverQuery

const isCommit = ({ text }: Prepared) => text === 'commit'

/** Statements that travel together, with one Sync: see `sendTogether`. */
export class StatementBatch extends DriverQuery {
  readonly query_timeout: number | undefined
  /** The statements that are not done yet. */
  readonly statements: Prepared[]
  #answered: Prepared | undefined

  constructor(statements: Prepared[], timeout: number | undefined, done: Done) {
    super(statements[0]!.text, done)
    this.statements = statements
    this.query_timeout = timeout
  }

  // The driver records prepared statements under this name, and forgets failed ones.
  #expectNext() {
    const [next] = this.statements
    this.name = next!.name
    this.text = next!.text
  }

  override submit(wire: Wire) {
    this.#expectNext()
    const [first, second] = this.statements
    this.#answered = this.statements.findLast((statement) => !isCommit(statement)) ?? first
    if (!second && !first!.values) return wire.query(first!.text)
    wire.stream.cork()
    for (const statement of this.statements) {
      const { name, text, values } = statement
      if (name === undefined || (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]) === undefined) {
        wire.parse(statement)
        if (name !== undefined) wire.submittedNamedStatements[name] = text
      }
      wire.bind({ statement: name, values })
      if (statement === this.#answered) wire.describe({ type: 'P' })
      wire.execute()
    }
    wire.sync()
    wire.stream.uncork()
  }

  override handleDataRow(message: unknown) {
    if (this.statements[0] === this.#answered) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, wire: Wire) {
    if (this.statements[0] === this.#answered) super.handleCommandComplete(message, wire)
    if (this.statements.length === 1) return
    this.statements.shift()
    this.#expectNext()
  }

  override handleError(error: Error, wire: Wire) {
    // After an error the server skips the rest.
    for (const { name } of this.statements) if (name !== undefined) delete wire.submittedNamedStatements[name]
    super.handleError(error, wire)
  }
}

/**
 * Sends statements together. Returns the result of the last one that is not COMMIT. The first one that fails throws
 * its error, and the server skips the rest: `statements` then begins with it. `timeout`: milliseconds.
 */
export function sendTogether(client: PoolClient, statements: Prepared[], timeout?: number): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const done: Done = (error, result) => (error ? reject(error) : resolve(result))
    client.query(new StatementBatch(statements, timeout, done) as unknown as Query)
  })
}
