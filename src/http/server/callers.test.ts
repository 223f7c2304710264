import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOpenKind } from './callers.ts'

test('everything below /api/v2 but the OpenAPI document needs a key, and nothing else does', () => {
  const paths = ['/api/v2', '/api/v2/', '/api/v2?x', '/api/v2/lots', '/api/v2/openapi.jsonx', '/api/v2/openapi.json/x']
  for (const path of paths) assert.equal(findOpenKind(path), undefined, path)
  for (const path of [
    '/',
    '/?x',
    '/api/v2/openapi.json',
    '/api/v2/openapi.json?x',
    '/api/v20',
    '/docs/',
    '/assets/x.js',
  ])
    assert.equal(findOpenKind(path), 'open', path)
  assert.deepEqual(['/healthz', '/readyz?x', '/media/public/x'].map(findOpenKind), ['probe', 'probe', 'media'])
})
