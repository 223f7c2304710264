import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { inlineComponents } from '../../test/support/openapi.ts'
import { checkout } from '../../test/support/process.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { problems, reasons } from '../problems.ts'

let service: TestService

before(async () => {
  service = await startService()
})

after(() => service.close())

type Parameter = { name: string; in: string; description?: string; required?: boolean }
type Answer = { headers?: Record<string, unknown>; content?: Record<string, unknown> }
type Operation = {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: Parameter[]
  responses: Record<string, Answer & { description: string }>
  'x-permissions': string[]
}

async function readOperations() {
  const reply = await service.request({ url: '/api/v2/openapi.json' })
  const document = inlineComponents(
    reply.json<{ openapi: string; paths: Record<string, Record<string, Operation>>; components: object }>(),
  )
  assert.match(document.openapi, /^3\.1\./)
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
}

test('every operation describes its effect and its permissions, and every parameter its meaning', async () => {
  const operations = await readOperations()
  for (const { operationId, summary, description, tags, parameters = [], 'x-permissions': permissions } of operations) {
    assert.ok(summary && tags?.length === 1, operationId)
    for (const permission of permissions) assert.ok(description!.includes(permission), operationId)
    for (const parameter of parameters) {
      assert.ok(parameter.description, `${operationId} ${parameter.name}`)
      assert.equal(parameter.required ?? false, parameter.in === 'path', `${operationId} ${parameter.name}`)
    }
  }
  const names = operations.map(({ operationId }) => operationId)
  assert.equal(new Set(names).size, names.length)
})

test('every operation documents the common answers and their headers', async () => {
  for (const operation of await readOperations()) {
    const { operationId, path, method, parameters = [], responses, 'x-permissions': permissions } = operation
    const always = ['400', '401', '429', '500', '503']
    const expected = [...always, ...(permissions.length > 0 ? ['403'] : []), ...(path.includes('{') ? ['404'] : [])]
    for (const status of expected) assert.ok(responses[status], `${operationId} ${status}`)
    for (const [status, { headers = {}, content = {} }] of Object.entries(responses)) {
      assert.ok('Request-Id' in headers, `${operationId} ${status}`)
      assert.equal('RateLimit-Remaining' in headers, status !== '401' && status !== '503', `${operationId} ${status}`)
      if (Number(status) < 400) continue
      assert.deepEqual(Object.keys(content), ['application/problem+json'], `${operationId} ${status}`)
    }
    assert.equal('408' in responses, 'requestBody' in operation, `${operationId} 408`)
    // An operation that takes no body refuses a request with one.
    assert.match(responses['400']!.description, /`malformed-json`/, operationId)
    assert.ok('Retry-After' in responses['429']!.headers!)
    assert.ok('WWW-Authenticate' in responses['401']!.headers!)
    if (method !== 'get') continue
    assert.ok('ETag' in responses['200']!.headers!, operationId)
    assert.ok(responses['304'], operationId)
    const paged = parameters.some(({ name }) => name === 'cursor' || name === 'after')
    assert.equal(Object.hasOwn(responses['200']!.headers ?? {}, 'Link'), paged, operationId)
    assert.equal(responses['400']!.description.includes('invalid-cursor'), paged, operationId)
  }
})

type Reference = { $ref?: string }
type Components = Record<'schemas' | 'parameters' | 'responses' | 'headers', Record<string, object>>

async function readComponents() {
  const reply = await service.request({ url: '/api/v2/openapi.json' })
  return reply.json<{ paths: Record<string, Record<string, Operation>>; components: Components; tags: object[] }>()
}

test('bodies, pages, problems, headers, and the parameters of pages and paths are components, each of them once', async () => {
  const { paths, components } = await readComponents()
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, parameters = [], responses } = operation
    const { content = {} } = (operation as { requestBody?: { content?: object } }).requestBody ?? {}
    const answers = Object.entries(responses as Record<string, Reference & Answer>)
    const bodies = [content, ...answers.map(([, answer]) => answer.content ?? {})].flatMap(Object.values)
    for (const { schema } of bodies as { schema: Reference }[]) assert.ok(schema.$ref, operationId)
    for (const [status, answer] of answers) {
      if (Number(status) < 300) continue
      assert.match(answer.$ref!, /^#\/components\/responses\//, `${operationId} ${status}`)
    }
    for (const parameter of parameters) {
      if ('$ref' in parameter) continue
      assert.equal(parameter.in, 'query', operationId)
      assert.ok(!['limit', 'cursor'].includes(parameter.name), operationId)
    }
  }
  const used = JSON.stringify({ paths, components })
  for (const [kind, named] of Object.entries(components)) {
    if (kind === 'securitySchemes') continue
    for (const name of Object.keys(named)) assert.ok(used.includes(`"#/components/${kind}/${name}"`), `${kind} ${name}`)
  }
  for (const name of ['LotPage', 'ItemPage', 'ItemCreate', 'ItemUpdate', 'GalleryReplacement', 'ImageUpload'])
    assert.ok(components.schemas[name], name)
})

test('every operation names the types of its problems, as its answers do', async () => {
  for (const { operationId, responses, ...operation } of await readOperations()) {
    const named = (operation as unknown as { 'x-problems': (keyof typeof problems)[] })['x-problems']
    for (const code of named)
      assert.ok(responses[problems[code].status]!.description.includes(`\`${code}\``), `${operationId} ${code}`)
  }
})

test('a session is one of two kinds, a new one has one of two blocks, and there is one list of locales', async () => {
  const { schemas } = (await readComponents()).components
  const { oneOf, discriminator } = schemas['Session'] as { oneOf: object[]; discriminator: object }
  assert.deepEqual(oneOf, [{ $ref: '#/components/schemas/TimedSession' }, { $ref: '#/components/schemas/LiveSession' }])
  assert.deepEqual(discriminator, {
    propertyName: 'kind',
    mapping: { timed: '#/components/schemas/TimedSession', live: '#/components/schemas/LiveSession' },
  })
  assert.deepEqual((schemas['SessionCreate'] as { oneOf: object[] }).oneOf, [
    { $ref: '#/components/schemas/TimedSessionCreate' },
    { $ref: '#/components/schemas/LiveSessionCreate' },
  ])
  assert.equal(JSON.stringify(schemas).split('"hu"').length, 2)
})

test('every tag of an operation has a description', async () => {
  const { tags } = await readComponents()
  const described = (tags as { name: string; description: string }[]).map(({ name }) => name)
  assert.deepEqual(new Set(described), new Set((await readOperations()).flatMap((operation) => operation.tags!)))
})

test('each kind of problem is documented by some operation, except those that belong to none', async () => {
  const text = JSON.stringify(await readOperations())
  // The last two are answers to requests for files.
  const outside = ['method-not-allowed', 'precondition-failed', 'range-not-satisfiable']
  const writes = [
    'duplicate-reference',
    'auction-published',
    'session-not-editable',
    'lot-not-changeable',
    'image-processing',
    'locked',
  ]
  for (const code of Object.keys(problems).filter((each) => !outside.includes(each) && !writes.includes(each))) {
    if (
      !text.includes('requestBody') &&
      ['payload-too-large', 'unsupported-media-type', 'validation-failed'].includes(code)
    )
      continue
    assert.ok(text.includes(`\`${code}\``), code)
  }
})

test('the documentation page loads nothing from another host', async () => {
  const page = await service.request({ url: '/docs/' })
  assert.equal(page.statusCode, 200)
  const policy = String(page.headers['content-security-policy'])
  const sources = policy
    .split(';')
    .filter((directive) => !directive.trim().startsWith('upgrade-insecure-requests'))
    .flatMap((directive) => directive.trim().split(/\s+/).slice(1))
  assert.match(policy, /default-src 'self'/)
  for (const source of sources) assert.match(source, /^('self'|'none'|'unsafe-hashes'|'sha256-[^']+'|data:)$/, source)

  const assets = [...page.payload.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!)
  assert.ok(assets.length >= 3)
  const texts = [page.payload]
  for (const asset of assets) {
    const url = new URL(asset, 'http://here/docs/')
    assert.equal(url.host, 'here', asset)
    const reply = await service.request({ url: url.pathname })
    assert.equal(reply.statusCode, 200, asset)
    if (asset.endsWith('.css')) texts.push(reply.payload)
  }
  for (const text of texts) assert.doesNotMatch(text, /(url\(|@import\s+)["']?(https?:)?\/\//)
})

/** Every array schema in a value, by its path. */
function findArrays(value: unknown, path = ''): [path: string, schema: { maxItems?: number }][] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'type' in value && value.type === 'array' ? [[path, value] as [string, object]] : []
  return [...own, ...Object.entries(value).flatMap(([name, each]) => findArrays(each, `${path}/${name}`))]
}

test('the document bounds every array in a body, and the length of its texts', async () => {
  const { paths } = inlineComponents(
    (await service.request({ url: '/api/v2/openapi.json' })).json<{
      paths: Record<string, Record<string, { requestBody?: unknown }>>
    }>(),
  )
  const bodies = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => [`${method} ${path}`, requestBody] as const),
  )
  const arrays = bodies.flatMap(([name, body]) => findArrays(body, name))
  assert.equal(arrays.length, 6)
  for (const [path, { maxItems }] of arrays) assert.ok(maxItems! > 0, path)
  const [post, patch] = ['post', 'patch'].map((method) =>
    JSON.stringify(
      bodies.filter(
        ([name]) => name.startsWith(`${method} /api/v2/items`) || name.startsWith(`${method} /api/v2/auctions`),
      ),
    ),
  )
  assert.match(post!, /"maxLength":1000\b.*"x-max-bytes":262144\b/s)
  assert.match(post!, /"x-max-bytes":65536\b/)
  for (const text of ['256 KiB', '1000 characters', '65536 UTF-8 bytes']) assert.ok(patch!.includes(text), text)
})

test('the document is the same each time it is made, as JSON and as YAML', async () => {
  const { body } = await service.request({ url: '/api/v2/openapi.json' })
  for (let time = 0; time < 2; time++) {
    const again = await service.request({ url: '/docs/json' })
    assert.deepEqual([again.statusCode, again.json()], [200, JSON.parse(body)])
    const yaml = await service.request({ url: '/docs/yaml' })
    assert.equal(yaml.statusCode, 200)
    assert.match(yaml.body, /^openapi: 3\.1\.0\n/)
    for (const { operationId } of await readOperations()) assert.ok(yaml.body.includes(`operationId: ${operationId}\n`))
  }
})

test('the document takes no parameter', async () => {
  for (const url of ['/api/v2/openapi.json?x=1', '/api/v2/openapi.json?x'])
    assert.equal((await service.request({ url })).json<{ status: number }>().status, 400, url)
  for (const url of [
    '/api/v2/openapi.json?',
    '/healthz?probe=1',
    '/readyz?probe=1',
    '/problems/not-found?from=mail',
    '/docs/?x',
  ])
    assert.equal((await service.request({ url })).statusCode, 200, url)
})

test('a missing file of the documentation is 404, and so is a path that leaves its folder', async () => {
  const paths = [
    'nothing.js',
    '%2e%2e/x',
    '..%2fx',
    'a%00b',
    '%2e%2e%2f%2e%2e%2fpackage.json',
    '//',
    'a//b',
    'x'.repeat(300),
  ]
  for (const path of paths) {
    for (const method of ['GET', 'HEAD']) {
      const reply = await service.request({ method, url: `/docs/static/${path}` })
      assert.equal(reply.statusCode, 404, `${method} ${path}`)
      assert.match(reply.headers['content-type'] ?? '', /^application\/problem\+json/)
    }
  }
  const whole = await service.request({ url: '/docs/static/index.css' })
  const ranged = await service.request({ url: '/docs/static/index.css', headers: { range: 'bytes=0-9' } })
  assert.deepEqual([ranged.statusCode, ranged.payload], [200, whole.payload])
  const other = await service.request({ url: '/docs/static/index.css', headers: { 'if-match': '"x"' } })
  assert.equal(other.statusCode, 412)
  assert.equal((await service.request({ method: 'POST', url: '/docs/static/index.css' })).statusCode, 405)
})

test('no description names a permission that is none', async () => {
  for (const url of ['/api/v2/openapi.json', '/staff/v1/openapi.json'])
    assert.doesNotMatch((await service.request({ url })).payload, /[Nn]eeds \./, url)
})

test('the introduction links to a key, to the guide and to the problems, each of which has its page', async () => {
  const document = await service.request({ url: '/api/v2/openapi.json' })
  const { description } = document.json<{ info: { description: string } }>().info
  assert.match(description, /`bin\/catalogue keys create`/)
  const [guide] = /docs\/[a-z]+\.md/.exec(description)!
  assert.ok(existsSync(path.join(checkout, guide)))
  const [list] = /(?<=\]\()[^)]+/.exec(description)!
  const page = await service.request({ url: new URL(list).pathname })
  const linked = [...page.body.matchAll(/href="([^"]+)"/g)].map(([, address]) => new URL(address!, list).pathname)
  assert.deepEqual(
    linked,
    Object.keys(problems).map((code) => `/problems/${code}`),
  )
  for (const url of linked) assert.equal((await service.request({ url })).statusCode, 200, url)
})

test('the document and the page of a problem name the reasons that it may have', async () => {
  const { schemas } = (await readComponents()).components
  const { description } = (schemas['Problem'] as { properties: { reason: { description: string } } }).properties.reason
  for (const [code, known] of reasons) {
    const page = (await service.request({ url: `/problems/${code}` })).payload
    for (const [reason, meaning] of known) {
      assert.ok(page.includes(`<code>${reason}</code></dt>\n<dd>${meaning}</dd>`), reason)
      assert.ok(description.includes(`\`${reason}\``), reason)
    }
  }
  assert.doesNotMatch((await service.request({ url: '/problems/locked' })).payload, /reason/)
})

test('the page of a problem runs no script, and loads only its own style', async () => {
  const page = await service.request({ url: '/problems/not-found' })
  const [, style] = /<style>(.*)<\/style>/s.exec(page.payload)!
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /^default-src 'none';/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.ok(policy.includes(`'sha256-${hash('sha256', style!, 'base64')}'`))
  assert.doesNotMatch(policy, /unsafe/)
})

test('the document is made once, and a client that holds it gets 304', async () => {
  const first = await service.request({ url: '/api/v2/openapi.json' })
  const etag = String(first.headers['etag'])
  const again = await service.request({ url: '/api/v2/openapi.json', headers: { 'if-none-match': etag } })
  assert.deepEqual([first.statusCode, again.statusCode, again.payload], [200, 304, ''])
  assert.equal((await service.request({ method: 'HEAD', url: '/api/v2/openapi.json' })).headers['etag'], etag)
})
