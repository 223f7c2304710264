import { format } from 'oxfmt'
import { recordTypes, validators } from '../src/load/schema.ts'

// Replaces a refinement by the equivalent keywords, as far as JSON Schema has them.
function publish(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('~published' in value)) return value
  const { '~published': published, ...keywords } = value
  return { ...keywords, ...(published as object) }
}

/** The JSON Schema of one line of the load format. `$defs` has each type of record. */
export async function printLoadFormat(): Promise<string> {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $comment: 'Generated from src/load/schema.ts by npm run generate.',
    title: 'One line of the load format',
    oneOf: recordTypes.map((type) => ({ $ref: `#/$defs/${type}` })),
    $defs: Object.fromEntries(Object.entries(validators).map(([type, validator]) => [type, validator.Type()])),
  }
  const { code } = await format('schema.json', JSON.stringify(schema, publish), { printWidth: 120 })
  return code
}
