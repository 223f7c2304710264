import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc, { type Arbitrary } from 'fast-check'
import { createRandom, type Random } from '../lib/random.ts'
import type { Call, Holder } from './call.ts'
import type { Interface, Operation } from './document.ts'
import { partsOf, printForm, spoilParts, type Part } from './forms.ts'
import { defective } from './houses.ts'
import { canonicalAddress, filtersOf, isPaging, type Knowledge } from './knowledge.ts'
import { hasRepeated, mistakeOf, queryMistake, strangeId } from './mistakes.ts'
import { any } from './tricks/trick.ts'
import { makeHostile } from './tricks/tricks.ts'
import { among, encode, idForms, printJson, valueOf, weighed, type Source } from './values.ts'

const mebibyte = 1024 * 1024

/** The sources of requests. `stolen` is the path of a picture that was never uploaded. */
export type Material = {
  api: Interface
  knowledge: Knowledge
  pictures: Buffer[]
  stolen: string
  holders: readonly (readonly [weight: number, holder: Holder])[]
}

/** What a request is about. The ids are those in its path. */
type Subject = { operation: Operation; holder: Holder; ids: string[]; source: Source; path: string; expected: number[] }

// Writes are most frequent. Deletions are rare, so that records exist for a while.
const weightOf = ({ method, body }: Operation) => (body ? 3 : method === 'DELETE' ? 1 : 2)

const blank = /^\p{White_Space}*$/u

/** Makes the function that finds the first mistake of a body by the schema of its operation. */
function createMistakeFinder() {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: { percentage: true, binary: true } })
  formats.default(ajv)
  const isShort = (most: number, text: unknown) => typeof text !== 'string' || Buffer.byteLength(text) <= most
  ajv.addKeyword({ keyword: 'x-max-bytes', validate: isShort })
  // A pattern that refuses a blank refuses it by any definition of blank.
  const fits = (pattern: string, text: unknown) => {
    const expression = new RegExp(pattern, 'u')
    return typeof text !== 'string' || (expression.test(text) && (expression.test(' ') || !blank.test(text)))
  }
  ajv.removeKeyword('pattern').addKeyword({ keyword: 'pattern', validate: fits })
  const compiled = new Map<Operation, ValidateFunction>()
  return (operation: Operation, value: unknown): string | undefined => {
    const check = compiled.get(operation) ?? ajv.compile(operation.body!.schema)
    compiled.set(operation, check)
    if (check(value)) return undefined
    const { instancePath, keyword } = check.errors![0]!
    return `${instancePath.replaceAll(/\/\d+/g, '/#')} ${keyword}`
  }
}

const pathWith = ({ segments }: Operation, ids: readonly string[]) => {
  const left = ids.values()
  return segments.map((segment) => segment ?? left.next().value).join('/')
}

const join = (...parts: string[]) => parts.filter(Boolean).join('&')
const searchOf = ({ target }: Call) => target.split('?')[1] ?? ''
const longText = 'x'.repeat(3_000)

function withForm(call: Call, parts: Part[]): Call {
  const boundary = 'b1234567'
  const type: [string, string] = ['Content-Type', `multipart/form-data; boundary=${boundary}`]
  return { ...call, headers: [type], body: printForm(parts, boundary) }
}

/** Makes the function that makes a request of a kind from what is known now. */
export function createRequests({ api, knowledge, pictures, stolen, holders }: Material) {
  const findMistake = createMistakeFinder()
  let serial = 1

  function expectedOf({ method, responses, places }: Operation, { house }: Holder): number[] {
    const successes = Object.keys(responses)
      .map(Number)
      .filter((status) => status < 300)
    const racing = places.some(api.isDeletable) ? [404] : []
    return [...successes, ...(method === 'GET' ? [] : [409, 422]), ...racing, ...(house === defective ? [500] : [])]
  }

  function chooseSubject(random: Random, holder: Holder): Subject {
    const operation = random.weigh(api.operations.map((each) => [weightOf(each), each] as const))
    const { places } = operation
    const records = places.length === 0 ? [[]] : knowledge.recordsAt(holder.house, places.at(-1))
    const record =
      records.length > 0 ? random.pick(random.pick([records.slice(0, 12), records.slice(-20), records])) : undefined
    const forms = random.weigh(idForms)
    const ids = record?.map(forms) ?? places.map((place) => api.prefixes.get(place)! + random.uuid())
    const near = operation.body && random.chance(0.8) ? (record ?? []) : []
    const source = { house: holder.house, knowledge, near, pictures }
    const expected = record ? expectedOf(operation, holder) : [404, 422]
    return { operation, holder, ids, source, path: pathWith(operation, ids), expected }
  }

  // A query that the operation accepts, sometimes with the cursor and the filters of an earlier page.
  function queryOf({ operation: { query }, holder, path, source }: Subject): Arbitrary<string> {
    // A cursor is never made up.
    const own = query.filter(({ name }) => name !== 'cursor' && name !== 'after')
    const values = own.map(({ name, schema }) => valueOf({ maxLength: 100, ...schema }, source, name))
    const chosen = fc.subarray([...own.keys()], { maxLength: Math.min(4, own.length) })
    const pairs = fc.tuple(fc.tuple(...values), chosen).map(([values, chosen]) => {
      const all = chosen.flatMap((at) => [values[at]].flat().map((each) => `${own[at]!.name}=${encode(String(each))}`))
      // An order by relevance needs words.
      return all.some((pair) => pair.startsWith('q=')) ? all : all.filter((pair) => !/^sort=-?relevance/.test(pair))
    })
    const first = pairs.map((all) => join(...all))
    const isOwn = (each: (typeof knowledge.cursors)[number]) =>
      each.house === holder.house && each.path === canonicalAddress(path)
    const pages = query.some(({ name }) => name === 'cursor') ? knowledge.cursors.filter(isOwn) : []
    if (pages.length === 0) return first
    const next = fc
      .tuple(pairs, among(pages, fc.constant(pages[0]!)))
      .map(([all, { filters, cursor }]) =>
        join(filters, ...all.filter((pair) => isPaging(pair.split('=')[0]!)), `cursor=${cursor}`),
      )
    return fc.oneof(first, next)
  }

  function validOf(subject: Subject): Arbitrary<Call> {
    const { operation, holder, path, expected, source } = subject
    const { method, body } = operation
    const bodies = body ? valueOf(body.schema, source) : fc.constant(undefined)
    const charset = fc.constantFrom('', '', '; charset=utf-8')
    return fc.tuple(queryOf(subject), bodies, charset).map(([search, value, charset]) => {
      const target = search === '' ? path : `${path}?${search}`
      const call: Call = { kind: 'valid', note: 'valid', holder, method, operation, target, headers: [], expected }
      if (!body) return call
      const sent = { ...(value as Record<string, unknown>) }
      // A simpler request is sent after the first one, and must not name its record.
      const reference = sent['external_reference']
      const known = knowledge.valuesOf(holder.house, 'external_reference')
      if (method === 'POST' && typeof reference === 'string' && !known.includes(reference))
        sent['external_reference'] = `${reference.slice(0, 200).toWellFormed()} ${serial++}`
      if (body.type !== 'application/json') return { ...withForm(call, partsOf(sent)), sent }
      return { ...call, headers: [['Content-Type', body.type + charset]], body: Buffer.from(printJson(sent)), sent }
    })
  }

  function withStrangeId(subject: Subject, valid: Arbitrary<Call>, at: number): Arbitrary<Call> {
    const { operation, ids, source } = subject
    const strange = strangeId(api.prefixes.get(operation.places[at]!)!, source)
    const escape = weighed([9, fc.constant('')], [6, fc.constantFrom('%00', '%ff', '%zz', 'a;b', '%2e%2e', longText)])
    return fc.tuple(valid, strange, escape).map(([call, id, escape]) => {
      const search = searchOf(call)
      const path = pathWith(operation, ids.with(at, encodeURIComponent(id) + escape))
      // A cursor belongs to its list.
      const expected = [404, ...(operation.body ? [422] : []), ...(search.includes('cursor=') ? [400] : [])]
      const target = [path, search].filter(Boolean).join('?')
      return any(call, 'an id that names nothing here', { target, expected })
    })
  }

  function withStrangeQuery({ operation, path, holder }: Subject, valid: Arbitrary<Call>): Arbitrary<Call> {
    return valid.chain((call) => {
      const pairs = searchOf(call).split('&')
      const without = (name: string) => pairs.filter((pair) => !pair.startsWith(`${name}=`))
      const filters = filtersOf(`?${join(...without('cursor'))}`)
      const others = knowledge.cursors.filter(
        (each) => each.house !== holder.house || each.path !== canonicalAddress(path) || each.filters !== filters,
      )
      const cursors = others.map(({ cursor }) => cursor)
      return queryMistake(operation.query, cursors).map(({ name, pairs: wrong, note, isWrong }) => {
        const target = `${path}?${join(...without(name), ...wrong)}`
        return any(call, note, { target, ...(isWrong && { expected: [400] }) })
      })
    })
  }

  function withStrangeBody({ operation, source }: Subject, valid: Arbitrary<Call>): Arbitrary<Call> {
    const { schema, type } = operation.body!
    if (type !== 'application/json')
      return fc.tuple(valid, fc.noShrink(fc.nat())).map(([call, seed]) => {
        const { parts, note, expected } = spoilParts(createRandom(seed, 0), partsOf(call.sent!), schema, stolen)
        return any(withForm(call, parts), note, expected && { expected })
      })
    return fc.tuple(valid, mistakeOf(schema, source)).map(([call, value]) => {
      const text = printJson(value)
      const body = Buffer.from(text)
      if (hasRepeated(value)) return any(call, 'a name twice', { body, expected: [400] })
      const tooLarge = body.length > mebibyte ? [413] : []
      // The service does not read a body that is nested too deeply.
      const tooDeep = text.includes('['.repeat(1_000)) ? [400] : []
      const mistake = findMistake(operation, JSON.parse(text))
      if (mistake === undefined) return any(call, 'a strange body', { body })
      return any(call, `a mistake at ${mistake}`, { body, expected: [404, 409, 422, ...tooLarge, ...tooDeep] })
    })
  }

  // The request with one mistake: in an id, the query or the body.
  function almostOf(subject: Subject): Arbitrary<Call> {
    const { places, body, method } = subject.operation
    const valid = validOf(subject)
    const wrong = weighed<Call>(
      ...places.map((_, at): [number, Arbitrary<Call>] => [1, withStrangeId(subject, valid, at)]),
      [1, withStrangeQuery(subject, valid)],
      ...(body ? [[4, withStrangeBody(subject, valid)] as [number, Arbitrary<Call>]] : []),
    )
    // The ETag of another address must not give 304 for a record that does not exist.
    const tags = weighed([4, fc.constant(undefined)], [1, among(knowledge.tags, fc.constant(undefined))])
    return fc.tuple(wrong, tags).map(([call, tag]) => {
      const held: Call['headers'] = tag && method === 'GET' ? [['If-None-Match', tag.etag]] : []
      return { ...call, kind: 'almost', headers: [...call.headers, ...held] }
    })
  }

  // If the key decides: 401 without a valid key, 403 for a write with a key that may only read.
  function judge(call: Call): Call {
    const { may } = call.holder
    if (may === 'nothing') return { ...call, expected: [401] }
    return may === 'read' && call.method !== 'GET' ? { ...call, expected: [403] } : call
  }

  /**
   * Requests of a holder that the document allows, requests with one mistake, or hostile ones. `random` chooses their
   * operation and record.
   */
  return function requestsOf(kind: Call['kind'], random: Random, holder = random.weigh(holders)): Arbitrary<Call> {
    const owner = holders[0]![1]
    const subject = chooseSubject(random, kind === 'hostile' && holder.may !== 'everything' ? owner : holder)
    if (kind === 'almost') return almostOf(subject).map(judge)
    const valid = validOf(subject)
    if (kind === 'valid') return valid.map(judge)
    const seeds = fc.noShrink(fc.nat())
    return fc.tuple(valid, seeds).map(([call, seed]) => makeHostile(createRandom(seed, 0), call, { api, knowledge }))
  }
}
