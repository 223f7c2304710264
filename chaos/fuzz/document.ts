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
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  'x-max-bytes'?: number
}

export type Parameter = { name: string; in: string; schema: Schema }
type Answer = {
  description: string
  headers?: Record<string, { schema: Schema }>
  content?: Record<string, { schema: Schema }>
}
type Documented = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer>
}

/** The OpenAPI document as the service sends it. */
export type Document = {
  paths: Record<string, Record<string, Documented>>
  components: { schemas: Record<string, Schema> }
}

/** One operation of the document. */
export type Operation = ReturnType<typeof readOperation>

/** The operations of the document, and what it says about the whole service. */
export type Interface = ReturnType<typeof readInterface>

/** The path without the names of its parameters: `/items/{}/images/{}`. */
export const placeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')

function readOperation(path: string, method: string, documented: Documented) {
  const { operationId: name, parameters = [], requestBody, responses } = documented
  const parts = path.split('/')
  const [body] = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => ({ type, schema }))
  return {
    name,
    method: method.toUpperCase(),
    path,
    /** The segments of the path; undefined for a parameter. */
    segments: parts.map((segment) => (segment.startsWith('{') ? undefined : segment)),
    /** For each parameter, the path that ends with it, with `{}` for every parameter. */
    places: parts.flatMap((part, at) => (part.startsWith('{') ? [placeOf(parts.slice(0, at + 1).join('/'))] : [])),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    body,
    responses,
  }
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
    /** The places at which single records are read, such as `/api/v2/items/{}`, each with the prefix of its ids. */
    prefixes,
    /** Whether records of this place can be deleted. */
    isDeletable: (place: string) =>
      operations.some(({ method, path }) => method === 'DELETE' && placeOf(path) === place),
    /** The kinds of problems in the document, and those found in answers. */
    problems: new Set(operations.flatMap(({ responses }) => Object.values(responses).flatMap(problemsIn))),
  }
}
