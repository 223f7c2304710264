import { any, type Headers, type Trick } from './trick.ts'

/** Invalid JSON. */
export const unread: Trick = (random, call) => {
  const whole = call.body!.toString()
  const texts: Record<string, Buffer> = {
    'cut off': Buffer.from(whole.slice(0, random.below(whole.length))),
    'with a tail': Buffer.from(`${whole}${random.pick(['x', '}', ' null', ',', '\0', whole])}`),
    'in single quotes': Buffer.from("{'a':1}"),
    'with a comma too many': Buffer.from(whole.replace(/\}$/, ',}')),
    'in UTF-16': Buffer.from(whole, 'utf16le'),
    'not in UTF-8': Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}')]),
    NaN: Buffer.from('{"a":NaN}'),
    'with a comment': Buffer.from(`/**/${whole}`),
    empty: Buffer.alloc(0),
    blank: Buffer.from(' \n'),
  }
  const [note, body] = random.pick(Object.entries(texts))
  return any(call, `JSON ${note}`, { body, expected: [400] })
}

/** A body with the wrong content type. */
export const otherType: Trick = (random, call) => {
  const types = [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    '*/*',
    '',
    ';',
    'application/json; charset=utf-16',
    'application/problem+json',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
  ]
  const type = random.pick([...types, undefined].filter((each) => !each?.startsWith(call.operation!.body!.type)))
  const headers: Headers = type === undefined ? [] : [['Content-Type', type]]
  return any(call, `as ${type?.slice(0, 20) ?? 'no type'}`, { headers, expected: [415] })
}

/** A body for an operation that has none. */
export const needlessBody: Trick = (_random, call) =>
  any(call, 'a body where none is taken', {
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from('{}'),
    expected: [400],
  })

/** An invalid form. */
export const brokenForm: Trick = (random, call) => {
  const text = call.body!.toString('latin1')
  const boundary = /boundary=(\w+)/.exec(call.headers[0]![1])![1]!
  const bodies: Record<string, string> = {
    'cut off': text.slice(0, random.size(text.length - 10)),
    'without its end': text.replace(`--${boundary}--`, ''),
    'of another boundary': text.replaceAll(boundary, 'other'),
    empty: '',
    'not at all': '{}',
    'with a header of 100 KB': text.replace('form-data', `form-data; x="${'a'.repeat(100_000)}"`),
    'without dispositions': text.replaceAll('Content-Disposition', 'X'),
    'within itself': text.replace('form-data', 'form-data\r\nContent-Type: multipart/mixed; boundary=x'),
    'in quoted-printable': text.replace('form-data', 'form-data\r\nContent-Transfer-Encoding: base64'),
  }
  const [note, body] = random.pick(Object.entries(bodies))
  return any(call, `a form ${note}`, { body: Buffer.from(body, 'latin1') })
}
