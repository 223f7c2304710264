import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { format } from 'sql-formatter'
import type { openDatabase } from '../src/db/pool.ts'
import { findHouse } from '../src/houses/locks.ts'
import { load } from '../src/load/loader.ts'
import { openFileStore } from '../src/media/file-store.ts'
import { catalogueOf } from '../test/support/lines.ts'
import { collectStatements, type Operation, type Read, type Statement } from './statements.ts'

/** The folder of the pages. */
export const sqlFolder = 'docs/sql'

/** The statements of all reads. */
export type Collected = Awaited<ReturnType<typeof collectStatements>>

/** The text of the plan below each statement of a page, by the text of the statement. */
export type Plans = Map<string, string>

/** Collects the statements from a service with a house of a few records. */
export async function collectFromFewRecords({ db, pool }: ReturnType<typeof openDatabase>): Promise<Collected> {
  const { slug, lines, ids } = catalogueOf(1)
  const filled = lines.filter(({ id, item }) => id !== ids.plainItem && item !== ids.plainItem)
  const directory = await mkdtemp(path.join(tmpdir(), 'catalogue-sql-'))
  try {
    const media = openFileStore({ dataDir: directory, publicUrl: 'http://localhost', keyring: ['unused by this load'] })
    const stream = Readable.from(filled.map((line) => Buffer.from(`${JSON.stringify(line)}\n`)))
    await load({ db, media, now: new Date() }, { name: slug, stream, directory })
    return await collectStatements(pool, (await findHouse(db, slug))!)
  } finally {
    await rm(directory, { recursive: true })
  }
}

// The formatter puts further conditions of a join below the join.
const joined = /^( *)(?:left )?join .*(?:\n\1and .*)+$/gm

/** The text of a statement as printed on a page. */
export function formatSql({ sql }: Statement): string {
  return format(sql, { language: 'postgresql', expressionWidth: 100 }).replaceAll(joined, (join) =>
    join.replaceAll(/\n */g, ' '),
  )
}

/** Finds the plans on a page. A plan belongs to its statement: a changed statement has no plan. */
export function findPlans(page: string): Plans {
  const pairs = page.matchAll(/```sql\n((?:(?!```)[^])*)\n```\n\n(<details>[^]*?<\/details>\n)/g)
  return new Map([...pairs].map(([, statement, plan]) => [statement!, plan!]))
}

function printStatement(statement: Statement, plans: Plans): string {
  const text = formatSql(statement)
  const plan = plans.get(text)
  return `\`\`\`sql\n${text}\n\`\`\`\n${plan === undefined ? '' : `\n${plan}`}`
}

const describe = (requests: string[]) =>
  requests.map((each) => (each === '' ? 'without parameters' : `\`${each}\``)).join(', ')

// The last statement reads the documents, the one before it the tag. Earlier ones find the record in the path.
const roles = ['The documents:', 'The check:', 'The record in the path:']

function printRead({ requests, statements }: Read, seen: Map<string, string>, plans: Plans): string {
  const title = describe(requests)
  const printed = statements.map((statement, index) => {
    const role = statements.length > roles.length ? `Statement ${index + 1}:` : roles[statements.length - 1 - index]!
    const before = seen.get(statement.sql)
    if (before !== undefined) return `${role} as ${before}.\n`
    seen.set(statement.sql, title)
    return `${role}\n\n${printStatement(statement, plans)}`
  })
  return `### ${title[0]!.toUpperCase()}${title.slice(1)}\n\n${printed.join('\n')}`
}

function printOperation({ name, path, reads }: Operation, plans: Plans): string {
  const seen = new Map<string, string>()
  const printed = reads.map((read) => printRead(read, seen, plans))
  return `## ${name}\n\n\`GET ${path}\`\n\n${printed.join('\n')}`
}

const fileOf = (tag: string) => `${tag.toLowerCase().replaceAll(' ', '-')}.md`

const introduction = `# The SQL of reads

These pages show each statement that reading a list or a record runs, as PostgreSQL gets it: without parameters, for each
filter, for a later page (\`cursor\`) and for each expansion. \`npm run sql:print\` writes them, and \`npm run verify\` fails
where they are not what the service runs.

- **The check** finds the tag of an answer: internal ids and revisions. It runs alone where the answer is kept, or where
  the client has it ([performance.md](../performance.md)).
- **The documents** are built when there is no such answer. The innermost \`select\` finds the rows of a page. Everything
  around it builds their JSON.

Each filter adds its condition, so filters combine. The limit stands in the text: here it is the default, 25, and one record
more, which tells whether there is a next page. \`$1\`, \`$2\` are parameters. Statements are prepared, and planned once
without the values ([record 25](../decisions/0025-statements.md)).

Below a statement stands its plan. \`npm run sql:print -- --plans\` loads the catalogue of the bench and runs every statement
on it with \`EXPLAIN ANALYZE\`, which takes some minutes; \`BENCH_DIR\` keeps the catalogue. A statement that changes loses its
plan until then. Tables of this catalogue that have few rows are read whole: keys, auctions (80), sessions (400), categories
(200), delivery classes, increment strategies. With more rows the planner takes their indexes: \`src/reads/reads.test.ts\` holds
every list and filter to that.
`

function printIndex(operations: Operation[], keyLookUp: Statement, plans: Plans): string {
  const rows = operations.map(({ name, path, tag }) => {
    const anchor = name
      .toLowerCase()
      .replaceAll(/[^a-z ]/g, '')
      .replaceAll(' ', '-')
    return `| [${name}](${fileOf(tag)}#${anchor}) | \`${path}\` |\n`
  })
  return `${introduction}
| operation | path |
| --- | --- |
${rows.join('')}
## The look-up of the key

Every request needs it. What it finds is kept for half a second.

${printStatement(keyLookUp, plans)}`
}

/** The pages by their paths: one for each group of operations, and an index. */
export function printPages({ keyLookUp, operations }: Collected, plans: Plans): Record<string, string> {
  const reading = operations.filter(({ reads }) => reads.some(({ statements }) => statements.length > 0))
  const pages = Object.entries(Object.groupBy(reading, ({ tag }) => tag)).map(([tag, of]) => {
    const printed = of!.map((operation) => printOperation(operation, plans))
    const note = 'Generated by `npm run sql:print`; [README.md](README.md) says what is what.'
    return [`${sqlFolder}/${fileOf(tag)}`, `# ${tag}\n\n${note}\n\n${printed.join('\n')}`]
  })
  return { [`${sqlFolder}/README.md`]: printIndex(reading, keyLookUp, plans), ...Object.fromEntries(pages) }
}
