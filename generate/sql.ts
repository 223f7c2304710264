import { createHash } from 'node:crypto'
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
import { printDifference } from './difference.ts'
import { collectStatements, type Operation, type Read, type Statement } from './statements.ts'

/** The folder of the pages. */
export const sqlFolder = 'docs/sql'

/** The statements of all reads. */
export type Collected = Awaited<ReturnType<typeof collectStatements>>

/** The plan below each statement of a page, by its id. */
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

// The formatter puts further conditions of a join below the join, and each part of a short clause on a line of its own.
const joined = /^( *)(?:left )?join .*(?:\n\1and .*)+$/gm
const block = /^( *)\S.*(?:\n\1 {2}\S.*)+(?:\n\1(?:\)|end\b).*)?$(?!\n\1 {2})/gm
const width = 120

function joinLines(text: string, indentation: string): string {
  const line = text
    .trim()
    .replaceAll(/(?<=\()\n *|\n *(?=\))/g, '')
    .replaceAll(/\n */g, ' ')
  return indentation.length + line.length > width ? text : indentation + line
}

/** The text of a statement as printed on a page. */
function formatSql({ sql }: Statement): string {
  let text = format(sql, { language: 'postgresql', expressionWidth: width }).replaceAll(joined, joinLines)
  for (let before = ''; before !== text;) {
    before = text
    text = text.replaceAll(block, joinLines)
  }
  return text
}

const quote = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`

// The name by which a plan finds its statement: a changed statement has no plan.
const planId = ({ sql }: Statement) => `plan-${createHash('sha256').update(sql).digest('hex').slice(0, 12)}`

/** A plan as printed below its statement. `title` says where it was measured. */
export function printPlan(statement: Statement, title: string, plan: string): [id: string, plan: string] {
  const id = planId(statement)
  return [id, `<details id="${id}"><summary>${title}</summary>\n\n${quote('text', plan)}\n</details>\n`]
}

/** Finds the plans on a page. */
export const findPlans = (page: string): Plans =>
  new Map(Array.from(page.matchAll(/<details id="([^"]+)">[^]*?<\/details>\n/g), ([plan, id]) => [id!, plan]))

/** A statement that stands on a page. */
type Printed = { text: string; operation: Operation; title: string }

const place = ({ operation, title }: Printed, from: Operation) =>
  operation === from ? title : `[${operation.name}](${linkTo(operation)}), ${title}`

const describe = (requests: string[]) =>
  requests.map((each) => (each === '' ? 'without parameters' : `\`${each}\``)).join(', ')

// The last statement reads the documents, the one before it the tag.
const roles = ['The record in the path', 'The check', 'The documents']

/** Prints each statement once: in full, or as its difference from one that stands on a page already. */
function printReads(operations: Operation[], plans: Plans): Map<Read, string[]> {
  const printed = new Map<string, Printed>()
  // How statements differ from those of the same operation without parameters.
  const changed = new Map<string, Printed>()

  // Undefined if no statement is near enough.
  function findNearest(text: string) {
    let nearest: { base: Printed; lines: string[] } | undefined
    for (const base of printed.values()) {
      const { lines } = printDifference(base.text, text)
      if (lines.length < (nearest?.lines.length ?? text.split('\n').length * 0.6)) nearest = { base, lines }
    }
    return nearest
  }

  // Whether a statement has changed in the same lines as one before it. A list and a record expand in the same way, and a
  // filter adds to the documents what it adds to the check.
  function findSameChange(own: Printed, plain: Statement | undefined): Printed | undefined {
    if (!plain) return undefined
    const { changes } = printDifference(formatSql(plain), own.text)
    const same = changed.get(changes)
    if (!same) changed.set(changes, own)
    return same
  }

  function printRead(operation: Operation, read: Read): string[] {
    const title = describe(read.requests)
    const [first] = operation.reads
    return read.statements.flatMap((statement, index) => {
      const fromEnd = index - read.statements.length
      const role = read.statements.length > roles.length ? `Statement ${index + 1}` : roles.at(fromEnd)!
      const before = printed.get(statement.sql)
      if (before) return read === first ? [`${role}: as ${place(before, operation)}.\n`] : []
      const own = { text: formatSql(statement), operation, title }
      const same = read === first ? undefined : findSameChange(own, first!.statements.at(fromEnd))
      if (same?.title === title && same.operation === operation) return [`${role}: the same change.\n`]
      if (same) return [`${role}: the same change as in ${place(same, operation)}.\n`]
      const nearest = findNearest(own.text)
      printed.set(statement.sql, own)
      const plan = plans.get(planId(statement))
      const below = plan === undefined ? '' : `\n${plan}`
      if (!nearest) return [`${role}:\n\n${quote('sql', own.text)}${below}`]
      const difference = quote('diff', nearest.lines.join('\n'))
      return [`${role}, as ${place(nearest.base, operation)}, but:\n\n${difference}${below}`]
    })
  }

  const of = (reads: (operation: Operation) => Read[]) =>
    operations.flatMap((operation) => reads(operation).map((read) => [read, printRead(operation, read)] as const))
  // First what the others differ from.
  return new Map([...of(({ reads }) => reads.slice(0, 1)), ...of(({ reads }) => reads.slice(1))])
}

function printOperation({ name, path, reads }: Operation, printed: Map<Read, string[]>): string {
  const sections = reads.flatMap((read) => {
    const title = describe(read.requests)
    const statements = printed.get(read)!.join('\n')
    return statements === '' ? [] : [`### ${title[0]!.toUpperCase()}${title.slice(1)}\n\n${statements}`]
  })
  const others = reads.filter((read) => printed.get(read)!.length === 0).flatMap(({ requests }) => requests)
  if (others.length > 0) sections.push(`Nothing but statements above: ${describe(others)}.\n`)
  return `## ${name}\n\n\`GET ${path}\`\n\n${sections.join('\n')}`
}

const fileOf = (tag: string) => `${tag.toLowerCase().replaceAll(' ', '-')}.md`

function linkTo({ name, tag }: Operation): string {
  const anchor = name
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .replaceAll(' ', '-')
  return `${fileOf(tag)}#${anchor}`
}

const introduction = `# The SQL of reads

These pages show each statement that reading a list or a record runs, once, as PostgreSQL gets it: without parameters,
and what each filter, a later page (\`cursor\`) and each expansion change. \`npm run sql:print\` writes them, and
\`npm run verify\` fails where they are not what the service runs.

A statement that resembles another one stands as its difference from it: \`-\` is only in the other one, \`+\` only here. Lines
that differ in their depth or in the numbers of their parameters count as equal. "The same change" means that these lines
are the same as those of another difference, such as the one above it.

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

function printIndex(operations: Operation[], keyLookUp: string): string {
  const rows = operations.map((operation) => `| [${operation.name}](${linkTo(operation)}) | \`${operation.path}\` |\n`)
  return `${introduction}
| operation | path |
| --- | --- |
${rows.join('')}
## The look-up of the key

Every request needs it. What it finds is kept for half a second.

${keyLookUp}`
}

/** The pages by their paths: one for each group of operations, and an index. */
export function printPages({ keyLookUp, operations }: Collected, plans: Plans): Record<string, string> {
  const reading = operations.filter(({ reads }) => reads.some(({ statements }) => statements.length > 0))
  const printed = printReads(reading, plans)
  const pages = Object.entries(Object.groupBy(reading, ({ tag }) => tag)).map(([tag, of]) => {
    const note = 'Generated by `npm run sql:print`; [README.md](README.md) says what is what.'
    const sections = of!.map((operation) => printOperation(operation, printed))
    return [`${sqlFolder}/${fileOf(tag)}`, `# ${tag}\n\n${note}\n\n${sections.join('\n')}`]
  })
  const index = printIndex(reading, `${quote('sql', formatSql(keyLookUp))}\n${plans.get(planId(keyLookUp)) ?? ''}`)
  return { [`${sqlFolder}/README.md`]: index, ...Object.fromEntries(pages) }
}
