import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { Random } from '../lib/random.ts'
import type { Schema } from './document.ts'
import { prototypeNames } from './mistakes.ts'
import { isFile } from './values.ts'

/** A part of a form; the name may be missing. */
export type Part = { name?: string; filename?: string; type?: string; content: Buffer }

/** Small pictures of every format that is accepted. */
export async function makePictures(): Promise<Buffer[]> {
  const one = (background: string) => sharp({ create: { width: 24, height: 18, channels: 3, background } })
  return Promise.all([
    one('#336699').jpeg().toBuffer(),
    one('#993366').png().toBuffer(),
    one('#669933').webp().toBuffer(),
    one('#aa5511').gif().toBuffer(),
    one('#11aa55').tiff().toBuffer(),
    one('#5511aa').avif({ effort: 0 }).toBuffer(),
  ])
}

/** The parts of a valid form, texts first. */
export function partsOf(body: Record<string, unknown>): Part[] {
  const parts = Object.entries(body).map(([name, value]): Part => {
    if (Buffer.isBuffer(value)) return { name, filename: 'picture.jpg', type: 'image/jpeg', content: value }
    return { name, content: Buffer.from(String(value)) }
  })
  return parts.toSorted((a, b) => Number(a.filename !== undefined) - Number(b.filename !== undefined))
}

/** The bytes of a form. */
export function printForm(parts: Part[], boundary: string): Buffer {
  const chunks = parts.flatMap(({ name, filename, type, content }) => [
    `--${boundary}\r\nContent-Disposition: form-data`,
    name === undefined ? '' : `; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    content,
    '\r\n',
  ])
  return Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk as string)))
}

type Spoilt = { note: string; parts: Part[]; expected?: readonly number[] }

const refused = [404, 413, 415, 422]
const unread = [400, ...refused]
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/hostname"/></svg>'
const fileNames = ['../../etc/passwd', '', 'a\\"b', 'é漢.jpg', 'x'.repeat(5_000)]

/** The form with one mistake. `stolen` is the path of a picture on the machine that was never uploaded. */
export function spoilParts(random: Random, parts: Part[], schema: Schema, stolen: string): Spoilt {
  const names = Object.keys(schema.properties!)
  const fileName = names.find((name) => isFile(schema.properties![name]!))!
  const textName = random.pick(names.filter((name) => name !== fileName))
  const file = parts.find(({ name }) => name === fileName)!
  const others = parts.filter((part) => part !== file)
  const json = (name: string, value: unknown): Part => {
    return { name, type: 'application/json', content: Buffer.from(JSON.stringify(value)) }
  }
  const withText = (part: Part) => [...parts.filter(({ name }) => name !== textName), part]
  const as = (note: string, content: Buffer | string): Spoilt => {
    return { note, parts: [...others, { ...file, content: Buffer.from(content as string) }], expected: refused }
  }
  const any = ({ note, parts }: Spoilt): Spoilt => ({ note, parts })
  const unknown = random.pick([...prototypeNames, 'nonsense', 'File', 'n'.repeat(200)])
  const left = random.pick(schema.required!)
  const again = random.pick(parts)
  const text = random.pick(['', ' ', '\u0085', '\ufeff', '\0', 'TRUE', '1', 'x'.repeat(1025), 'x'.repeat(5_000)])
  const path = random.pick([stolen, stolen, '/etc/hostname', '/proc/self/environ', '/nowhere'])
  const { content } = file
  return random.weigh<Spoilt>([
    [4, { note: 'a text part of JSON as the file', parts: [...others, json(fileName, { path })], expected: unread }],
    [
      2,
      { note: `${textName} as JSON`, parts: withText(json(textName, random.pick([{ a: 1 }, ['x'], null, 7, true]))) },
    ],
    [2, { note: `another text as ${textName}`, parts: withText({ name: textName, content: Buffer.from(text) }) }],
    [
      2,
      { note: 'an unknown text', parts: [{ name: unknown, content: Buffer.from('1') }, ...parts], expected: refused },
    ],
    [1, { note: 'an unknown file', parts: [...parts, { ...file, name: unknown }], expected: refused }],
    [2, { note: 'no name', parts: [{ content: Buffer.from('x') }, ...parts], expected: unread }],
    [2, { note: `without ${left}`, parts: parts.filter(({ name }) => name !== left), expected: refused }],
    [2, { note: `${again.name} twice`, parts: [...parts, again], expected: refused }],
    [1, { note: 'the file as a text', parts: [...others, { name: fileName, content }], expected: unread }],
    [1, { note: 'three forms in one', parts: [...parts, ...parts, ...parts], expected: refused }],
    [1, { note: 'forty fields', parts: Array.from({ length: 40 }, () => json('f', 1)), expected: refused }],
    [1, { note: 'no parts', parts: [], expected: unread }],
    [1, { note: 'a strange file name', parts: [...others, { ...file, filename: random.pick(fileNames) }] }],
    [1, as('an empty file', '')],
    [1, as('random bytes', randomBytes(random.size(5_000)))],
    [1, as('an SVG', svg)],
    [1, as('a PDF', '%PDF-1.7\n')],
    [1, as('text', 'text '.repeat(random.size(5_000)))],
    [1, any(as('a picture cut off', content.subarray(0, random.size(content.length - 1))))],
    [1, any(as('a broken picture', Buffer.concat([content.subarray(0, 12), randomBytes(200)])))],
    [1, any(as('a picture with a tail', Buffer.concat([content, Buffer.from('<script>')])))],
  ])
}
