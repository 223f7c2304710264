import { pathOf, type Call } from '../call.ts'
import { any, type Headers, type Trick } from './trick.ts'

const visit = (call: Call, note: string, changes: Partial<Call>): Call =>
  any(call, note, { headers: [], body: undefined, ...changes })

/** A method that the path does not have. */
export const otherMethod: Trick = (random, call, { api }) => {
  const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY']
  const method = random.pick(methods.filter((each) => !api.match(each, pathOf(call))))
  return any(call, `method ${method}`, { method, expected: [405] })
}

/** A path of up to 12 KB. */
export const longTarget: Trick = (random, call) =>
  visit(call, 'a long path', {
    method: 'GET',
    target: `${pathOf(call)}/${'a/'.repeat(random.size(6_000))}`,
    expected: [404, 431],
  })

const places =
  '/ /api/v2/ /docs/static/ /media/ /docs/ /problems/ /media/originals/ /api/v2/items/ /media/public/'.split(' ')
const ends = [
  ...String.raw`.. ../x ..%2f..%2fetc%2fpasswd %2e%2e/ %2e%2e/%2e%2e/package.json ..%5c..%5cx a%00b %00 %ff %zz % . ./ //`.split(
    ' ',
  ),
  ...String.raw`;a=b %252e%252e ....// \..\x * __proto__ constructor %c0%ae%c0%ae/ ~root .git/config nothing @ %23`.split(
    ' ',
  ),
  'index.html%00.png',
  '#x',
  'null',
  'C:\\x',
  '%f0%9f%8f%ba',
  'x'.repeat(500),
]

/** A path that tries to leave its folder. */
export const traversal: Trick = (random, call) => {
  const target = random.pick(places) + random.pick(ends) + (random.chance(0.2) ? random.pick(ends) : '')
  // The answer must be neither 5xx nor a file from another folder.
  return visit(call, `path ${target.slice(0, 60)}`, {
    method: random.pick(['GET', 'GET', 'HEAD', 'DELETE']),
    target,
  })
}

const pages = [
  ...'/ /docs /docs/ /docs/static/index.html /docs/static/swagger-ui.css /docs/json /healthz /readyz /metrics'.split(
    ' ',
  ),
  ...'/api/v2/openapi.json /api/v2/openapi.json?x=1 /problems/not-found /problems/none /problems /favicon.ico'.split(
    ' ',
  ),
  '/robots.txt',
]

/** Paths that are served beside the interface. */
export const documents: Trick = (random, call) => {
  const target = random.pick(pages)
  const expected = target.endsWith('?x=1') ? { expected: [400] } : {}
  return visit(call, `the page ${target}`, {
    method: random.pick(['GET', 'HEAD']),
    target,
    ...expected,
  })
}

const served = [200, 206, 304, 404, 412, 416]
const conditions: Headers = [
  ...['bytes=0-9', 'bytes=9999999-', 'bytes=x'].map((range): [string, string] => ['Range', range]),
  ...['If-Match', 'If-Range'].map((name): [string, string] => [name, '"x"']),
  ['If-None-Match', '*'],
  ['If-Unmodified-Since', 'Mon, 01 Jan 1990 00:00:00 GMT'],
]

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
    [6, [pathname + search, 'a file', served]],
    [2, [pathname, 'without its signature', search === '' ? served : [403]]],
    [2, [pathname + changed, 'with another signature', search === '' ? [...served, 403] : [403]]],
    [2, [other.pathname + search, 'with the signature of another', [...served, 403]]],
    [1, [pathname.toUpperCase(), 'in upper case', [404]]],
    [1, [`${pathname.slice(0, -6)}x.webp`, 'of another name', [403, 404]]],
    [1, [`${pathname}/${search}`, 'as a folder', [403, 404]]],
  ])
  const headers = random.chance(0.5) ? [] : [random.pick(conditions)]
  return visit(call, `media: ${note}`, {
    method: random.pick(['GET', 'GET', 'HEAD']),
    target,
    headers,
    expected,
  })
}
