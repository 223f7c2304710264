import { pathOf } from '../call.ts'
import { any, withoutBody, type Headers, type Trick } from './trick.ts'

/** A method that the path does not have. */
export const otherMethod: Trick = (random, call, { api }) => {
  const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY']
  const method = random.pick(methods.filter((each) => !api.match(each, pathOf(call))))
  return any(call, `method ${method}`, { method, expected: [405] })
}

/** A path of up to 12 KB. */
export const longTarget: Trick = (random, call) =>
  any(call, 'a long path', {
    method: 'GET',
    target: `${pathOf(call)}/${'a/'.repeat(random.size(6_000))}`,
    headers: [],
    expected: [404, 431],
    ...withoutBody,
  })

const places = [
  '/api/v2/',
  '/docs/static/',
  '/media/',
  '/docs/',
  '/problems/',
  '/',
  '/media/originals/',
  '/api/v2/items/',
  '/media/public/',
]
const ends = [
  '..',
  '../x',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e/',
  '%2e%2e/%2e%2e/package.json',
  '..%5c..%5cx',
  'a%00b',
  '%00',
  '%ff',
  '%zz',
  '%',
  '.',
  './',
  '//',
  ';a=b',
  '%252e%252e',
  '....//',
  '\\..\\x',
  '*',
  '__proto__',
  'constructor',
  'x'.repeat(500),
  '%c0%ae%c0%ae/',
  '~root',
  '.git/config',
  'nothing',
  'index.html%00.png',
  '@',
  '%23',
  '#x',
  'null',
  'C:\\x',
  '%f0%9f%8f%ba',
]

/** A path that tries to leave its folder. */
export const traversal: Trick = (random, call) => {
  const target = random.pick(places) + random.pick(ends) + (random.chance(0.2) ? random.pick(ends) : '')
  // The answer must be neither 5xx nor a file from another folder.
  return any(call, `path ${target.slice(0, 60)}`, {
    method: random.pick(['GET', 'GET', 'HEAD', 'DELETE']),
    target,
    headers: [],
    ...withoutBody,
  })
}

/** Paths that are served beside the interface. */
export const documents: Trick = (random, call) => {
  const target = random.pick([
    '/docs',
    '/docs/',
    '/docs/static/index.html',
    '/docs/static/swagger-ui.css',
    '/docs/json',
    '/healthz',
    '/readyz',
    '/api/v2/openapi.json',
    '/api/v2/openapi.json?x=1',
    '/problems/not-found',
    '/problems/none',
    '/problems',
    '/',
    '/metrics',
    '/favicon.ico',
    '/robots.txt',
  ])
  const expected = target.endsWith('?x=1') ? { expected: [400] } : {}
  return any(call, `the page ${target}`, {
    method: random.pick(['GET', 'HEAD']),
    target,
    headers: [],
    ...withoutBody,
    ...expected,
  })
}

/** Files of images, of this house and of others, with and without their signatures. */
export const media: Trick = (random, call, { api, knowledge }) => {
  const known = Object.values(knowledge.urls).flat()
  const sample = known.length === 0 ? undefined : new URL(random.pick(known))
  if (!sample) return traversal(random, call, { api, knowledge })
  const { pathname, search } = sample
  // Without the question mark the signature is part of the name.
  const at = 1 + random.below(Math.max(1, search.length - 1))
  const changed = search.slice(0, at) + (search[at] === '0' ? '1' : '0') + search.slice(at + 1)
  const other = new URL(random.pick(known))
  const [target, note, expected] = random.weigh<[string, string, number[]]>([
    [6, [pathname + search, 'a file', [200, 206, 304, 404, 412, 416]]],
    [2, [pathname, 'without its signature', search === '' ? [200, 206, 304, 404, 412, 416] : [403]]],
    [2, [pathname + changed, 'with another signature', search === '' ? [200, 206, 304, 404, 412, 416, 403] : [403]]],
    [2, [other.pathname + search, 'with the signature of another', [200, 206, 304, 403, 404, 412, 416]]],
    [1, [pathname.toUpperCase(), 'in upper case', [404]]],
    [1, [`${pathname.slice(0, -6)}x.webp`, 'of another name', [403, 404]]],
    [1, [`${pathname}/${search}`, 'as a folder', [403, 404]]],
  ])
  const headers: Headers = random.chance(0.5)
    ? []
    : [
        random.pick<[string, string]>([
          ['Range', 'bytes=0-9'],
          ['Range', 'bytes=9999999-'],
          ['Range', 'bytes=x'],
          ['If-Match', '"x"'],
          ['If-None-Match', '*'],
          ['If-Unmodified-Since', 'Mon, 01 Jan 1990 00:00:00 GMT'],
          ['If-Range', '"x"'],
        ]),
      ]
  return any(call, `media: ${note}`, {
    method: random.pick(['GET', 'GET', 'HEAD']),
    target,
    headers,
    expected,
    ...withoutBody,
  })
}
