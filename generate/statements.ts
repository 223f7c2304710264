import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, type CompiledQuery, type PostgresPool } from 'kysely'
import { pino } from 'pino'
import { createApp } from '../src/app.ts'
import { numberChanges } from '../src/changes/numbering.ts'
import { permissions, type House } from '../src/context.ts'
import type { Tables } from '../src/db/schema/tables.ts'
import { createKey } from '../src/houses/api-keys.ts'
import { openFileStore } from '../src/media/file-store.ts'
import { readGeneration } from '../src/db/generation.ts'
import { printCursor } from '../src/reads/cursors.ts'
import { deriveKeyrings } from '../src/settings/secret.ts'
import { inlineComponents } from '../test/support/openapi.ts'

/** A statement that has run. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** Requests that run the same statements, each named by its parameters, and these statements. */
export type Read = { requests: string[]; statements: Statement[] }

/** An operation that reads. `tag` is its group of operations. */
export type Operation = { name: string; path: string; tag: string; reads: Read[] }

type Parameter = { in: string; name: string; schema: { type?: string; items?: { enum: string[] } } }
type Paths = Record<string, { get?: { summary: string; tags: string[]; parameters?: Parameter[] } }>
type Resource = Record<string, string | number | boolean | null> & { id: string }
type Pairs = [name: string, value: string][]

const publicUrl = 'http://localhost'
const keyrings = deriveKeyrings('the secret of a service without clients')
const leastUuid = '00000000-0000-0000-0000-000000000000'

/**
 * Requests every list and record from a service, with each filter, a cursor and each expansion of the OpenAPI
 * document, one at a time. Returns the statements that ran. The look-up of the key, which every request needs, is separate.
 */
export async function collectStatements(pool: PostgresPool, house: House) {
  const ran: Statement[] = []
  let keyLookUp: Statement | undefined
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log({ query }) {
      // Item documents are stored at any time after an answer.
      if (!query.sql.includes('into catalogue.item_documents')) ran.push(query)
    },
  })
  const generation = await readGeneration(db)
  // Otherwise the first read of the feed would number the changes.
  while (!(await numberChanges({ db, house })));
  const { key } = await createKey(db, house, [...permissions], 'statements', new Date())
  const app = await createApp({
    db,
    keyrings,
    publicUrl,
    media: openFileStore({ dataDir: '/nowhere', publicUrl, keyring: keyrings.addresses }),
    rateLimitPerMinute: 0,
    cacheBytes: 0,
    windows: { in: 'memory' },
    logger: pino({ level: 'silent' }),
  })

  async function ask(
    path: string,
    pairs: Pairs = [],
    attempts = 20,
  ): Promise<{ body: unknown; statements: Statement[] }> {
    ran.length = 0
    const url = `${path}?${new URLSearchParams(pairs).toString()}`
    // With another ETag, the service runs the check too.
    const headers = { authorization: `Bearer ${key}`, 'if-none-match': '"none"' }
    const reply = await app.inject({ url, headers })
    // A busy machine counts as an overload, which asking at once would prolong.
    if (reply.statusCode === 503 && attempts > 1) {
      await sleep(200)
      return ask(path, pairs, attempts - 1)
    }
    // Each record of the bench has nearly all of its few words: a search for two of them is refused for its cost.
    if (reply.statusCode === 503 && path.endsWith('/search')) return { body: {}, statements: [] }
    if (reply.statusCode !== 200) throw new Error(`${url} answered ${reply.payload}`)
    return { body: reply.json(), statements: ran.filter((each) => each.sql !== keyLookUp?.sql) }
  }

  async function findFirst(list: string): Promise<Resource> {
    const { body } = await ask(list, [['limit', '1']])
    const [first] = (body as { data: Resource[] }).data
    if (!first) throw new Error(`${list} has no record`)
    return first
  }

  async function findEnd(feed: string): Promise<string> {
    const { body } = await ask(feed)
    return (body as { next_cursor: string }).next_cursor
  }

  async function fillIn(template: string): Promise<string> {
    let path = ''
    for (const part of template.split('/').slice(1))
      path += `/${part.startsWith('{') ? (await findFirst(path)).id : part}`
    return path
  }

  async function findValue(record: Resource, { name: filter, schema }: Parameter): Promise<string> {
    if (schema.type === 'boolean') return 'false'
    return String(record[filter] ?? (await findFirst(`/api/v2/${filter}s`)).id)
  }

  function printCursorOf(path: string, record: Resource): string {
    const sort = String(record['lot_number'] ?? record['opens_at'] ?? record['created_at'] ?? '2020-01-01')
    const scope = { house: house.id, generation, path, filters: {} }
    const tie = path === '/api/v2/images' ? leastUuid : undefined
    return printCursor(keyrings.cursors, scope, { sort, id: leastUuid, tie })
  }

  // Every search runs the same statements.
  const searches: Pairs[] = [[]]

  // Pages of every size run the same statement, apart from the limit.
  async function listRequests(path: string, parameters: Parameter[]): Promise<Pairs[]> {
    if (path.endsWith('/search')) return searches
    const query = parameters.filter((each) => each.in === 'query' && each.name !== 'limit')
    const record = query.some(({ name }) => name === 'cursor') ? await findFirst(path) : undefined
    const requests: Pairs[] = [[]]
    for (const parameter of query) {
      const { name, schema } = parameter
      const expansions = schema.items?.enum.map((value): [string, string] => [name, value])
      if (name === 'after') requests.push([[name, await findEnd(path)]])
      else if (name === 'cursor') requests.push([[name, printCursorOf(path, record!)]])
      else if (!expansions) requests.push([[name, await findValue(record!, parameter)]])
      else requests.push(...expansions.map((each) => [each]))
    }
    return requests
  }

  async function collectReads(path: string, parameters: Parameter[]): Promise<Read[]> {
    const reads = new Map<string, Read>()
    for (const pairs of await listRequests(path, parameters)) {
      const { statements } = await ask(path, pairs)
      const same = statements.map((each) => each.sql).join('\n')
      const read = reads.get(same) ?? { requests: [], statements }
      read.requests.push(
        pairs.map(([name, value]) => (name.endsWith('[]') ? `${name}=${value}` : `${name}=…`)).join('&'),
      )
      reads.set(same, read)
    }
    return [...reads.values()]
  }

  keyLookUp = (await ask('/api/v2')).statements[0]!
  // The first search makes the index.
  await ask('/api/v2/items/search')
  const operations: Operation[] = []
  for (const [path, { get }] of Object.entries(inlineComponents(app.swagger()).paths as Paths)) {
    if (!get) continue
    const reads = await collectReads(await fillIn(path), get.parameters ?? [])
    operations.push({ name: get.summary, path, tag: get.tags[0]!, reads })
  }
  await app.close()
  return { keyLookUp, operations }
}
