import { urlOf } from './address.ts'
import { createTestDatabase } from './database.ts'
import { createDataDir } from './process.ts'

/** A folder and a database of their own for commands and services: none of them has to start a PostgreSQL. */
export async function createInstallation() {
  const { dataDir, remove: removeFolder } = await createDataDir()
  const database = await createTestDatabase()
  return {
    dataDir,
    settings: { DATA_DIR: dataDir, DATABASE_URL: urlOf(database.connection) },
    async remove() {
      await database.drop()
      await removeFolder()
    },
  }
}
