import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import { sql } from 'kysely'
import { exportHouse, type Exported, type Pictures } from '../../src/export/exporter.ts'
import { findHouse } from '../../src/houses/houses.ts'
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

/** The answers to the lists of a house, page by page, and to each record in its file, plain and expanded. */
async function answersOf(service: TestService, slug: string, lines: Line[]): Promise<Record<string, string>> {
  const key = await service.issueKey(slug)
  const answers: Record<string, string> = {}
  const ask = async (path: string, shown = path): Promise<string> => {
    const { statusCode, payload } = await service.get(`/api/v2/${path}`, key)
    answers[shown] = `${statusCode} ${payload.replace(/"next_cursor":"[^"]*"/, '"next_cursor":""')}`
    return payload
  }
  for (const { type, id } of lines.slice(1) as { type: Kind; id: string | null }[]) {
    if (!isFollowed(type) || id === null) continue
    const record = `${kinds[type].plural}/${id}`
    await ask(record)
    for (const name of expansions[type] ?? []) await ask(`${record}?expand[]=${name}`)
    if (type === 'item') await ask(`${record}/images`)
  }
  for (const type of new Set(lines.slice(1).map(({ type }) => type as Kind))) {
    if (!isFollowed(type)) continue
    let cursor: string | null | undefined = ''
    for (let page = 1; typeof cursor === 'string'; page++) {
      const list: string = `${kinds[type].plural}?limit=20${cursor === '' ? '' : `&cursor=${cursor}`}`
      cursor = (JSON.parse(await ask(list, `${type} ${page}`)) as { next_cursor?: string | null }).next_cursor
    }
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

/** Loads the file of a house into another installation. Asserts that the file and the answers are the same there. */
export async function comesBack(source: TestService, target: TestService, slug: string, least: number): Promise<void> {
  const file = await exportOf(source, slug)
  await loadText(target, file.text)
  assert.equal((await exportOf(target, slug)).text, file.text)
  const lines = linesOf(file.text)
  const answers = await answersOf(source, slug, lines)
  assert.ok(Object.keys(answers).length > least, String(Object.keys(answers).length))
  assert.deepEqual(await answersOf(target, slug, lines), answers)
  const values = await valuesOf(source, slug)
  assert.ok(values.length > least / 2, String(values.length))
  assert.deepEqual(await valuesOf(target, slug), values)
}
