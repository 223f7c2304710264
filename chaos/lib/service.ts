import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { readConfig } from '../../src/settings/config.ts'
import { openCatalogue, type Catalogue } from '../../src/running/catalogue.ts'
import { createDataDir, findPort, runCommand, startProcess } from '../../test/support/process.ts'
import { killServer } from './processes.ts'

/** The commands of the operator of a service with these settings. They must succeed. */
export function openOperator(settings: Record<string, string>) {
  async function command(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await runCommand(settings, ...words)
    assert.equal(code, 0, `catalogue ${words.join(' ')}: ${stderr}${stdout}`)
    return stdout
  }

  return {
    command,
    /** Issues a key of a house: its id, and the key itself. */
    issueKey: async (house: string, ...granted: string[]) =>
      JSON.parse(await command('keys', 'create', '--house', house, ...granted, '--json')) as {
        id: string
        key: string
      },
    createHouse: (slug: string, name: string, locale: string) =>
      command('houses', 'create', slug, '--name', name, '--locale', locale, '--currency', 'EUR'),
    /** Opens the database and the store in this process. */
    async inspect<T>(work: (catalogue: Catalogue) => Promise<T>): Promise<T> {
      const catalogue = await openCatalogue(readConfig({ ...settings, LOG_LEVEL: 'warn' }))
      try {
        return await work(catalogue)
      } finally {
        await catalogue.close()
      }
    },
  }
}

/** A service in a folder of its own, which can be killed and started again, and the commands of its operator. */
export async function openService(own: Record<string, string> = {}, ...words: string[]) {
  const { dataDir, remove } = await createDataDir()
  const folder = path.dirname(dataDir)
  await mkdir(path.join(folder, 'tmp'))
  const port = await findPort()
  const origin = `http://127.0.0.1:${port}`
  const settings = {
    DATA_DIR: dataDir,
    TMPDIR: path.join(folder, 'tmp'),
    PORT: String(port),
    PUBLIC_URL: origin,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'fatal',
    ...own,
  }
  let service = await startProcess(settings, ...words)

  return {
    /** A folder for other files, which goes with the service. */
    folder,
    port,
    origin,
    settings,
    ...openOperator(settings),
    get child() {
      return service.child
    },
    async kill(): Promise<void> {
      await service.stop('SIGKILL')
      service = await startProcess(settings, ...words)
    },
    /** Kills PostgreSQL, which the service then starts again. */
    killDatabase: () => killServer(dataDir),
    async close(): Promise<void> {
      await service.stop()
      await remove()
    },
  }
}

/** See `openService`. */
export type Service = Awaited<ReturnType<typeof openService>>
