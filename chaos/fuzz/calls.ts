import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Call, Holder } from './call.ts'
import type { Interface, Operation } from './document.ts'
import { buildParts, mutateParts, printForm } from './forms.ts'
import { defective } from './houses.ts'
import type { Knowledge } from './knowledge.ts'
import { mutateBody } from './mutations.ts'
import { buildQuery, mutateQuery, strangePathId } from './queries.ts'
import type { Random } from './random.ts'
import { createValues, printJson, writeId } from './values.ts'

const mebibyte = 1024 * 1024

/** The sources of requests. `stolen` is the path of a picture that was never uploaded. */
type Material = { api: Interface; knowledge: Knowledge; pictures: Buffer[]; stolen: string }

const isSuccess = (status: string) => status.startsWith('2')

/** The correct statuses for a valid request. */
function expectedOf(api: Interface, operation: Operation, holder: Holder): number[] {
  const { method, responses, places } = operation
  const successes = Object.keys(responses).filter(isSuccess).map(Number)
  const racing = places.some(api.isDeletable) ? [404] : []
  const integrity = holder.house === defective ? [500] : []
  return [...successes, ...(method === 'GET' ? [] : [409, 422]), ...racing, ...integrity]
}

/** The correct statuses if the key decides: 401 without a valid key, 403 for a write with a key that may only read. */
export function expectedFor(holder: Holder, method: string, expected: readonly number[] | undefined) {
  if (holder.may === 'nothing') return [401]
  if (holder.may === 'read' && method !== 'GET' && method !== 'HEAD') return [403]
  return expected
}

const blank = /^\p{White_Space}*$/u

/** Whether the body has a blank text, by any definition of blank, where the schema requires a text. */
function hasBlank(schema: unknown, value: unknown): boolean {
  const shape = schema as
    | { anyOf?: unknown[]; pattern?: string; items?: unknown; properties?: Record<string, unknown> }
    | undefined
  if (shape?.anyOf) return shape.anyOf.some((each) => hasBlank(each, value))
  if (typeof value === 'string')
    return shape?.pattern !== undefined && !new RegExp(shape.pattern, 'u').test(' ') && blank.test(value)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((each) => hasBlank(shape?.items, each))
  return Object.entries(value).some(([name, each]) => hasBlank(shape?.properties?.[name], each))
}

/** Builds requests for the operations of the OpenAPI document. */
export function createBuilder({ api, knowledge, pictures, stolen }: Material) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: { percentage: true, binary: true } })
  formats.default(ajv)
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    validate: (most: number, text: unknown) => typeof text !== 'string' || Buffer.byteLength(text) <= most,
  })
  const compiled = new Map<Operation, ValidateFunction>()
  const isTaken = (operation: Operation, value: unknown) => {
    const check = compiled.get(operation) ?? ajv.compile(operation.body!.schema)
    compiled.set(operation, check)
    return check(value) && !hasBlank(operation.body!.schema, value)
  }

  const fill = (operation: Operation, ids: string[]) => {
    let next = 0
    return operation.segments.map((segment) => segment ?? ids[next++]).join('/')
  }

  /** The ids in the path of a record. `strange` if one of them names no record of the house. */
  function chooseIds(random: Random, operation: Operation, { house }: Holder, strange: boolean) {
    const { places } = operation
    const known = places.length > 0 ? knowledge.pickRecord(random, house, places.at(-1)!) : []
    const ids = known?.map((id) => writeId(random, id)) ?? []
    const isStrange = strange || !known
    if (isStrange) {
      const at = known ? random.below(places.length) : places.length - 1
      for (const [index, place] of places.entries()) {
        if (index === at || ids[index] === undefined)
          ids[index] = strangePathId(random, api.prefixAt(place)!, house, knowledge)
      }
    }
    return { ids, isStrange: isStrange && places.length > 0, record: known }
  }

  const toForm = (random: Random, parts: Parameters<typeof printForm>[0]) => {
    const boundary = `b${random.below(1e9)}`
    const header: [string, string] = ['Content-Type', `multipart/form-data; boundary=${boundary}`]
    return { body: printForm(parts, boundary), headers: [header] }
  }

  /** A request that the document allows, for records that exist. */
  function buildValid(random: Random, operation: Operation, holder: Holder): Call {
    const { ids, isStrange, record } = chooseIds(random, operation, holder, false)
    const near = operation.body && random.chance(0.8) ? record : []
    const values = createValues(random, holder.house, knowledge, near)
    const path = fill(operation, ids)
    const query = buildQuery(random, operation, values, { house: holder.house, path, knowledge })
    const { schema, type } = operation.body ?? {}
    const common = { kind: 'valid' as const, note: 'valid', holder, method: operation.method, operation }
    const target = query === '' ? path : `${path}?${query}`
    const expected = isStrange ? [404, 422] : expectedOf(api, operation, holder)
    if (!schema) return { ...common, target, headers: [], expected }
    if (type === 'application/json') {
      const sent = values.value(schema) as Record<string, unknown>
      const headers: [string, string][] = [['Content-Type', random.pick([type, type, `${type}; charset=utf-8`])]]
      return { ...common, target, headers, body: Buffer.from(printJson(sent)), sent, expected }
    }
    return { ...common, target, ...toForm(random, buildParts(random, schema, values.value, pictures)), expected }
  }

  /** A request with one mistake: in the id, the query or the body. */
  function buildAlmost(random: Random, operation: Operation, holder: Holder): Call {
    const call: Call = { ...buildValid(random, operation, holder), kind: 'almost' }
    const { schema, type } = operation.body ?? {}
    const parts = [...operation.places, 'query', ...(schema ? ['body', 'body', 'body', 'body'] : [])]
    const part = random.pick(parts)
    const [path, query = ''] = call.target.split('?') as [string, string?]
    delete call.sent
    if (part === 'query') {
      const mutated = mutateQuery(random, operation, query, { house: holder.house, path, knowledge })
      return { ...call, target: `${path}?${mutated.query}`, note: mutated.note, expected: [400] }
    }
    if (part !== 'body') {
      const { ids } = chooseIds(random, operation, holder, true)
      const target = [fill(operation, ids), query].filter(Boolean).join('?')
      // A cursor belongs to its list.
      const expected = [404, ...(schema ? [422] : []), ...(query.includes('cursor=') ? [400] : [])]
      return { ...call, target, note: 'an id that names nothing here', expected }
    }
    if (type !== 'application/json') {
      const values = createValues(random, holder.house, knowledge)
      const { parts, note, expected } = mutateParts(
        random,
        buildParts(random, schema!, values.value, pictures),
        schema!,
        stolen,
      )
      const { expected: _, ...rest } = call
      return { ...rest, ...toForm(random, parts), note, ...(expected && { expected }) }
    }
    const sent = createValues(random, holder.house, knowledge).value(schema!) as Record<string, unknown>
    const { text, note, repeats } = mutateBody(random, sent, schema!, holder.house, knowledge)
    const body = Buffer.from(text)
    const { expected: _, ...rest } = call
    if (repeats) return { ...rest, body, note, expected: [400] }
    const tooLarge = body.length > mebibyte ? [413] : []
    // The service does not read a body that is nested too deeply.
    const tooDeep = text.includes('['.repeat(1_000)) ? [400] : []
    const taken = isTaken(operation, JSON.parse(text))
    return { ...rest, body, note, ...(!taken && { expected: [404, 409, 422, ...tooLarge, ...tooDeep] }) }
  }

  return { buildValid, buildAlmost }
}
