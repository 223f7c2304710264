import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { createBodyCheck, listOperations, readDocument, successOf } from './support/contract.ts'
import { catalogueOf } from './support/lines.ts'
import { checksum, openWriting } from './support/writing.ts'

const ours = catalogueOf(1)
const theirs = catalogueOf(2)
const service = await openWriting(ours.lines.slice(1))
await service.load(theirs.lines)
after(() => service.close())

const document = await readDocument(service)
const checkBody = createBodyCheck(document)
const names = [
  'createAuction',
  'updateAuction',
  'createSession',
  'updateSession',
  'updateLot',
  'updateLotsOfSession',
  'createItem',
  'updateItem',
]
const writes = listOperations(document).filter(({ name }) => names.includes(name))

const taken: Record<string, string> = { createAuction: 'A-1', createSession: 'S-1', createItem: 'I-1' }

type Edit = { place: number; how: 'replace' | 'remove' | 'add' | 'repeat' | 'swap'; value: unknown; name: string }

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', ' ', 'a\0', '\ud800', '\udfff', 'x'.repeat(300), 'é'.repeat(600)),
)
const ids = fc.constantFrom(
  ...Object.values(ours.ids),
  ...Object.values(theirs.ids),
  ...Object.values(ours.ids).map((id) => id.slice(4).toUpperCase()),
  'sel_',
  '1',
)
const numbers = fc.constantFrom(
  0,
  -1,
  1,
  100,
  1.5,
  -0,
  2147483647,
  2147483648,
  2 ** 53,
  1e19,
  1e300,
  214748364700,
  214748364800,
)
const times = fc.constantFrom(
  '2099-05-01T10:00:00Z',
  '2099-05-01T10:00:00',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.9999999-00:01',
  '1800-01-01T00:00:00+00:19',
  '2099-13-01T00:00:00Z',
)
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  texts,
  ids,
  numbers,
  times,
  fc.constantFrom(null, true, false, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 3 }),
)
const fields = fc.oneof(
  texts,
  fc.constantFrom(
    'title',
    'nl',
    'en',
    'xx',
    'low',
    'high',
    'amount',
    'currency',
    'timed',
    'live',
    'seller',
    'consignment',
    'makers',
    'published',
    '__proto__',
    'constructor',
  ),
)
const edits = fc.array(
  fc.record({
    place: fc.nat(),
    how: fc.constantFrom('replace', 'remove', 'add', 'repeat', 'swap'),
    value: hostile,
    name: fields,
  }),
  { minLength: 1, maxLength: 4 },
)

type Holder = unknown[] | Record<string, unknown>

/** Every place in a value: its parent and its key. */
function placesOf(value: unknown, found: [Holder, string][] = []): [Holder, string][] {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, each] of Object.entries(value)) {
    found.push([value as Holder, name])
    placesOf(each, found)
  }
  return found
}

function mutate(body: unknown, each: Edit[]): unknown {
  const root = { body: structuredClone(body) }
  // One by one: otherwise a value that two edits share would contain itself.
  for (const { place, how, value, name } of each.map((edit) => structuredClone(edit))) {
    const places = placesOf(root)
    const [holder, key] = places[place % places.length] ?? [root, 'body']
    const at = holder as Record<string, unknown>
    const [other, otherKey] = places[(place * 7) % places.length] ?? [root, 'body']
    if (how === 'replace') at[key] = value
    else if (how === 'remove' && Array.isArray(holder)) holder.splice(Number(key), 1)
    else if (how === 'remove') delete at[key]
    else if (how === 'repeat' && Array.isArray(at[key])) at[key].push(...(at[key] as unknown[]))
    else if (how === 'swap') at[key] = structuredClone((other as Record<string, unknown>)[otherKey])
    else if (typeof at[key] === 'object' && at[key] !== null && !Array.isArray(at[key]))
      Object.defineProperty(at[key], name, { value, enumerable: true, configurable: true, writable: true })
  }
  return root.body
}

test('any body gets an answer that the document names, and a refused one changes no row of any table', async () => {
  let sum = await checksum(service.db)
  let run = 0
  const seen = new Map<number, number>()
  const property = fc.asyncProperty(
    fc.constantFrom(...writes),
    edits,
    fc.boolean(),
    fc.nat(),
    async (write, each, broken, cut) => {
      const example = write.body!(ours.ids) as Record<string, unknown>
      if ('external_reference' in example)
        example['external_reference'] = ++run % 3 === 0 ? taken[write.name] : `${run}`
      let text = JSON.stringify(mutate(example, each)) ?? ''
      if (broken && cut % 8 === 0)
        text =
          text.slice(0, cut % (text.length + 1)) + String.fromCharCode(cut % 128) + text.slice(cut % (text.length + 1))
      const reply = await service.request({
        method: write.method,
        url: write.urlOf(ours.ids),
        key: service.key,
        body: text,
        headers: { 'content-type': 'application/json' },
      })
      seen.set(reply.statusCode, (seen.get(reply.statusCode) ?? 0) + 1)
      assert.ok([successOf(write), 400, 409, 422].includes(reply.statusCode), `${reply.statusCode} ${reply.payload}`)
      const type = reply.statusCode < 300 ? 'application/json' : 'application/problem+json'
      checkBody(write, reply.statusCode, type, reply.json())
      const now = await checksum(service.db)
      if (reply.statusCode >= 400) assert.equal(now, sum, `${reply.statusCode} ${reply.payload}`)
      sum = now
    },
  )
  await fc.assert(property, { numRuns: Number(process.env.BODIES ?? 500) })
  for (const status of [200, 201, 400, 409, 422])
    assert.ok(seen.has(status), `none of the bodies was answered ${status}`)
})

test('a body may have 1 MiB and not one byte more; after either the connection stays open', async () => {
  await service.app.listen({ port: 0 })
  const { port } = service.app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sockets = new Set<unknown>()
  const send = (body: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
      const sent = request({ port, agent, method: 'POST', path: '/api/v2/items', headers }, (reply) => {
        reply.resume().on('end', () => resolve(reply.statusCode!))
      })
      sent.on('socket', (socket) => sockets.add(socket)).on('error', reject)
      sent.end(body)
    })
  const bodyOf = (bytes: number) => {
    return JSON.stringify({ external_reference: `B-${bytes}`, title: 'x' }).padEnd(bytes)
  }
  const limit = 1024 * 1024
  const sum = () => checksum(service.db)
  const before = await sum()
  assert.equal(await send(bodyOf(limit + 1)), 413)
  assert.equal(await send('['.repeat(limit)), 400)
  assert.equal(await send('{"a":'.repeat(1000) + '1' + '}'.repeat(1000)), 422)
  assert.equal(await send(`{${Array.from({ length: 100_000 }, (_, index) => `"${index}":1`).join()}}`), 422)
  assert.equal(await sum(), before)
  assert.equal(await send(bodyOf(limit)), 201)
  assert.equal(sockets.size, 1)
  agent.destroy()
})

test('no body gets an answer larger than a quarter of a mebibyte', async () => {
  const many = (count: number, each: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => each(at)).join()
  const zeros = many(500_000, () => '0')
  const strange = '\u{1F5BC}'.repeat(100)
  const bodies = {
    zeros: [422, `{"categories":[${zeros}],"makers":[${zeros.slice(0, 39_999)}]}`],
    names: [422, `{${many(90_000, (at) => `"${at}":0`)}}`],
    'long names': [422, `{${many(2_000, (at) => `"${strange}${at}":0`)}}`],
    'escaped names': [422, `{${many(1_500, (at) => `"${'\\u0001'.repeat(100)}${at}":0`)}}`],
    'one name': [422, `{"${'x'.repeat(1_000_000)}":0}`],
    'a name twice': [400, `{"${'x'.repeat(500_000)}":0,"${'x'.repeat(500_000)}":0}`],
    number: [400, `{"title":${'1'.repeat(1_000_000)}.}`],
    'a locale with a title': [422, `{"translations":{"${'x'.repeat(500_000)}":{"title":"${'x'.repeat(2_000)}"}}}`],
    locales: [422, `{"translations":{${many(50_000, (at) => `"${at}":{}`)}}}`],
  } as const
  for (const [name, [status, body]] of Object.entries(bodies)) {
    for (const [method, path] of [
      ['POST', 'items'],
      ['PATCH', `items/${ours.ids.item}`],
      ['PATCH', `items/${ours.ids.item}/gallery`],
    ] as const) {
      const headers = { 'content-type': 'application/json' }
      const reply = await service.request({ method, url: `/api/v2/${path}`, key: service.key, body, headers })
      assert.equal(reply.statusCode, status, `${name} ${reply.payload.slice(0, 500)}`)
      assert.ok(reply.rawPayload.length < 256 * 1024, `${name}: ${reply.rawPayload.length}`)
    }
  }
})
