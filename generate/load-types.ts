import { format } from 'oxfmt'
import { createPrinter, type Schema } from './client-types.ts'

// Equal optional fields, such as those of all locales, are printed once.
function share(_name: string, value: Schema & { const?: string }): Schema {
  if (value?.const !== undefined) return { enum: [value.const] }
  const [first, ...others] = Object.values(value?.properties ?? {}).map((schema) => JSON.stringify(schema))
  const areEqual = others.length > 0 && others.every((other) => other === first)
  if (value?.type !== 'object' || value.required || !areEqual) return value
  const names = Object.keys(value.properties!)
  return { propertyNames: { enum: names }, additionalProperties: value.properties![names[0]!]! }
}

/** The importer's types of records, made from the JSON Schema of the load format. */
export async function printLoadTypes(schema: string): Promise<string> {
  const { $defs } = JSON.parse(schema, share) as { $defs: Record<string, Schema> }
  const { print } = createPrinter({})
  const types = Object.entries($defs).map(([type, record]) => `'${type}': ${print(record, false)}\n`)
  const text = `// Generated from load-format.schema.json by npm run generate.

/** The fields of each type of record of the load format. */
export type Records = {\n${types.join('')}}\n`
  const { code } = await format('load-format.ts', text, { printWidth: 120, semi: false, singleQuote: true })
  return code
}
