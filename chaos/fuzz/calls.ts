import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc, { type Arbitrary } from 'fast-check'
import { createRandom } from '../lib/random.ts'
import type { Call, Holder } from './call.ts'
import type { Interface, Operation } from './document.ts'
import { partsOf, printForm, spoilParts } from './forms.ts'
import { defective } from './houses.ts'
import type { Knowledge } from './knowledge.ts'
import { bodyMistakes, queryMistakes, spoilBody, strangeId, strangeIds } from './mistakes.ts'
import { buildQuery, spoilQuery } from './queries.ts'
import { makeHostile } from './tricks/tricks.ts'
import { fill, idForms, printJson, valueOf, type Filling } from './values.ts'

const mebibyte = 1024 * 1024

/** The sources of requests. `stolen` is the path of a picture that was never uploaded. */
export type Material = {
  api: Interface
  knowledge: Knowledge
  pictures: Buffer[]
  stolen: string
  holders: readonly (readonly [weight: number, holder: Holder])[]
}

// Writes are most frequent. Deletions are rare, so that records exist for a while.
const weightOf = ({ method, body }: Operation) => (body ? 3 : method === 'DELETE' ? 1 : 2)

function requestsOf(operation: Operation) {
  const { places, query, body } = operation
  const values = query.map(
    ({ name, schema }) => [name, fc.option(valueOf(schema, name), { freq: 1, nil: undefined })] as const,
  )
  return fc.record({
    operation: fc.constant(operation),
    record: fc.nat(),
    isNear: fc.integer({ min: 0, max: 9 }).map((chance) => chance < 8),
    forms: fc.array(idForms, { minLength: places.length, maxLength: places.length }),
    unknown: fc.uuid({ version: 4 }),
    query: fc.record(Object.fromEntries(values)),
    wanted: fc.subarray(
      query.map(({ name }) => name),
      { maxLength: Math.min(4, query.length) },
    ),
    cursor: fc.option(fc.nat(), { freq: 1, nil: undefined }),
    body: body ? valueOf(body.schema) : fc.constant(undefined),
    charset: fc.constantFrom('', '', '; charset=utf-8'),
    time: fc.integer({ min: Date.UTC(2099, 0), max: Date.UTC(2099, 11) }),
    amount: fc.nat(1_000),
  })
}
type Request = ReturnType<typeof requestsOf> extends Arbitrary<infer T> ? T : never

const mistakes = fc.record({
  part: fc.nat(),
  id: strangeIds,
  escape: fc.constantFrom(...Array(9).fill(''), '%00', '%ff', '%zz', 'a;b', '%2e%2e', 'x'.repeat(3_000)),
  query: queryMistakes,
  body: bodyMistakes,
  seed: fc.nat(),
  tag: fc.option(fc.nat(), { freq: 4, nil: undefined }),
})
type Mistakes = typeof mistakes extends Arbitrary<infer T> ? T : never

/** A request before it is built, and how it is wrong. What it says of records is only decided when it is sent. */
export type Plan = { kind: Call['kind']; holder: number; request: Request; mistakes: Mistakes }

/** Plans of requests: some that the document allows, some with one mistake, some hostile. */
export function plansOf({ api, holders }: Pick<Material, 'api' | 'holders'>): Arbitrary<Plan> {
  const weighed = <T>(choices: readonly (readonly [number, Arbitrary<T>])[]) =>
    fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
  return fc.record({
    kind: weighed([
      [5, fc.constant('valid')],
      [4, fc.constant('almost')],
      [3, fc.constant('hostile')],
    ] as const),
    holder: weighed(holders.map(([weight], at) => [weight, fc.constant(at)] as const)),
    request: weighed(api.operations.map((operation) => [weightOf(operation), requestsOf(operation)] as const)),
    mistakes,
  })
}

const blank = /^\p{White_Space}*$/u

/** Whether the body has a blank text, by any definition of blank, where the schema requires a text. */
function hasBlank(schema: unknown, value: unknown): boolean {
  const shape = schema as { anyOf?: unknown[]; pattern?: string; items?: unknown; properties?: Record<string, unknown> }
  if (shape?.anyOf) return shape.anyOf.some((each) => hasBlank(each, value))
  if (typeof value === 'string')
    return shape?.pattern !== undefined && !new RegExp(shape.pattern, 'u').test(' ') && blank.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, each]) =>
    hasBlank(Array.isArray(value) ? shape?.items : shape?.properties?.[name], each),
  )
}

/** The correct statuses if the key decides: 401 without a valid key, 403 for a write with a key that may only read. */
function expectedFor({ may }: Holder, method: string, expected: readonly number[] | undefined) {
  if (may === 'nothing') return [401]
  return may === 'read' && method !== 'GET' ? [403] : expected
}

/** Makes the function that builds a request from its plan, with what is known now. */
export function createBuilder({ api, knowledge, pictures, stolen, holders }: Material) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: { percentage: true, binary: true } })
  formats.default(ajv)
  const isShort = (most: number, text: unknown) => typeof text !== 'string' || Buffer.byteLength(text) <= most
  ajv.addKeyword({ keyword: 'x-max-bytes', validate: isShort })
  const compiled = new Map<Operation, ValidateFunction>()
  const isTaken = (operation: Operation, value: unknown) => {
    const check = compiled.get(operation) ?? ajv.compile(operation.body!.schema)
    compiled.set(operation, check)
    return check(value) && !hasBlank(operation.body!.schema, value)
  }
  const pathWith = ({ segments }: Operation, ids: string[]) => {
    let next = 0
    return segments.map((segment) => segment ?? ids[next++]).join('/')
  }

  function expectedOf({ method, responses, places }: Operation, { house }: Holder): number[] {
    const successes = Object.keys(responses)
      .map(Number)
      .filter((status) => status < 300)
    const racing = places.some(api.isDeletable) ? [404] : []
    return [...successes, ...(method === 'GET' ? [] : [409, 422]), ...racing, ...(house === defective ? [500] : [])]
  }

  /** A request that the document allows, for records that exist. */
  function buildValid(
    { operation, record, isNear, forms, unknown, query, wanted, cursor, body, charset, time, amount }: Request,
    holder: Holder,
  ) {
    const { house } = holder
    const { places, method } = operation
    const known = places.length === 0 ? [] : knowledge.pickRecord(house, places.at(-1)!, record)
    const ids = known?.map((id, at) => forms[at]!(id)) ?? places.map((place) => api.prefixAt(place)! + unknown)
    const near = operation.body && isNear ? (known ?? []) : []
    const filling: Filling = { house, knowledge, near, pictures, time, amount }
    const path = pathWith(operation, ids)
    const values = fill(Object.fromEntries(Object.entries(query).filter(([name]) => wanted.includes(name))), filling)
    const search = buildQuery(operation, values as Record<string, unknown>, cursor, { house, path, knowledge })
    const call: Call = {
      kind: 'valid',
      note: 'valid',
      holder,
      method,
      operation,
      target: search === '' ? path : `${path}?${search}`,
      headers: [],
      expected: known ? expectedOf(operation, holder) : [404, 422],
    }
    const { schema, type } = operation.body ?? {}
    if (!schema) return { call, filling, ids, sent: undefined }
    const sent = fill(body, filling) as Record<string, unknown>
    if (type !== 'application/json') return { call: withForm(call, partsOf(sent)), filling, ids, sent }
    const headers: Call['headers'] = [['Content-Type', type + charset]]
    return { call: { ...call, headers, body: Buffer.from(printJson(sent)), sent }, filling, ids, sent }
  }

  function withForm(call: Call, parts: ReturnType<typeof partsOf>): Call {
    const boundary = 'b1234567'
    const type: [string, string] = ['Content-Type', `multipart/form-data; boundary=${boundary}`]
    return { ...call, headers: [type], body: printForm(parts, boundary) }
  }

  /** The request with one mistake: in an id, the query or the body. */
  function spoil(
    { call, filling, ids, sent }: ReturnType<typeof buildValid>,
    { part, id, escape, query, body, seed }: Mistakes,
  ): Call {
    const operation = call.operation!
    const { places } = operation
    const { schema, type } = operation.body ?? {}
    const { expected: _, sent: __, ...rest } = call
    const spoilt = { ...rest, kind: 'almost' as const }
    const [path, search = ''] = call.target.split('?') as [string, string?]
    const parts = [...places.keys(), 'query', ...(schema ? Array<'body'>(4).fill('body') : [])]
    const at = parts[part % parts.length]!
    if (at === 'query') {
      const { text, note, isWrong } = spoilQuery(query, operation, search, { path, filling })
      return { ...spoilt, target: `${path}?${text}`, note, ...(isWrong && { expected: [400] }) }
    }
    if (typeof at === 'number') {
      const wrong = strangeId(id, api.prefixAt(places[at]!)!, filling) || ' '
      const strange = ids.with(at, encodeURIComponent(wrong) + escape)
      const target = [pathWith(operation, strange), search].filter(Boolean).join('?')
      // A cursor belongs to its list.
      const expected = [404, ...(schema ? [422] : []), ...(search.includes('cursor=') ? [400] : [])]
      return { ...spoilt, target, note: 'an id that names nothing here', expected }
    }
    if (type !== 'application/json') {
      const { parts, note, expected } = spoilParts(createRandom(seed, 0), partsOf(sent!), schema!, stolen)
      return { ...withForm(spoilt, parts), note, ...(expected && { expected }) }
    }
    const { text, note, repeats } = spoilBody(body, sent!, schema!, filling)
    const wrong = { ...spoilt, body: Buffer.from(text), note }
    if (repeats) return { ...wrong, expected: [400] }
    const tooLarge = wrong.body.length > mebibyte ? [413] : []
    // The service does not read a body that is nested too deeply.
    const tooDeep = text.includes('['.repeat(1_000)) ? [400] : []
    const taken = isTaken(operation, JSON.parse(text))
    return { ...wrong, ...(!taken && { expected: [404, 409, 422, ...tooLarge, ...tooDeep] }) }
  }

  return function build({ kind, holder: at, request, mistakes }: Plan): Call {
    const chosen = holders[at]![1]
    const holder = kind === 'hostile' && chosen.may !== 'everything' ? holders[0]![1] : chosen
    const valid = buildValid(request, holder)
    if (kind === 'hostile') return makeHostile(createRandom(mistakes.seed, 0), valid.call, { api, knowledge })
    const { expected, ...call } = kind === 'valid' ? valid.call : spoil(valid, mistakes)
    // The ETag of another address must not give 304 for a record that does not exist.
    const tag =
      kind === 'almost' && call.method === 'GET' && knowledge.tags[(mistakes.tag ?? NaN) % knowledge.tags.length]
    if (tag) call.headers = [...call.headers, ['If-None-Match', tag.etag]]
    const right = expectedFor(holder, call.method, expected)
    return right ? { ...call, expected: right } : call
  }
}
