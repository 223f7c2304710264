// Writes what is generated and committed; with --check it only compares, and fails where something differs.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { acquireEmbeddedServer } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/pool.ts'
import { printEnvExample, replaceSettings } from './settings.ts'
import { printTables } from './tables.ts'

const checkout = path.join(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')

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

const operating = 'docs/operating.md'
const files: Record<string, string> = {
  'src/db/tables.ts': await withMigratedDatabase(({ db }) => printTables(db)),
  '.env.example': printEnvExample(),
  [operating]: replaceSettings(await readFile(path.join(checkout, operating), 'utf8')),
}
for (const [name, text] of Object.entries(files)) {
  const location = path.join(checkout, name)
  const present = await readFile(location, 'utf8').catch(() => '')
  if (present === text) continue
  if (isCheck) {
    process.exitCode = 1
    console.error(`${name} is not what npm run generate writes`)
  } else {
    await writeFile(location, text)
    console.log(`wrote ${name}`)
  }
}
