import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { startService } from '../../test/support/service.ts'
import { parsePercentage } from '../values/percentages.ts'

// A file of its own: checks of the whole document block the event loop for seconds on a busy machine, and a
// service there would refuse requests in overload.
const service = await startService()
const reply = await service.request({ url: '/api/v2/openapi.json' })
await service.close()

test('the document passes the recommended rules of a public linter', async () => {
  assert.match(reply.headers['content-type'] ?? '', /^application\/json/)
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The rule wants a licence, and the software has no public one.
      'info-license': 'off',
    },
  })
  const found = await lintFromString({ source: reply.payload, absoluteRef: 'openapi.json', config })
  assert.deepEqual(
    found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`),
    [],
  )
})

test('every record and every body has an example, and every example is valid', () => {
  const { schemas } = reply.json<{ components: { schemas: Record<string, { examples?: unknown[] }> } }>().components
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  formats.default(ajv)
  ajv.addFormat('percentage', (text) => parsePercentage(text) !== undefined)
  for (const format of ['int32', 'binary']) ajv.addFormat(format, true)
  for (const keyword of ['discriminator', 'x-max-bytes', 'x-unknown', 'x-null']) ajv.addKeyword(keyword)
  const point = (schema: unknown) =>
    JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'document#/$defs/')) as object
  ajv.addSchema({ $id: 'document', $defs: point(schemas) })
  for (const [name, schema] of Object.entries(schemas)) {
    const isPart = /(Id|Rehearsal)$|^(Money|Locale|Translation|Estimate|SessionCreate|ImageUpload)/
    if (!isPart.test(name)) assert.equal(schema.examples?.length, 1, name)
    const validate = ajv.compile({ $ref: `document#/$defs/${name}` })
    for (const example of schema.examples ?? [])
      assert.ok(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`)
  }
})
