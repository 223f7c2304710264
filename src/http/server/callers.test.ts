import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOpenKind } from './callers.ts'

test('everything below /api/v2 and /staff/v1 but the OpenAPI documents needs a key, and nothing else does', () => {
  const ends = ['', '/', '?x', '/lots', '/openapi.jsonx', '/openapi.json/x']
  const paths = ['/api/v2', '/staff/v1'].flatMap((base) => ends.map((end) => base + end))
  for (const path of paths) assert.equal(findOpenKind(path), undefined, path)
  for (const path of [
    '/',
    '/?x',
    '/api/v2/openapi.json',
    '/api/v2/openapi.json?x',
    '/staff/v1/openapi.json',
    '/api/v20',
    '/staff/v10',
    '/docs/',
    '/assets/x.js',
  ])
    assert.equal(findOpenKind(path), 'open', path)
  assert.deepEqual(['/healthz', '/readyz?x', '/media/public/x'].map(findOpenKind), ['probe', 'probe', 'media'])
})
