import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import { sql } from 'kysely'
import { exportHouse, type Exported, type Pictures } from '../../src/export/exporter.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { allKinds, isFollowed, kinds, type Kind } from '../../src/kinds.ts'
import { load } from '../../src/load/loader.ts'
import type { Line } from './lines.ts'
import type { TestService } from './service.ts'

/** Exports a house of a service. Returns the text of its file. */
export async function exportOf(
  service: Pick<TestService, 'connection' | 'db' | 'media'>,
  slug: string,
  pictures?: Pictures,
): Promise<Exported & { text: string }> {
  const pieces: Buffer[] = []
  const output = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      done()
    },
  })
  const house = (await findHouse(service.db, slug))!
  const done = await exportHouse(service, house, output, { pictures, isPacked: false })
  return { ...done, text: Buffer.concat(pieces).toString() }
}

const loadText = (service: TestService, text: string) =>
  load(
    { ...service, now: new Date() },
    { name: 'export', stream: Readable.from([Buffer.from(text)]), directory: service.dataDir },
  )

/** The lines of a file of the load format. */
export const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line & { id: string | null; ref: string })

const expansions: { [Type in Kind]?: string[] } = {
  auction: ['sessions'],
  session: ['auction'],
  item: ['images'],
  lot: ['item', 'session', 'item.images'],
}

/**
 * Asserts that two services give the same answers: to the lists of a house, page by page, and to the records in its file,
 * plain and expanded. Of more than `most` records only every n-th is asked for by itself. Returns the number of answers.
 */
async function haveSameAnswers(services: TestService[], slug: string, lines: Line[], most: number): Promise<number> {
  const keys = await Promise.all(services.map((service) => service.issueKey(slug)))
  let answers = 0
  const ask = async (paths: string[]): Promise<string[]> => {
    const replies = await Promise.all(services.map((service, n) => service.get(`/api/v2/${paths[n]}`, keys[n]!)))
    const [one, other] = replies.map(
      ({ statusCode, payload }) => `${statusCode} ${payload.replace(/"next_cursor":"[^"]*"/, '"next_cursor":""')}`,
    )
    assert.equal(other, one, paths[0])
    answers++
    return replies.map(({ payload }) => payload)
  }
  const records = (lines as (Line & { type: Kind; id: string | null })[])
    .slice(1)
    .filter(({ type }) => isFollowed(type))
  const step = Math.max(1, Math.ceil(records.length / most))
  for (const { type, id } of records.filter((record, index) => record.id !== null && index % step === 0)) {
    const record = `${kinds[type].plural}/${id}`
    const paths = [record, ...(expansions[type] ?? []).map((name) => `${record}?expand[]=${name}`)]
    for (const path of type === 'item' ? [...paths, `${record}/images`] : paths) await ask([path, path])
  }
  const limit = step > 1 ? 100 : 20
  for (const type of new Set(records.map((record) => record.type)))
    for (const expanded of ['', (expansions[type] ?? []).map((name) => `&expand[]=${name}`).join('')]) {
      let cursors = ['', '']
      do {
        const lists = cursors.map((cursor) => `${kinds[type].plural}?limit=${limit}${expanded}${cursor}`)
        const pages = (await ask(lists)).map((page) => JSON.parse(page) as { next_cursor?: string | null })
        cursors = pages.flatMap(({ next_cursor }) => (next_cursor == null ? [] : [`&cursor=${next_cursor}`]))
      } while (cursors.length > 0)
    }
  return answers
}

const tables = [...allKinds.map((kind) => kinds[kind].plural), 'increment_steps', 'item_translations', 'item_makers']

/** The values of a house and of its rows, table by table, without internal ids. Also what no answer shows. */
async function valuesOf({ db }: TestService, slug: string): Promise<string[]> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    ${sql.join(
      tables.map(
        (table) => sql`select to_jsonb(t) || jsonb_build_object('table', ${table}::text) as row
          from ${sql.table(`catalogue.${table}`)} t join catalogue.houses h on h.id = t.house_id where h.slug = ${slug}`,
      ),
      sql` union all `,
    )} union all select to_jsonb(h) from catalogue.houses h where h.slug = ${slug}`.execute(db)
  // A load sets `decides_from` to its own time: a job leaves to staff what closed before.
  const isValue = (name: string) => name === 'public_id' || !/^(id|revision|.*_id|result_with|decides_from)$/.test(name)
  return rows.map(({ row }) => JSON.stringify(Object.entries(row).filter(([name]) => isValue(name)))).toSorted()
}

/**
 * Loads the file of a house into another installation. Asserts that the file and the answers (at least `least`, of at most
 * `most` records one by one) are the same there.
 */
export async function comesBack(
  source: TestService,
  target: TestService,
  slug: string,
  least: number,
  most = Infinity,
): Promise<void> {
  const file = await exportOf(source, slug)
  await loadText(target, file.text)
  // Large texts are compared without a report of the difference, which would take minutes.
  assert.ok((await exportOf(target, slug)).text === file.text, 'the file differs')
  const answers = await haveSameAnswers([source, target], slug, linesOf(file.text), most)
  assert.ok(answers > least, String(answers))
  const values = await valuesOf(source, slug)
  assert.ok(values.length > least / 2, String(values.length))
  assert.deepEqual(await valuesOf(target, slug), values)
}
