// Writes the generated files, which are committed. With --check it only compares them, and fails if one differs. A
// path limits it to the files below. With --plans it measures the plans in docs/sql again.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { acquireEmbeddedServer } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import { openDatabase } from '../src/db/pool.ts'
import { printClientTypes } from './client-types.ts'
import { explainStatements } from './plans.ts'
import { printLoadFormat } from './load-format.ts'
import { printLoadTypes } from './load-types.ts'
import { printEnvExample, replaceSettings } from './settings.ts'
import { collectFromFewRecords, findPlans, printPages, sqlFolder, type Plans } from './sql.ts'
import { printTables } from './tables.ts'
import { printTexts } from './texts.ts'

const checkout = path.join(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')
const wanted = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? ''

async function withMigratedDatabase<T>(work: (database: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-generate-'))
  const server = await acquireEmbeddedServer(folder, { durable: false })
  const database = openDatabase(server.connection, 2)
  try {
    await migrate(database)
    return await work(database)
  } finally {
    await database.pool.end()
    await server.release()
    await rm(folder, { recursive: true, force: true })
  }
}

const sqlPages = (await readdir(path.join(checkout, sqlFolder))).map((page) => `${sqlFolder}/${page}`)

async function findKeptPlans(): Promise<Plans> {
  const texts = await Promise.all(sqlPages.map((page) => readFile(path.join(checkout, page), 'utf8')))
  return new Map(texts.flatMap((text) => [...findPlans(text)]))
}

// A package imports nothing of src/.
async function copySource(source: string): Promise<string> {
  return `// Copied from ${source} by npm run generate.\n\n${await readFile(path.join(checkout, source), 'utf8')}`
}

const operating = 'docs/operating.md'
const loadFormat = await printLoadFormat()
const { tables, statements } = await withMigratedDatabase(async (database) => ({
  tables: await printTables(database.db),
  statements: await collectFromFewRecords(database),
}))
const plans = process.argv.includes('--plans') ? await explainStatements() : await findKeptPlans()
const files: Record<string, string | undefined> = {
  ...Object.fromEntries(sqlPages.map((page) => [page, undefined])),
  'src/db/schema/tables.ts': tables,
  '.env.example': printEnvExample(),
  'packages/client/src/generated/wire.ts': await printClientTypes(),
  'packages/client/src/generated/texts.ts': await printTexts(),
  'packages/client/src/generated/currencies.ts': await copySource('src/values/currencies.ts'),
  'packages/importer/src/mapping/doubts.ts': await copySource('src/values/doubts.ts'),
  'packages/importer/src/source/json.ts': await copySource('src/values/json.ts'),
  'docs/load-format.schema.json': loadFormat,
  // The importer is published separately from the documents.
  'packages/importer/load-format.schema.json': loadFormat,
  'packages/importer/src/load-format.ts': await printLoadTypes(loadFormat),
  [operating]: replaceSettings(await readFile(path.join(checkout, operating), 'utf8')),
  ...printPages(statements, plans),
}
for (const [name, text] of Object.entries(files)) {
  if (!name.startsWith(wanted)) continue
  const location = path.join(checkout, name)
  const present = await readFile(location, 'utf8').catch(() => undefined)
  if (present === text) continue
  if (isCheck) {
    process.exitCode = 1
    console.error(`${name} is not what npm run generate writes`)
  } else if (text === undefined) {
    await rm(location)
    console.log(`removed ${name}`)
  } else {
    await writeFile(location, text)
    console.log(`wrote ${name}`)
  }
}
