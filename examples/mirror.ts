// Keeps a copy of a house's catalogue in a SQLite file, and proves that it is complete.
// Usage: CATALOGUE_KEY=ack_… node examples/mirror.ts http://127.0.0.1:4000/api/v2 catalogue.sqlite [--follow]
// It goes on where it stopped, whenever and however it was stopped. With --follow it stays and waits for changes.
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

type Change = { type: string; id: string | null; version: string | null; deleted: boolean; record: unknown }
type Page = { data: Change[]; has_more: boolean; next_cursor: string }
type Proof = { cursor: string; fingerprint: string }

/** The service says that the cursor is no longer valid: its database was restored, perhaps. */
class StartAgain extends Error {}

/** Opens the copy at a path. Each record is a row; the cursor says how far the copy has come. */
export function openMirror(path: string, url: string, key: string) {
  const db = new DatabaseSync(path)
  db.exec(`
    create table if not exists records (type text, id text, version text, document text, primary key (type, id));
    create table if not exists place (cursor text);`)
  const put = db.prepare('insert or replace into records (type, id, version, document) values (?, ?, ?, ?)')
  const remove = db.prepare('delete from records where type = ? and id = ?')
  const keptCursor = () => (db.prepare('select cursor from place').get() as { cursor: string } | undefined)?.cursor

  async function ask<Answer>(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    for (;;) {
      const reply = await fetch(url + path, { headers: { authorization: `Bearer ${key}`, ...headers } }).catch(
        () => undefined,
      )
      if (reply?.ok) return (await reply.json()) as Answer
      if (reply && reply.status < 500 && reply.status !== 429) {
        const { type, detail } = (await reply.json()) as { type: string; detail: string }
        throw type.endsWith('/invalid-cursor') ? new StartAgain(detail) : new Error(detail)
      }
      await reply?.body?.cancel()
      await sleep(1000 * Number(reply?.headers.get('retry-after') ?? 1))
    }
  }

  // All of a page, and the place behind it, or nothing: so it does not matter when the program is killed.
  function write(changes: Change[], cursor: string | undefined): void {
    db.exec('begin')
    for (const { type, id, version, deleted, record } of changes) {
      // A record without an id can't be told from another one. Its version stands for it.
      if (deleted) remove.run(type, id)
      else put.run(type, id ?? `? ${version}`, version, JSON.stringify(record))
    }
    db.exec('delete from place')
    if (cursor === undefined) db.exec('delete from records')
    else db.prepare('insert into place (cursor) values (?)').run(cursor)
    db.exec('commit')
  }

  /** The fingerprint of the copy: a sum, so the order of the rows does not matter. */
  function sum(): string {
    let total = 0n
    for (const row of db.prepare('select type, id, version from records').iterate()) {
      const { type, id, version } = row as { type: string; id: string; version: string }
      const text = `${type} ${id.startsWith('?') ? '' : id} ${version}`
      total += BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 32)}`)
    }
    return BigInt.asUintN(128, total).toString(16).padStart(32, '0')
  }

  /** Goes on to the end of the changes. Waits for one first, at most so many seconds, if there is none yet. */
  async function follow(seconds = 0): Promise<number> {
    let count = 0
    for (let hasMore = true; hasMore;) {
      const cursor = keptCursor()
      const after = cursor === undefined ? '' : `&after=${cursor}`
      try {
        const prefer = seconds > 0 && count === 0 ? { prefer: `wait=${seconds}` } : undefined
        const page = await ask<Page>(`/changes?expand[]=record&limit=100${after}`, prefer)
        write(page.data, page.next_cursor)
        count += page.data.length
        hasMore = page.has_more
      } catch (error) {
        if (!(error instanceof StartAgain)) throw error
        write([], undefined)
      }
    }
    return count
  }

  /** Whether the copy is the catalogue. While others write, the service may be ahead: then it goes on and asks again. */
  async function prove(): Promise<boolean> {
    for (let attempt = 0; attempt < 10; attempt++) {
      const { cursor, fingerprint } = await ask<Proof>('/changes/fingerprint')
      if (fingerprint === sum()) return true
      // With nothing left to read, something is wrong here, and only a new copy helps.
      if ((await follow()) === 0 && cursor === keptCursor()) write([], undefined)
    }
    return false
  }

  const countRecords = () => (db.prepare('select count(*) as count from records').get() as { count: number }).count
  return { follow, prove, countRecords, close: () => db.close() }
}

if (import.meta.main) {
  const [url, path, option] = process.argv.slice(2)
  const mirror = openMirror(path!, url!, process.env['CATALOGUE_KEY'] ?? '')
  const run = async (seconds: number) => {
    const count = await mirror.follow(seconds)
    const isProved = await mirror.prove()
    console.log(`${count} changes, ${mirror.countRecords()} records, ${isProved ? 'proved' : 'not proved'}`)
  }
  await run(0)
  if (option === '--follow') for (;;) await run(60)
}
