import { format } from 'oxfmt'
import { pino } from 'pino'
import { createApp } from '../src/app.ts'
import type { Database } from '../src/db/pool.ts'
import { openFileStore } from '../src/media/file-store.ts'
import { catalogueInterface, staffInterface } from '../src/openapi/interfaces.ts'
import { problems } from '../src/problems.ts'
import { deriveKeyrings } from '../src/settings/secret.ts'
import { inlineComponents } from '../test/support/openapi.ts'

export type Schema = {
  $ref?: string
  type?: string
  enum?: string[]
  const?: boolean
  pattern?: string
  description?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  propertyNames?: Schema
  additionalProperties?: Schema | boolean
  items?: Schema
}
type Operation = {
  operationId: string
  parameters?: { name: string; in: string; description: string; schema: Schema }[]
  responses: Record<string, { content?: { 'application/json'?: { schema: { $ref: string } } } }>
  'x-problems': string[]
}
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }

/** The documents of a service without a database, as one: they depend only on the code. */
async function readDocument(): Promise<Document> {
  const publicUrl = 'http://localhost'
  const keyrings = deriveKeyrings('the secret of a service without clients')
  const app = await createApp({
    db: undefined as unknown as Database,
    keyrings,
    publicUrl,
    media: openFileStore({ dataDir: '/nowhere', publicUrl, keyring: keyrings.addresses }),
    rateLimitPerMinute: 0,
    cacheBytes: 0,
    windows: { in: 'memory' },
    logger: pino({ level: 'silent' }),
  })
  await app.ready()
  const [catalogue, staff] = [catalogueInterface, staffInterface].map(({ decorator }) =>
    (app as unknown as Record<string, () => Document>)[decorator]!(),
  ) as [Document, Document]
  await app.close()
  const schemas = { ...catalogue.components.schemas, ...staff.components.schemas }
  const components = { ...catalogue.components, ...staff.components, schemas }
  return { paths: { ...catalogue.paths, ...staff.paths }, components }
}

const nameOf = ($ref: string) => $ref.split('/').at(-1)!
const printComment = (text?: string) => (text === undefined ? '' : `/** ${text} */\n`)
const printLiterals = (texts: string[]) => texts.map((text) => `'${text}'`).join(' | ')
const prefixOf = ({ pattern = '' }: Schema) => /^\^\(?(\w{3}_)/.exec(pattern)?.[1]

// The schemas of bodies.
const inputs = /(?:Create|Update|Replacement|Bound|\wChange|Archival|Addition|Order|Delay|Record|Cancellation)$/

/** Prints schemas as types. `schemas` are the named ones. */
export function createPrinter(schemas: Record<string, Schema>) {
  const ids = new Map(Object.entries(schemas).map(([name, schema]) => [prefixOf(schema), name]))

  function printFields({ properties = {}, required = [] }: Schema, isInput: boolean): string {
    const fields = Object.entries(properties).map(([name, schema]) => {
      const field = required.includes(name) ? `'${name}': ` : `'${name}'?: `
      const type = print(schema, isInput)
      const rest = required.includes(name) || type === 'unknown' ? '' : ' | undefined'
      return `${printComment(schema.description)}${field}${type}${rest}\n`
    })
    return `{\n${fields.join('')}}`
  }

  /** Input types may be readonly. */
  function print(schema: Schema, isInput: boolean): string {
    if (schema.$ref !== undefined) return nameOf(schema.$ref)
    const kinds = schema.anyOf ?? schema.oneOf
    if (kinds) return kinds.map((each) => print(each, isInput)).join(' | ')
    if (schema.enum) return printLiterals(schema.enum)
    if (schema.const !== undefined) return String(schema.const)
    if (schema.type === 'array') return `${isInput ? 'readonly ' : ''}(${print(schema.items!, isInput)})[]`
    if (schema.propertyNames)
      return `{ [Name in ${print(schema.propertyNames, isInput)}]?: ${print(schema.additionalProperties as Schema, isInput)} | undefined }`
    if (schema.type === 'object') return printFields(schema, isInput)
    if (schema.type === 'integer') return 'number'
    if (schema.type === 'string') return ids.get(prefixOf(schema) ?? '') ?? 'string'
    return schema.type ?? 'unknown'
  }

  return {
    print,
    printSchema(name: string, schema: Schema): string {
      const prefix = prefixOf(schema)
      const text = prefix === undefined ? print(schema, inputs.test(name)) : `\`${prefix}\${string}\``
      return `${printComment(schema.description)}export type ${name} = ${text}\n`
    },
  }
}

// The client has its own types for answers, problems and uploads.
const isWritten = (name: string) =>
  !/(?:Page|Response|List)$|^(?:AddedLots|ChangedItems|Problem|NoFields|ImageUpload)$/.test(name)

// The ids that have no schema of their own.
const ownIds = {
  BidId: { type: 'string', pattern: '^bid_' },
  JournalEntryId: { type: 'string', pattern: '^jrn_' },
}

// The lists whose filters are not those of the other list of the same records.
const listNames: Record<string, string> = {
  listHouseImages: 'HouseImage',
  findItems: 'StaffItem',
  searchStaffItems: 'StaffItemSearch',
}

/** The types of the client's package, made from the OpenAPI document. */
export async function printClientTypes(): Promise<string> {
  const document = await readDocument()
  const schemas: Record<string, Schema> = { ...ownIds, ...document.components.schemas }
  const { print, printSchema } = createPrinter(schemas)
  const operations = Object.values(inlineComponents(document).paths).flatMap((methods) => Object.values(methods))
  const queries = Object.values(document.paths).flatMap((methods) => {
    const page = methods['get']?.responses['200']?.content?.['application/json']?.schema.$ref ?? ''
    const record = /\/(\w+)Page$/.exec(page)?.[1]
    if (record === undefined) return []
    const query = (methods['get']!.parameters ?? []).filter((parameter) => parameter.in === 'query')
    const properties = Object.fromEntries(
      query.map(({ name, schema, description }) => [name, { ...schema, description }]),
    )
    const { 'expand[]': expand, ...filters } = properties
    if (Object.keys(filters).length === 0) return []
    const expansion = expand && `export type ${record}Expansion = ${printLiterals(expand.items!.enum!)}\n`
    const listed = listNames[methods['get']!.operationId] ?? record
    return [`export type ${listed}Filters = ${print({ type: 'object', properties: filters }, true)}\n`, expansion ?? '']
  })
  const codes = new Set(operations.flatMap((operation) => operation['x-problems']))
  const reasons = Object.values(problems).flatMap((problem) =>
    'reasons' in problem ? Object.keys(problem.reasons) : [],
  )
  const { errors } = schemas['Problem']!.properties!
  const text = [
    '// Generated from the OpenAPI document by npm run generate.\n',
    ...Object.entries(schemas).map(([name, schema]) => (isWritten(name) ? printSchema(name, schema) : '')),
    ...new Set(queries),
    `/** The types of problems, by the last part of their addresses. More may come. */\n`,
    `export type ProblemCode = ${printLiterals([...codes].toSorted())}\n`,
    `/** Why the state of a record does not allow a request. More may come. */\n`,
    `export type Reason = ${printLiterals([...new Set(reasons)])}\n`,
    `/** The codes of errors in a body. More may come. */\n`,
    `export type FieldErrorCode = ${print(errors!.items!.properties!['code']!, false)}\n`,
  ]
  const { code } = await format('wire.ts', text.join('\n'), { printWidth: 120, semi: false, singleQuote: true })
  return code
}
