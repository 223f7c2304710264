// Keeps a copy of a house's catalogue in a SQLite file, and proves that it is complete.
// Usage: CATALOGUE_KEY=ack_… node_modules/.bin/node examples/mirror.ts http://127.0.0.1:4000/api/v2 catalogue.sqlite [--follow]
// It goes on where it stopped, whenever and however it was stopped. With --follow it stays and waits for changes.
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { Catalogue, CatalogueError, type Change, type Kind } from '@auction-catalogue/client'

/** Opens the copy at a path. Each record is a row. The cursor is that of the last copied change. */
export function openMirror(path: string, url: string, key: string) {
  // A copy can wait: a failed request is repeated for hours.
  const catalogue = new Catalogue({ url, key, retries: 500 })
  const db = new DatabaseSync(path)
  db.exec(`
    create table if not exists records (type text, id text, version text, document text, unique (type, id));
    create table if not exists place (cursor text);`)
  const put = db.prepare('insert or replace into records (type, id, version, document) values (?, ?, ?, ?)')
  const remove = db.prepare('delete from records where type = ? and id = ?')
  const keptCursor = () => (db.prepare('select cursor from place').get() as { cursor: string } | undefined)?.cursor

  // Stores a page and its cursor together or not at all, so the program may be killed at any moment.
  function write(changes: Change<Kind, 'record'>[], cursor: string | null): void {
    db.exec('begin')
    for (const { type, id, version, deleted, record } of changes) {
      // A record without an id cannot be told from another one, so each gets a row. An outdated row makes the proof
      // fail.
      if (deleted) remove.run(type, id)
      else put.run(type, id, version, JSON.stringify(record))
    }
    db.exec('delete from place')
    if (cursor === null) db.exec('delete from records')
    else db.prepare('insert into place (cursor) values (?)').run(cursor)
    db.exec('commit')
  }

  /** The fingerprint of the copy: a sum, so the order of the rows does not matter. */
  function sum(): string {
    let total = 0n
    for (const row of db.prepare('select type, id, version from records').iterate()) {
      const { type, id, version } = row as { type: string; id: string | null; version: string }
      const text = `${type} ${id ?? ''} ${version}`
      total += BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 32)}`)
    }
    return BigInt.asUintN(128, total).toString(16).padStart(32, '0')
  }

  /** Copies all changes so far. If there are none, it may wait for one. */
  async function follow(waits = false): Promise<number> {
    let count = 0
    try {
      const query = { after: keptCursor(), expand: ['record'], follow: waits } as const
      for await (const { data, nextCursor, hasMore } of catalogue.changes(query).pages()) {
        write(data, nextCursor)
        count += data.length
        if (!hasMore && count > 0) break
      }
      return count
    } catch (error) {
      // The cursor is not valid any more, for example because the database was restored.
      if (!(error instanceof CatalogueError) || error.code !== 'invalid-cursor') throw error
      write([], null)
      return count + (await follow())
    }
  }

  /**
   * Whether the copy equals the catalogue. While other clients write, the service may be ahead: then it copies the
   * changes and asks again.
   */
  async function prove(): Promise<boolean> {
    for (let attempt = 0; attempt < 10; attempt++) {
      const { cursor, fingerprint } = await catalogue.fingerprint()
      if (fingerprint === sum()) return true
      // Without further changes to read, the copy itself is wrong, and only a new one helps.
      if ((await follow()) === 0 && cursor === keptCursor()) write([], null)
    }
    return false
  }

  const countRecords = () => (db.prepare('select count(*) as count from records').get() as { count: number }).count
  return { follow, prove, countRecords, close: () => db.close() }
}

if (import.meta.main) {
  const [url, path, option] = process.argv.slice(2)
  const key = process.env['CATALOGUE_KEY']
  if (!url || !path || !key) {
    console.error('usage: CATALOGUE_KEY=ack_… node_modules/.bin/node examples/mirror.ts URL FILE [--follow]')
    process.exit(2)
  }
  const mirror = openMirror(path, url, key)
  const run = async (waits: boolean) => {
    const count = await mirror.follow(waits)
    const isProved = await mirror.prove()
    console.log(`${count} changes, ${mirror.countRecords()} records, ${isProved ? 'proved' : 'not proved'}`)
  }
  await run(false)
  if (option === '--follow') for (;;) await run(true)
}
