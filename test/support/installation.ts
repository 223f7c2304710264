import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { urlOf } from './address.ts'
import { createTestDatabase } from './database.ts'
import { createDataDir, runCommand } from './process.ts'

/** A folder and a database of their own for commands and services, which then need not start a PostgreSQL. */
export async function createInstallation(own: Record<string, string> = {}) {
  const { dataDir, remove: removeFolder } = await createDataDir()
  const database = await createTestDatabase()
  const settings = { DATA_DIR: dataDir, DATABASE_URL: urlOf(database.connection), ...own }

  /** Writes a file beside the folder. Returns its path. */
  async function write(name: string, content: string): Promise<string> {
    const file = `${dataDir}-${name}`
    await writeFile(file, content)
    return file
  }

  /** Runs a command that must succeed. */
  async function run(...words: string[]) {
    const { code, stdout, stderr } = await runCommand(settings, ...words)
    assert.equal(code, 0, stderr)
    return { stdout, stderr }
  }

  return {
    dataDir,
    settings,
    connection: database.connection,
    write,
    run,
    /** Loads records of the load format. */
    load: async (records: object[]) =>
      run('load', await write('records.ndjson', records.map((record) => JSON.stringify(record)).join('\n'))),
    /** Runs a command that must be refused. Returns its message. */
    async refused(...words: string[]): Promise<string> {
      const { code, stdout, stderr } = await runCommand(settings, ...words)
      assert.deepEqual([code, stdout], [1, ''], stderr)
      return stderr
    },
    async remove() {
      await database.drop()
      await removeFolder()
    },
  }
}
