import { codingOfRecordEtag } from '../reads/conditional.ts'
import type { Check } from './store.ts'

const askMilliseconds = 10_000

/** Why the address cannot be checked to the end. */
class Finding extends Error {}

type Answer = { status: number; headers: Headers; text: string }

async function ask(url: URL, key: string, encodings = 'identity'): Promise<Answer> {
  try {
    const reply = await fetch(url, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': encodings },
      redirect: 'manual',
      signal: AbortSignal.timeout(askMilliseconds),
    })
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  } catch (error) {
    const { message, cause } = error as Error
    throw new Finding(
      `${url.pathname} cannot be read: ${cause instanceof Error && cause.message ? cause.message : message}`,
    )
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** The JSON of an answer of the catalogue; undefined if the key lacks a permission. */
async function read(url: URL, key: string): Promise<Record<string, unknown> | undefined> {
  const { status, headers, text } = await ask(url, key)
  const found = parse(text)
  if (status === 200) return found
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== null)
    throw new Finding(`leads to ${location}: programs need the address behind the redirect`)
  const { type, detail } = found
  if (typeof type === 'string' && typeof detail === 'string') {
    if (type.endsWith('/problems/missing-permission')) return undefined
    if (type.endsWith('/problems/unauthorized'))
      throw new Finding('does not take the key in CATALOGUE_KEY: list its keys, or create one')
    throw new Finding(`${url.pathname} is ${status}: ${detail}`)
  }
  throw absence(`${url.pathname} is ${status}, ${headers.get('content-type') ?? 'without Content-Type'}`)
}

const absence = (found: string) => new Finding(`no catalogue answers: ${found}`)

// The longest of the first pages, because a proxy may leave short answers alone. And an image, because the service
// sends it uncompressed.
async function findRecords(origin: string, key: string): Promise<URL[]> {
  const discovery = await read(new URL('/api/v2', origin), key)
  const resources = discovery?.['resources']
  if (typeof resources !== 'object' || resources === null) throw absence('/api/v2 does not describe one')
  let longest: { path: string; length: number } | undefined
  let image: string | undefined
  for (const name of Object.keys(resources)) {
    const page = await read(new URL(`/api/v2/${name}?limit=100`, origin), key)
    const records = (page?.['data'] ?? []) as { id: string; item: string }[]
    if (name === 'images') {
      const [first] = records
      if (first) image = `/api/v2/items/${first.item}/images/${first.id}`
      continue
    }
    for (const record of records) {
      const { length } = JSON.stringify(record)
      if (length > (longest?.length ?? 0)) longest = { path: `/api/v2/${name}/${record.id}`, length }
    }
  }
  return [longest?.path, image].filter((path) => path !== undefined).map((path) => new URL(path, origin))
}

const describeCoding = (coding: string) => (coding === 'identity' ? 'uncompressed' : `in ${coding}`)

/** What is said of the tag of a record that came with these headers. */
function describeTag({ pathname }: URL, headers: Headers): string {
  const etag = headers.get('etag')
  const sent = etag === null ? undefined : codingOfRecordEtag(etag)
  if (sent === undefined) {
    const fault = etag === null ? 'removes its ETag' : `makes its tag ${etag}, as proxies that compress do`
    throw new Finding(
      `${pathname} is read, but something on the way ${fault}: writes of it with If-Match fail. See "A proxy in front" in docs/operating.md`,
    )
  }
  const came = headers.get('content-encoding') ?? 'identity'
  const remark = `, but the record was sent ${describeCoding(sent)} and comes ${describeCoding(came)}`
  return `the tag of ${pathname} arrives unchanged${came === sent ? '' : remark}`
}

/**
 * Reads a record, and an image, through the public address of the service, and checks whether their tags arrive as they
 * were sent: writes with `If-Match` need that. `key`: of a house.
 */
export async function checkAddress(origin: string, key: string): Promise<Check> {
  const finish = (state: Check['state'], says: string): Check => ({
    check: 'address',
    state,
    says: `${origin}: ${says}`,
  })
  try {
    const records = await findRecords(origin, key)
    if (records.length === 0) return finish('unknown', 'the key can read no record there, so no tag was seen')
    const found: string[] = []
    for (const record of records) {
      // What browsers and programs accept.
      const { status, headers } = await ask(record, key, 'gzip, deflate, br, zstd')
      if (status !== 200) throw new Finding(`${record.pathname} is ${status} to a program that accepts compression`)
      found.push(describeTag(record, headers))
    }
    return finish('ok', found.join('; '))
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    return finish('wrong', error.message)
  }
}
