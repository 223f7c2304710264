import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { Random } from '../lib/random.ts'
import type { Schema } from './document.ts'
import { prototypeNames } from './mistakes.ts'

/** A part of a form; the name may be missing. */
export type Part = { name?: string; filename?: string; type?: string; content: Buffer }

/** Small pictures of every format that is accepted. */
export async function makePictures(): Promise<Buffer[]> {
  const picture = sharp({ create: { width: 24, height: 18, channels: 3, background: '#336699' } })
  const types = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const
  return Promise.all(types.map((type) => picture.clone().toFormat(type).toBuffer()))
}

/** The parts of a valid form, texts first. */
export function partsOf(body: Record<string, unknown>): Part[] {
  const parts = Object.entries(body).map(([name, value]): Part => {
    if (Buffer.isBuffer(value)) return { name, filename: 'picture.jpg', type: 'image/jpeg', content: value }
    return { name, content: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)) }
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

type Spoilt = { note: string; parts: Part[]; expected?: readonly number[] | undefined }

const refused = [404, 413, 415, 422]
const unread = [400, ...refused]
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/hostname"/></svg>'
const fileNames = ['../../etc/passwd', '', 'a\\"b', 'é漢.jpg', 'x'.repeat(5_000)]
const texts = ['', ' ', '\u0085', '\ufeff', '\0', 'TRUE', '1', 'x'.repeat(1025), 'x'.repeat(5_000)]

/** The form with one mistake. `stolen` is the path of a picture on the machine that was never uploaded. */
export function spoilParts(random: Random, parts: Part[], schema: Schema, stolen: string): Spoilt {
  const names = Object.keys(schema.properties!)
  const fileName = names.find((name) => schema.properties![name]!.format === 'binary')!
  const textName = random.pick(names.filter((name) => name !== fileName))
  const file = parts.find(({ name }) => name === fileName)!
  const others = parts.filter((part) => part !== file)
  const json = (name: string, value: unknown): Part => {
    return { name, type: 'application/json', content: Buffer.from(JSON.stringify(value)) }
  }
  const path = random.pick([stolen, stolen, '/etc/hostname', '/proc/self/environ', '/nowhere'])
  const unknown = random.pick([...prototypeNames, 'nonsense', 'File', 'n'.repeat(200)])
  const left = random.pick(schema.required!)
  const again = random.pick(parts)
  const withText = (part: Part) => [...parts.filter(({ name }) => name !== textName), part]
  const withFile = (content: Buffer | string) => [...others, { ...file, content: Buffer.from(content as string) }]
  const { content } = file
  const cases: [weight: number, note: string, parts: Part[], expected?: number[]][] = [
    [4, 'a text part of JSON as the file', [...others, json(fileName, { path })], unread],
    [2, `${textName} as JSON`, withText(json(textName, random.pick([{ a: 1 }, ['x'], null, 7, true])))],
    [2, `another text as ${textName}`, withText({ name: textName, content: Buffer.from(random.pick(texts)) })],
    [2, 'an unknown text', [{ name: unknown, content: Buffer.from('1') }, ...parts], refused],
    [1, 'an unknown file', [...parts, { ...file, name: unknown }], refused],
    [2, 'no name', [{ content: Buffer.from('x') }, ...parts], unread],
    [2, `without ${left}`, parts.filter(({ name }) => name !== left), refused],
    [2, `${again.name} twice`, [...parts, again], refused],
    [1, 'the file as a text', [...others, { name: fileName, content }], unread],
    [1, 'three forms in one', [...parts, ...parts, ...parts], refused],
    [1, 'forty fields', Array.from({ length: 40 }, () => json('f', 1)), refused],
    [1, 'no parts', [], unread],
    [1, 'a strange file name', [...others, { ...file, filename: random.pick(fileNames) }]],
    [1, 'an empty file', withFile(''), refused],
    [1, 'random bytes', withFile(randomBytes(random.size(5_000))), refused],
    [1, 'an SVG', withFile(svg), refused],
    [1, 'a PDF', withFile('%PDF-1.7\n'), refused],
    [1, 'text', withFile('text '.repeat(random.size(5_000))), refused],
    [1, 'a picture cut off', withFile(content.subarray(0, random.size(content.length - 1)))],
    [1, 'a broken picture', withFile(Buffer.concat([content.subarray(0, 12), randomBytes(200)]))],
    [1, 'a picture with a tail', withFile(Buffer.concat([content, Buffer.from('<script>')]))],
  ]
  const [, note, changed, expected] = random.weigh(cases.map((each) => [each[0], each] as const))
  return { note, parts: changed, expected }
}
