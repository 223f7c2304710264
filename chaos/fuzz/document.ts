import assert from 'node:assert/strict'
import { inlineComponents } from '../../test/support/openapi.ts'

/** A JSON Schema of the OpenAPI document. */
export type Schema = {
  $ref?: string
  type?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  propertyNames?: { enum: string[] }
  additionalProperties?: Schema | false
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  'x-max-bytes'?: number
}

export type Parameter = { name: string; in: string; required?: boolean; schema: Schema }
type Answer = {
  description: string
  headers?: Record<string, { schema: Schema }>
  content?: Record<string, { schema: Schema }>
}
type Documented = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer>
}

/** The OpenAPI document as the service sends it. */
export type Document = {
  paths: Record<string, Record<string, Documented>>
  components: { schemas: Record<string, Schema> }
}

/** One operation of the document. */
export type Operation = {
  name: string
  method: string
  path: string
  /** The segments of the path; undefined for a parameter. */
  segments: (string | undefined)[]
  /** For each parameter, the path that ends with it, with `{}` for every parameter. */
  places: string[]
  query: Parameter[]
  body: { type: string; schema: Schema } | undefined
  responses: Record<string, Answer>
}

/** The operations of the document, and what it says about the whole service. */
export type Interface = ReturnType<typeof readInterface>

/** The path without the names of its parameters: `/items/{}/images/{}`. */
const placeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')

// A body of several kinds gets the fields of all, so that some requests have too many and some too few. An object
// with the same schema for several names gets a field for each.
function flatten({ oneOf, propertyNames, additionalProperties, ...schema }: Schema): Schema {
  const kinds = oneOf?.map(flatten)
  const fields = propertyNames?.enum.map((name): [string, Schema] => [name, additionalProperties as Schema])
  const properties = [...Object.entries(schema.properties ?? {}), ...(fields ?? [])]
  return {
    ...schema,
    ...(schema.type === 'object' && {
      properties: Object.fromEntries(properties.map(([name, each]) => [name, flatten(each)])),
    }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(flatten) }),
    ...(schema.items && { items: flatten(schema.items) }),
    ...(kinds && {
      type: 'object',
      properties: Object.assign({}, ...kinds.map((kind) => kind.properties)) as Record<string, Schema>,
      required: kinds[0]!.required!.filter((name) => kinds.every(({ required }) => required!.includes(name))),
    }),
  }
}

function readOperation(path: string, method: string, documented: Documented): Operation {
  const { operationId: name, parameters = [], requestBody, responses } = documented
  const segments = path.split('/').map((segment) => (segment.startsWith('{') ? undefined : segment))
  const places = path
    .split('/')
    .flatMap((segment, index, all) => (segment.startsWith('{') ? [placeOf(all.slice(0, index + 1).join('/'))] : []))
  const body = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => ({
    type,
    schema: flatten(schema),
  }))[0]
  const query = parameters.filter((parameter) => parameter.in === 'query')
  return { name, method: method.toUpperCase(), path, segments, places, query, body, responses }
}

/** The kinds of problems in the text of an answer. */
export function problemsIn({ description }: Answer): string[] {
  return Array.from(description.matchAll(/`([a-z]+(?:-[a-z]+)*)`:/g), ([, code]) => code!)
}

/** Reads the OpenAPI document, from which all requests and expectations follow. */
export function readInterface(sent: Document) {
  const document = inlineComponents(sent)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => readOperation(path, method, documented)),
  )
  assert.ok(operations.length > 0, 'the document has no operations')

  // A path without parameters comes before one that has a parameter in its place.
  const literalFirst = operations.toSorted((one, other) => one.places.length - other.places.length)
  const match = (method: string, path: string): Operation | undefined => {
    const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
    const wanted = method === 'HEAD' ? 'GET' : method
    return literalFirst.find(
      (operation) =>
        operation.method === wanted &&
        operation.segments.length === segments.length &&
        operation.segments.every((segment, index) => segment === undefined || segment === segments[index]),
    )
  }
  // All kinds of a record have one form of id.
  const resolve = ({ $ref, oneOf, ...schema }: Schema): Schema => {
    if ($ref !== undefined) return resolve(document.components.schemas[$ref.split('/').at(-1)!]!)
    return oneOf ? resolve(oneOf[0]!) : schema
  }

  // A GET of one record answers its id, whose prefix is the kind of the path's last parameter.
  const prefixes = new Map<string, string>()
  for (const { method, path, places, responses } of operations) {
    const data = responses['200']?.content?.['application/json']?.schema.properties?.['data']
    const id = data && resolve(data).properties?.['id']
    const prefix = id && /^\^(\w+_)/.exec(resolve(id).pattern ?? '')?.[1]
    if (method === 'GET' && prefix && places.at(-1) === placeOf(path)) prefixes.set(places.at(-1)!, prefix)
  }

  return {
    document,
    operations,
    /** The operation with this method and path. */
    match,
    resolve,
    /** The prefix of the ids at a place: `itm_` at `/api/v2/items/{}`. */
    prefixAt: (place: string) => prefixes.get(place),
    /** The places at which single records are read, each with the prefix of its ids. */
    recordPlaces: prefixes,
    /** Whether records of this place can be deleted. */
    isDeletable: (place: string) =>
      operations.some(({ method, path }) => method === 'DELETE' && placeOf(path) === place),
    /** The kinds of problems in the document, and those found in answers. */
    problems: new Set(operations.flatMap(({ responses }) => Object.values(responses).flatMap(problemsIn))),
  }
}
