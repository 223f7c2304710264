import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { sql } from 'kysely'
import { findHouse } from '../../src/houses/locks.ts'
import { inlineComponents } from './openapi.ts'
import { operations, type Operation } from './operations.ts'
import { eur, houseLine, uuid, type CatalogueIds } from './lines.ts'
import type { Call, TestService } from './service.ts'

type Schema = { $ref?: string; properties?: Record<string, unknown>; [keyword: string]: unknown }
type Parameter = { name: string; in: string; schema: { type?: string; maximum?: number; items?: { enum: string[] } } }
type Answer = { headers?: Record<string, unknown>; content?: Record<string, { schema: Schema }> }
type DocumentedOperation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, Answer>
  'x-permissions': string[]
}
type Document = {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}

/** An operation of the OpenAPI document, with its entry in test/support/operations.ts. */
export type ContractedOperation = Operation & {
  name: string
  method: string
  path: string
  permissions: string[]
  parameters: Parameter[]
  /** The media type of the body, if it takes one. */
  accepts: string | undefined
  responses: Record<string, Answer>
  /** The path with the operation's own records. */
  urlOf: (ids: CatalogueIds) => string
}

/** A call of the operation on the records of a house that succeeds, except where `change` changes it. */
export function callOf(
  operation: ContractedOperation,
  { ids, key }: { ids: CatalogueIds; key: string },
  change: Partial<Call> = {},
): Call {
  const upload = operation.upload?.(ids)
  return {
    method: operation.method,
    url: operation.urlOf(ids),
    key,
    body: upload?.bytes ?? operation.body?.(ids),
    ...change,
    headers: { ...(upload && { 'content-type': upload.type }), ...change.headers },
  }
}

/** The status of a successful operation. Other statuses below 300 are those of rehearsals. */
export function successOf({ responses }: ContractedOperation): number {
  return Math.max(
    ...Object.keys(responses)
      .map(Number)
      .filter((status) => status < 300),
  )
}

/**
 * The OpenAPI documents of interfaces, of both by default, as one, with their shared parameters, answers and bodies
 * inlined.
 */
export async function readDocument(service: TestService, prefixes = ['/api/v2', '/staff/v1']): Promise<Document> {
  const documents = await Promise.all(prefixes.map((prefix) => readOne(service, prefix)))
  const merge = <T extends object>(parts: T[]) => Object.assign({}, ...parts) as T
  return {
    paths: merge(documents.map(({ paths }) => paths)),
    components: { schemas: merge(documents.map(({ components }) => components.schemas)) },
  }
}

async function readOne(service: TestService, prefix: string): Promise<Document> {
  const reply = await service.request({ url: `${prefix}/openapi.json` })
  assert.equal(reply.statusCode, 200)
  return inlineComponents(reply.json<Document>())
}

/** Opens the live sessions of houses of `catalogueOf` for bids: its lot has a bid, and takes more. */
export async function openLiveSessions(service: TestService, houses: { slug: string; ids: CatalogueIds }[]) {
  for (const { slug } of houses) {
    const { id } = (await findHouse(service.db, slug))!
    await sql`update catalogue.sessions set published = true, customer_bidding_enabled = true, opens_at = '2020-01-01Z'
      where house_id = ${id} and external_reference = 'S-2'`.execute(service.db)
  }
  await service.load(
    houses.flatMap(({ slug, ids }) => [
      houseLine(slug),
      { type: 'bid', id: ids.bid.slice(4), lot: ids.liveLot, amount: eur(100), placed_at: '2026-01-01T00:00:00Z' },
    ]),
  )
}

/** The operations of the document without an entry in test/support/operations.ts. */
export function findUnknown(document: Document): string[] {
  const names = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  return names.filter((name) => !Object.hasOwn(operations, name))
}

/** Every operation of the document with an entry in test/support/operations.ts. */
export function listOperations(document: Document): ContractedOperation[] {
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, documented]) => {
      const { operationId: name, parameters = [], requestBody, responses } = documented
      const known = operations[name]
      if (!known) return []
      const urlOf = (ids: CatalogueIds) =>
        path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
          const record = known.params?.[parameter]
          assert.ok(record, `${name} needs a record for the path parameter ${parameter} in test/support/operations.ts`)
          return ids[record]
        })
      const accepts = requestBody && Object.keys(requestBody.content)[0]
      const permissions = documented['x-permissions']
      const common = { name, method: method.toUpperCase(), path, permissions, parameters, accepts, responses, urlOf }
      return [{ ...known, ...common }]
    }),
  )
  assert.ok(listed.length > 20)
  return listed
}

/** The values of `expand[]` that the operation takes. */
export function expansionsOf(operation: ContractedOperation): string[] {
  return operation.parameters.find((parameter) => parameter.name === 'expand[]')?.schema.items?.enum ?? []
}

// The values for filters: each finds few records.
const valuesOf = (ids: CatalogueIds): Record<string, string> => ({
  published: 'true',
  external_reference: 'R-7',
  auction: ids.auction,
  session: ids.session,
  lot_number: '7',
  q: 'maker',
  bids: 'true',
  result: 'none',
  open: 'true',
  'category[]': ids.category,
  'maker[]': ids.maker,
  estimate_from: '1',
  estimate_to: '1000000',
  images: 'true',
  sort: 'created_at',
  'facets[]': 'maker',
  active: 'true',
  seller_number: '7',
  slug: 'slug-7',
  name: 'Maker 7',
  number: 'N-7',
  seller: ids.seller,
  item: ids.item,
  consignment: ids.consignment,
  offered: 'unsold',
  without: 'en',
  held: 'false',
  number_from: '1',
  number_to: '1000',
  public: 'true',
  processing: 'true',
  failed: 'true',
  record: ids.item,
  actor: 'Anna',
  operation: 'createItem',
  since: '2026-01-01T00:00:00Z',
})

/**
 * The URLs of an operation: plain, with every expansion, and for collections on each page, with each filter and each
 * pair of filters.
 */
export async function listUrls(
  service: TestService,
  key: string,
  operation: ContractedOperation,
  ids: CatalogueIds,
): Promise<string[]> {
  const filters = valuesOf(ids)
  const path = operation.urlOf(ids)
  const expansions = expansionsOf(operation).map((each) => `expand[]=${each}`)
  const urls = [path, `${path}?${expansions.join('&')}`]
  if (operation.parameters.some(({ name }) => name === 'after')) {
    const { next_cursor } = (await service.get(`${path}?limit=1`, key)).json<{ next_cursor: string }>()
    return [...urls, `${path}?limit=25&after=${next_cursor}`]
  }
  if (!operation.parameters.some(({ name }) => name === 'cursor')) return urls
  const known = operation.parameters.map(({ name }) => name).filter((name) => Object.hasOwn(filters, name))
  assert.equal(
    known.length + (expansions.length > 0 ? 1 : 0) + 2,
    operation.parameters.filter((each) => each.in === 'query').length,
    `${operation.name} has a filter that is not tried here`,
  )
  const pairs = known.map((name) => `${name}=${filters[name]!.replace(' ', '+')}`)
  // A search combines its filters as one list of conditions.
  const isSearch = known.includes('q')
  const twos = isSearch ? [] : pairs.flatMap((one, at) => pairs.slice(at + 1).map((other) => [one, other]))
  const queries = [[], ...pairs.map((pair) => [pair]), ...twos, pairs].map((each) => [...each, ...expansions].join('&'))
  const cursor = (await service.get(`${path}?limit=1`, key)).json<{ next_cursor: string | null }>().next_cursor
  const further = cursor === null ? [] : [`${path}?limit=25&cursor=${cursor}`]
  return [...queries.map((query) => `${path}?limit=25&${query}`), ...further]
}

/** An id of the same kind that no house has. */
export function missingId(id: string): string {
  return `${id.split('_')[0]}_${uuid(999_999_999)}`
}

// A field that the document does not name is an error here, although clients must accept new ones.
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const closed = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, close(value)]))
  return 'properties' in schema && typeof schema.properties === 'object'
    ? { ...closed, type: 'object', additionalProperties: false }
    : closed
}

/** Creates a check of bodies against the document's schemas, which allows no other fields. */
export function createBodyCheck(document: Document) {
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  formats.default(ajv)
  // The discriminator selects the alternative; without this keyword the check would try each.
  ajv.addKeyword('discriminator')
  const point = (schema: unknown) =>
    JSON.stringify(close(schema)).replaceAll('#/components/schemas/', 'document#/$defs/')
  ajv.addSchema({ $id: 'document', $defs: JSON.parse(point(document.components.schemas)) as object })
  const compiled = new Map<string, ValidateFunction>()
  const validators = new Map<Schema, ValidateFunction>()

  // Many answers have schemas of the same text, which is compiled once.
  function compile(schema: Schema): ValidateFunction {
    const text = point(schema)
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object)
    compiled.set(text, validate)
    validators.set(schema, validate)
    return validate
  }

  return function checkBody(
    operation: Pick<ContractedOperation, 'name' | 'responses'>,
    status: number,
    type: string,
    body: unknown,
  ): void {
    const answer = operation.responses[status]
    assert.ok(answer, `${operation.name} answered ${status}, which it doesn't document`)
    const schema = answer.content?.[type]?.schema
    assert.ok(schema, `${operation.name} answered ${status} with ${type}, which it doesn't document`)
    const validate = validators.get(schema) ?? compile(schema)
    assert.ok(
      validate(body),
      `${operation.name} ${status}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
    )
  }
}

// Headers of HTTP itself.
const httpHeaders = ['content-type', 'content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding']

/** Asserts that the document names every header of an answer. */
export function checkHeaders(
  { name, responses }: ContractedOperation,
  { statusCode, headers }: { statusCode: number; headers: object },
): void {
  const documented = Object.keys(responses[statusCode]?.headers ?? {}).map((each) => each.toLowerCase())
  const sent = Object.keys(headers).filter((each) => !httpHeaders.includes(each))
  assert.deepEqual(
    sent.filter((each) => !documented.includes(each)),
    [],
    `headers of ${name} ${statusCode}`,
  )
}
