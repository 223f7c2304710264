import { escapeLiteral } from 'pg'
import { openBenchData } from '../bench/lib/data.ts'
import { openDatabase } from '../src/db/pool.ts'
import { formatSql, type Plans } from './sql.ts'
import { collectStatements, type Statement } from './statements.ts'

type Value = string | number | boolean | Date | Buffer | null | string[]

function printLiteral(value: Value): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join()}}`)
  if (Buffer.isBuffer(value)) return escapeLiteral(`\\x${value.toString('hex')}`)
  return escapeLiteral(value instanceof Date ? value.toISOString() : `${value}`)
}

/** Runs the statements of all reads on the catalogue of the bench, and gives the plans that PostgreSQL takes for them. */
export async function explainStatements(): Promise<Plans> {
  const data = await openBenchData()
  const { db, pool } = openDatabase(data.connection, 1)
  try {
    const { keyLookUp, operations } = await collectStatements(pool, data.house)
    const statements = operations.flatMap(({ reads }) => reads.flatMap((read) => read.statements))
    const client = await pool.connect()
    // Prepared as the service does it, so that the plan is the generic one.
    async function explain({ sql, parameters }: Statement): Promise<string> {
      const values = (parameters as Value[]).map(printLiteral).join(', ')
      await client.query(`prepare explained as ${sql}`)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off, timing off, summary off, buffers off) execute explained (${values})`,
      )
      await client.query('deallocate explained')
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    const {
      rows: [server],
    } = await client.query<{ server_version: string }>('show server_version')
    const title = `Plan on ${data.lots.toLocaleString('en')} lots, PostgreSQL ${server!.server_version}`
    const plans: Plans = new Map()
    for (const statement of [keyLookUp, ...statements]) {
      const plan = await explain(statement)
      plans.set(
        formatSql(statement),
        `<details><summary>${title}</summary>\n\n\`\`\`text\n${plan}\n\`\`\`\n\n</details>\n`,
      )
    }
    client.release()
    return plans
  } finally {
    await db.destroy()
    await data.close()
  }
}
