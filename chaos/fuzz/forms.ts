import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { Schema } from './document.ts'
import { blanks, prototypeNames } from './mutations.ts'
import type { Random } from './random.ts'

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

const isFile = (schema: Schema) => schema.format === 'binary'

/** The parts that the schema describes, texts first. */
export function buildParts(
  random: Random,
  schema: Schema,
  value: (schema: Schema, name: string) => unknown,
  pictures: Buffer[],
): Part[] {
  const { properties = {}, required = [] } = schema
  const names = Object.keys(properties).filter((name) => required.includes(name) || random.chance(0.5))
  const parts = names.map((name): Part => {
    if (isFile(properties[name]!))
      return { name, filename: 'picture.jpg', type: 'image/jpeg', content: random.pick(pictures) }
    return { name, content: Buffer.from(String(value(properties[name]!, name))) }
  })
  return parts.toSorted((a, b) => Number(a.filename !== undefined) - Number(b.filename !== undefined))
}

/** The bytes of a form. */
export function printForm(parts: Part[], boundary: string): Buffer {
  const chunks = parts.flatMap(({ name, filename, type, content }) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data`),
    Buffer.from(name === undefined ? '' : `; name="${name}"`),
    Buffer.from(filename === undefined ? '' : `; filename="${filename}"`),
    Buffer.from(type === undefined ? '' : `\r\nContent-Type: ${type}`),
    Buffer.from('\r\n\r\n'),
    content,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
}

type Change = { parts: Part[]; note: string; expected?: readonly number[] }

const refused = [404, 413, 415, 422]

/** The form with one mistake. `stolen` is the path of a picture on the machine that was never uploaded. */
export function mutateParts(random: Random, parts: Part[], schema: Schema, stolen: string): Change {
  const properties = schema.properties ?? {}
  const fileName = Object.keys(properties).find((name) => isFile(properties[name]!))!
  const textNames = Object.keys(properties).filter((name) => name !== fileName)
  const file = parts.find(({ name }) => name === fileName)!
  const others = parts.filter((part) => part !== file)
  const withContent = (content: Buffer) => [...others, { ...file, content }]
  const json = (name: string, value: unknown): Part => {
    return { name, type: 'application/json', content: Buffer.from(JSON.stringify(value)) }
  }
  return random.weigh<() => Change>([
    [
      4,
      () => {
        const path = random.pick([stolen, stolen, '/etc/hostname', '/proc/self/environ', '/nowhere'])
        return {
          parts: [...others, json(fileName, { path })],
          note: 'a text part of JSON as the file',
          expected: [400, ...refused],
        }
      },
    ],
    [
      2,
      () => {
        const name = random.pick(textNames)
        const value = random.pick([{ a: 1 }, ['x'], null, 7, true, { __proto__: null }, 'x'])
        return { parts: [...parts.filter((part) => part.name !== name), json(name, value)], note: `${name} as JSON` }
      },
    ],
    [
      3,
      () => {
        const name = random.pick([...prototypeNames, 'nonsense', 'File', 'n'.repeat(200)])
        const part = random.chance(0.5) ? { name, content: Buffer.from('1') } : { ...file, name }
        return { parts: random.shuffle([...parts, part]), note: `unknown part ${name.slice(0, 20)}`, expected: refused }
      },
    ],
    [
      2,
      () => ({
        parts: [{ ...(random.chance(0.5) && { name: '' }), content: Buffer.from('x') }, ...parts],
        note: 'a part without a name',
        expected: [400, ...refused],
      }),
    ],
    [
      2,
      () => {
        const left = random.pick(schema.required ?? [])
        return { parts: parts.filter(({ name }) => name !== left), note: `without ${left}`, expected: refused }
      },
    ],
    [
      2,
      () => {
        const again = random.pick(parts)
        return { parts: [...parts, again], note: `${again.name} twice`, expected: refused }
      },
    ],
    [
      2,
      () => {
        const name = random.pick(textNames)
        const content = Buffer.from(random.pick([...blanks, '\0', 'TRUE', '1', 'x'.repeat(1025), 'x'.repeat(5_000)]))
        return {
          parts: [...parts.filter((part) => part.name !== name), { name, content }],
          note: `another text as ${name}`,
        }
      },
    ],
    [
      1,
      () => ({
        parts: [...others, { name: fileName, content: file.content }],
        note: 'the file as a text',
        expected: [400, ...refused],
      }),
    ],
    [
      4,
      () => {
        const { content } = file
        const [bytes, what] = random.pick<[Buffer, string]>([
          [Buffer.alloc(0), 'an empty file'],
          [randomBytes(random.size(5_000)), 'random bytes'],
          [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/hostname"/></svg>'), 'an SVG'],
          [Buffer.from('<!doctype html><script>alert(1)</script>'), 'a page'],
          [Buffer.from('%PDF-1.7\n'), 'a PDF'],
          [Buffer.from('text '.repeat(random.size(5_000))), 'text'],
          [content.subarray(0, random.size(content.length - 1)), 'a picture cut off'],
          [Buffer.concat([content.subarray(0, 12), randomBytes(200)]), 'a broken picture'],
          [Buffer.concat([content, Buffer.from('<script>')]), 'a picture with a tail'],
        ])
        return {
          parts: withContent(bytes),
          note: what,
          ...(what.endsWith('tail') || what.includes('picture') ? {} : { expected: refused }),
        }
      },
    ],
    [
      1,
      () => ({ parts: Array.from({ length: 3 }, () => parts).flat(), note: 'three forms in one', expected: refused }),
    ],
    [
      1,
      () => ({
        parts: [...Array.from({ length: 40 }, (_, i) => ({ name: `f${i}`, content: Buffer.from('x') })), ...parts],
        note: 'forty fields more',
        expected: refused,
      }),
    ],
    [1, () => ({ parts: [], note: 'a form without parts', expected: [400, ...refused] })],
    [
      1,
      () => {
        const filename = random.pick(['../../etc/passwd', '', 'a\\"b', 'é漢.jpg', 'x'.repeat(5_000)])
        return { parts: [...others, { ...file, filename }], note: 'a strange name of the file' }
      },
    ],
  ])()
}
