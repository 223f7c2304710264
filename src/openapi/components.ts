import type { TSchema } from 'typebox'
import { problems, type ProblemCode } from '../problems.ts'
import { groupBy } from '../values/groups.ts'
import { pascalCase } from '../values/text.ts'
import { printExamples } from './examples.ts'
import { commonHeaders, referToHeaders, responseHeaders, universalHeaders, type ResponseHeader } from './headers.ts'

type Parameter = { name: string; in: string; schema: { maximum?: number } }
type Operation = {
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: object
  responses: Record<string, { headers: object } | object>
  'x-problems': ProblemCode[]
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: object
}

const headersOf: Partial<Record<number, ResponseHeader[]>> = {
  401: [...universalHeaders, 'WWW-Authenticate'],
  403: [...commonHeaders, 'WWW-Authenticate'],
  409: [...commonHeaders, 'Retry-After'],
  412: [...commonHeaders, 'ETag'],
  415: [...commonHeaders, 'Accept-Patch', 'Accept-Post'],
  429: [...commonHeaders, 'Retry-After'],
  503: [...universalHeaders, 'Retry-After'],
}

function describeRefusal(status: number, description: string): object {
  return {
    description,
    headers: referToHeaders(headersOf[status] ?? commonHeaders),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}

const notModified = {
  description: 'The answer still has an ETag of If-None-Match, so it comes without a body.',
  headers: referToHeaders([...commonHeaders, 'ETag']),
}
const timeout = describeRefusal(
  408,
  '`malformed-json`: The body did not arrive in time; of a JSON body less than 10 KiB came in ten seconds, and not its end. The connection is closed.',
)

// Path parameters, headers and paging parameters mean the same in every operation.
const isShared = (parameter: Parameter | { $ref: string }): parameter is Parameter =>
  'in' in parameter && (parameter.in !== 'query' || ['limit', 'cursor'].includes(parameter.name))

// Pages of some lists are longer.
const nameOf = ({ name, schema: { maximum } }: Parameter) =>
  name === 'limit' && maximum !== 100 ? `LimitTo${maximum}` : pascalCase(name)

function findExample(examples: Record<string, object>, schema: string): unknown {
  if (examples[schema] !== undefined) return examples[schema]
  const [, record, rehearsal, shape] = /^(.*?)(Rehearsal|)(SearchPage|Page|Response|Written|)$/.exec(schema)!
  const known = examples[record!]
  if (known === undefined) return undefined
  const example = rehearsal ? { ...known, id: null } : known
  if (shape === '') return example
  if (shape === 'Response' || shape === 'Written') return { data: example }
  const page = { data: [example], has_more: true, next_cursor: 'DLTpgEX5Slep4ghPWgbBXA' }
  return shape === 'Page' ? page : { ...page, ...examples['SearchPage'] }
}

/**
 * Builds the components of a document: `refer` adds a schema with a `$id`, and those in it; `share` completes the
 * document.
 */
export function createComponents(shapes: TSchema[], publicUrl: string) {
  const components = {
    schemas: {} as Record<string, object>,
    parameters: {} as Record<string, object>,
    responses: {} as Record<string, object>,
    headers: responseHeaders,
  }

  function add(kind: 'schemas' | 'parameters' | 'responses', name: string, component: object): { $ref: string } {
    const known = (components[kind][name] ??= component)
    if (JSON.stringify(known) !== JSON.stringify(component)) throw new Error(`Two different ${kind} are named ${name}.`)
    return { $ref: `#/components/${kind}/${name}` }
  }

  function refer(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(refer)
    if (typeof value !== 'object' || value === null) return value
    const { $id, ...keywords } = value as { $id?: string; $ref?: string }
    if (keywords.$ref !== undefined) return { $ref: `#/components/schemas/${keywords.$ref}` }
    const schema = Object.fromEntries(Object.entries(keywords).map(([keyword, each]) => [keyword, refer(each)]))
    return $id === undefined ? schema : add('schemas', $id, schema)
  }

  // Adds the names of the schemas that a value refers to, and of those that they need.
  function need(value: unknown, needed: Set<string>): Set<string> {
    if (typeof value !== 'object' || value === null) return needed
    for (const [keyword, each] of Object.entries(value)) {
      const name = keyword === '$ref' ? /^#\/components\/schemas\/(.*)$/.exec(String(each))?.[1] : undefined
      if (name === undefined) need(each, needed)
      else if (!needed.has(name)) need(components.schemas[name], needed.add(name))
    }
    return needed
  }

  /**
   * Moves what operations share into the components. Adds the answers that follow from `x-problems`, and the
   * examples.
   */
  function share(document: Document): Document {
    for (const [method, operation] of Object.values(document.paths).flatMap((methods) => Object.entries(methods))) {
      const { parameters = [], requestBody, responses, 'x-problems': codes } = operation
      for (const [index, parameter] of parameters.entries())
        if (isShared(parameter)) parameters[index] = add('parameters', nameOf(parameter), parameter)
      for (const response of Object.values(responses)) {
        if ('headers' in response) response.headers = referToHeaders(Object.keys(response.headers) as ResponseHeader[])
      }
      if (method === 'get') responses['304'] = add('responses', 'NotModified', notModified)
      if (requestBody) responses['408'] = add('responses', 'RequestTimeout', timeout)
      for (const [status, of] of groupBy(codes, (code) => problems[code].status)) {
        const description = of.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' ')
        responses[status] = add('responses', of.map(pascalCase).join('Or'), describeRefusal(status, description))
      }
    }
    const examples = printExamples(publicUrl)
    const needed = need([document.paths, components.responses], new Set())
    const schemas = Object.entries(components.schemas)
      .filter(([name]) => needed.has(name))
      .map(([name, schema]) => {
        const example = findExample(examples, name)
        return [name, example === undefined ? schema : { ...schema, examples: [example] }] as const
      })
    const shared = { ...components, schemas: Object.fromEntries(schemas) }
    return { ...document, components: { ...document.components, ...shared } }
  }

  for (const shape of shapes) refer(shape)
  return { refer, share }
}
