import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { sql } from 'kysely'
import { backUp, type BackedUp } from '../../src/backup/backup.ts'
import { restore } from '../../src/backup/restore.ts'
import { openFileStore } from '../../src/media/file-store.ts'
import type { MediaStore } from '../../src/media/store.ts'
import { followedKinds, kinds } from '../../src/kinds.ts'
import { urlOf } from './address.ts'
import { createTestDatabase } from './database.ts'
import { catalogueOf, type CatalogueIds } from './lines.ts'
import { form, picture } from './pictures.ts'
import { runCommand } from './process.ts'
import { withoutSignatures } from './reads.ts'
import { startService, type TestService } from './service.ts'

/** Backs a service up. Returns the archive. */
export async function makeArchive(
  service: Pick<TestService, 'connection'> & { media: MediaStore },
): Promise<BackedUp & { archive: Buffer }> {
  const chunks: Buffer[] = []
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  const done = await backUp(service, output, new Date())
  return { ...done, archive: Buffer.concat(chunks) }
}

/** Restores an archive into a service without records. */
export function restoreInto(service: TestService, archive: Buffer) {
  return restore(service, Readable.from(pieces(archive)))
}

function* pieces(archive: Buffer) {
  for (let at = 0; at < archive.length; at += 65_536) yield archive.subarray(at, at + 65_536)
}

/** The number of rows in all tables of the catalogue, without the index of the search, which is made anew. */
export async function countRows({ db }: Pick<TestService, 'db'>): Promise<number> {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'catalogue'::regnamespace and relkind = 'r'
      and relpersistence = 'p' and relname not like 'kysely%' and relname <> 'generation' and relname not like 'search\\_%'`.execute(
    db,
  )
  let count = 0
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(`catalogue.${name}`)}`.execute(db)
    count += rows[0]!.count
  }
  return count
}

const lists = followedKinds.map((kind) => `/${kinds[kind].plural}`)

/**
 * The answers to every read of a house of `catalogueOf`: status and body by path. Signatures and cursors, which
 * change, are left out, and a bucket called target is called source.
 */
export async function readEverything(
  service: TestService,
  key: string,
  ids: CatalogueIds,
): Promise<Record<string, string>> {
  const records = [`/auctions/${ids.auction}`, `/sessions/${ids.session}`, `/lots/${ids.lot}`, `/items/${ids.item}`]
    .concat(`/sessions/${ids.session}?expand[]=auction`, `/items/${ids.item}?expand[]=images`, `/sellers/${ids.seller}`)
    .concat(`/lots/${ids.lot}?expand[]=item.images&expand[]=session`, `/items/${ids.item}/images`)
    .concat(`/lots/${ids.lot}/status`, '/lots?limit=1&expand[]=item.images', `/lots?session=${ids.session}`)
  const answers: Record<string, string> = {}
  for (const path of ['', ...lists, ...records]) {
    const reply = await service.get(`/api/v2${path}`, key)
    const body = withoutSignatures(reply.payload).replaceAll(/"next_cursor":"[^"]+"/g, '"next_cursor":""')
    answers[path] = `${reply.statusCode} ${body.replaceAll('/target/', '/source/')}`
  }
  return answers
}

/** A service with a house and a picture for backup commands, and a folder for their archives. */
export async function openSource() {
  const { slug, ids, lines } = catalogueOf(1)
  const folder = await mkdtemp(path.join(tmpdir(), 'backups-'))
  const service = await startService({ records: lines })
  const settings = { DATABASE_URL: urlOf(service.connection), DATA_DIR: service.dataDir, SECRET: service.secret }
  const key = await service.issueKey(slug)
  const { headers, body } = form(['external_reference', 'x'], ['file', await picture('#123456', 400, 300), 'a.jpg'])
  await service.request({ method: 'POST', url: `/api/v2/items/${ids.item}/images`, key, headers, body })
  return {
    service,
    folder,
    settings,
    /** An empty database, and the settings of commands on it. */
    async openTarget() {
      const database = await createTestDatabase()
      const dataDir = await mkdtemp(path.join(folder, 'target-'))
      return {
        ...database,
        media: openFileStore({ dataDir, publicUrl: '', keyring: ['key'] }),
        settings: { ...settings, DATABASE_URL: urlOf(database.connection), DATA_DIR: dataDir },
      }
    },
    async backUpTo(file: string) {
      const { code, stderr } = await runCommand(settings, 'backup', file)
      assert.equal(code, 0, stderr)
    },
    async close() {
      await service.close()
      await rm(folder, { recursive: true })
    },
  }
}
