import { escapeLiteral } from 'pg'
import { openBenchData } from '../bench/lib/data.ts'
import { openDatabase } from '../src/db/pool.ts'
import { printPlan, type Plans } from './sql.ts'
import { collectStatements, type Statement } from './statements.ts'

type Scalar = string | number | boolean | Date | Buffer | null
type Value = Scalar | Scalar[]

function printText(value: Exclude<Scalar, null>): string {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return value instanceof Date ? value.toISOString() : `${value}`
}

function printLiteral(value: Value): string {
  if (value === null) return 'null'
  if (!Array.isArray(value)) return escapeLiteral(printText(value))
  const elements = value.map((each) => (each === null ? 'null' : JSON.stringify(printText(each))))
  return escapeLiteral(`{${elements.join()}}`)
}

/** Runs the statements of all reads on the catalogue of the bench. Returns PostgreSQL's plans for them. */
export async function explainStatements(): Promise<Plans> {
  const data = await openBenchData()
  const { db, pool } = openDatabase(data.connection, 1)
  try {
    const { keyLookUp, operations } = await collectStatements(pool, data.house)
    const statements = operations.flatMap(({ reads }) => reads.flatMap((read) => read.statements))
    const client = await pool.connect()
    // Prepared as by the service, so that the plan is generic.
    async function explain({ sql, parameters }: Statement): Promise<string> {
      const values = (parameters as Value[]).map(printLiteral).join(', ')
      await client.query(`prepare explained as ${sql}`)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off, timing off, summary off, buffers off) execute explained (${values})`,
      )
      await client.query('deallocate explained')
      const lines = rows.map((row) => row['QUERY PLAN'])
      return lines.filter((line) => !/^ *(?:Index Searches|Storage|Sort Method|Cache Mode):/.test(line)).join('\n')
    }
    const {
      rows: [server],
    } = await client.query<{ server_version: string }>('show server_version')
    const title = `Plan on ${data.lots.toLocaleString('en')} lots, PostgreSQL ${server!.server_version}`
    const plans: Plans = new Map()
    for (const statement of [keyLookUp, ...statements]) {
      // A read of the feed may first write the numbers of changes.
      if (!/^\s*select/i.test(statement.sql)) continue
      plans.set(...printPlan(statement, title, await explain(statement)))
    }
    client.release()
    return plans
  } finally {
    await db.destroy()
    await data.close()
  }
}
