import { headersOf, printRequest } from '../call.ts'
import { any, foreignHost, request, withHeaders, type Headers, type Trick } from './trick.ts'

/** Host or Authorization twice. */
export const twoOfOne: Trick = (random, call) => {
  const headers = headersOf(call)
  const which = random.pick(['host', 'authorization'] as const)
  const again: [string, string] = which === 'host' ? ['Host', foreignHost] : ['Authorization', random.pick(headers)[1]]
  const bytes = request(call, random.shuffle([...headers, again]))
  const expected = which === 'host' ? [400] : [401]
  return any(call, `two headers ${which}`, { bytes, expected, headers: [again] })
}

/** A whole URL of another host as the request target. */
export const absoluteTarget: Trick = (random, call) => {
  const origin = random.pick(['http://', 'https://', 'http://a@', 'HTTP://']) + foreignHost
  return {
    ...call,
    kind: 'hostile',
    note: 'a target in absolute form',
    bytes: printRequest(call.method, origin + call.target, headersOf(call), call.body),
  }
}

const fromProxies: [name: string, value?: string][] = [
  ['Forwarded', `host=${foreignHost}`],
  ['X-HTTP-Method-Override', 'DELETE'],
  ...['X-Original-URL', 'X-Rewrite-URL'].map((name): [string, string] => [name, '/metrics']),
  ...'X-Forwarded-Host X-Forwarded-Proto Origin Referer Cookie Host'.split(' ').map((name): [string] => [name]),
]

/** Headers in which proxies name the client. */
export const forwarded: Trick = (random, call) => {
  const [name, value = foreignHost] = random.pick(fromProxies)
  return withHeaders(call, `header ${name}`, [[name, value]])
}

/** Almost a key. */
export const strangeKey: Trick = (random, call) => {
  const { key = 'x' } = call.holder
  const bearers = [`${key}x`, key.slice(0, -1), `${key} ${key}`, `${key},Bearer ${key}`, `"${key}"`, key.toUpperCase()]
  const others = ['a'.repeat(8_000), 'é', 'ack_\u00ff', `ack_${'0'.repeat(43)}`]
  const bearer = [...bearers, ...others].map((each) => `Bearer ${each}`)
  const value = random.pick([...bearer, `Basic ${key}`, key, 'Bearer', `Digest ${key}`])
  return any(call, 'a strange key', { headers: [...call.headers, ['Authorization', value]], expected: [401] })
}

/** Too many headers, or too long ones. */
export const headerBomb: Trick = (random, call) => {
  const headers: Headers = random.chance(0.5)
    ? [['X-A', 'a'.repeat(17_000)]]
    : Array.from({ length: 1_990 }, (_, index): [string, string] => [`X-${index}`, 'abc'])
  return any(call, 'headers of more than 16 KiB', {
    headers: [...call.headers, ...headers],
    expected: [431],
    broken: true,
    close: true,
  })
}

/** A body with a content encoding. */
export const encoded: Trick = (random, call) =>
  any(call, 'an encoded body', {
    headers: [...call.headers, ['Content-Encoding', random.pick(['gzip', 'br', 'deflate', 'x'])]],
    expected: [415],
  })

/** An Expect header. */
export const expecting: Trick = (random, call) =>
  withHeaders(call, 'header Expect', [['Expect', random.pick(['100-continue', '200-ok', 'x'])]])

/** Headers of writes that cannot be read, or that no stored record meets. On other requests they change nothing. */
export const guards: Trick = (random, call) => {
  const isRehearsal = call.target.includes('dry_run=true')
  if (call.method === 'GET' || (call.method === 'POST' && isRehearsal)) {
    return withHeaders(call, 'guards of no write', [['Idempotency-Key', random.pick(['', '"', 'k'])]])
  }
  const { expected = [] } = call
  if (call.method !== 'POST' && random.chance(0.5)) {
    const value = random.pick(['x', '"x', '*,"x"', ',', '"x"', 'W/"x"', '"x", "y"', `"${'x'.repeat(2_000)}"`])
    return { ...withHeaders(call, 'If-Match', [['If-Match', value]]), expected: [...expected, 400, 412] }
  }
  if (isRehearsal) return call
  const value = random.pick(['', '"', '"x', '"a"b', 'x'.repeat(256), '\u00ff', '"\\n"'])
  return any(call, 'a strange Idempotency-Key', {
    headers: [...call.headers, ['Idempotency-Key', value]],
    expected: [400],
  })
}

/** Headers that the service does not use. */
export const harmless: Trick = (random, call) => {
  const ranges = ['bytes=0-0', 'bytes=-1', 'bytes=5-2', 'bytes=0-1,3-4', 'items=1', 'bytes=99999999999-']
  const headers: Headers = [
    ['Range', random.pick(ranges)],
    ['Accept', random.pick(['text/html', 'application/xml', 'x', 'application/json;q=0'])],
    ['Accept-Encoding', random.pick(['gzip', 'br', 'zstd', 'gzip;q=0.5, br;q=0.1', 'identity;q=0', '*'])],
    ['If-Modified-Since', random.pick(['x', new Date().toUTCString()])],
    ['If-Unmodified-Since', 'Mon, 01 Jan 1990 00:00:00 GMT'],
    ['Upgrade', random.pick(['websocket', 'h2c'])],
    ['Prefer', 'wait=1000'],
    ['TE', 'trailers'],
    ['X-Request-Id', 'a\tb'],
  ]
  const chosen = random.shuffle(headers).slice(0, random.size(headers.length))
  const upgrade: Headers = chosen.some(([name]) => name === 'Upgrade') ? [['Connection', 'Upgrade']] : []
  return withHeaders(call, 'headers that change nothing', [...chosen, ...upgrade])
}

/** If-None-Match with the ETag of this address, of another, or with no ETag. */
export const conditional: Trick = (random, call, { knowledge }) => {
  const own = knowledge.tags.filter(({ house }) => house === call.holder.house)
  const method = random.pick(['GET', 'GET', 'HEAD'])
  const expected = [...(call.expected ?? []), 304]
  const note = 'If-None-Match'
  if (own.length === 0 || random.chance(0.3)) {
    const tag = random.pick(['*', '""', 'x', 'W/', '"a", "b"', '"'.repeat(500)])
    return withHeaders({ ...call, method, expected }, note, [[note, tag]])
  }
  const { address, etag } = random.pick(own)
  // The record may be deleted by now, or the cursor of the address may lead to another page.
  if (random.chance(0.5))
    return any(call, note, { method, target: address, headers: [[note, etag]], expected: [...expected, 404] })
  return withHeaders({ ...call, method, expected }, note, [[note, etag]])
}
