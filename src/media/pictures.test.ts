import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { thumbHashToAverageRGBA, thumbHashToRGBA } from 'thumbhash'
import type { Rendition } from './object-keys.ts'
import * as pictures from './pictures.ts'

const inspectPicture = (file: string, house = 'house') => pictures.inspectPicture(file, house)
const derive = (file: string, house = 'house') => pictures.deriveRenditions(file, house)
const deriveRenditions = async (file: string) => (await derive(file)).renditions

/** All pictures that are made of a file. */
async function deriveAll(file: string): Promise<Buffer[]> {
  const { renditions, sources } = await derive(file)
  return [...Object.values(renditions), ...sources.map(({ data }) => data)]
}

let folder: string
let files = 0

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pictures-'))
})
after(() => rm(folder, { recursive: true }))

async function save(bytes: Buffer | string): Promise<string> {
  const file = path.join(folder, `${files++}.jpg`)
  await writeFile(file, bytes)
  return file
}

const plain = (width: number, height: number, background: string, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background } })

/** Red in the top left quarter, green in the top right one, blue below. */
const quarters = (width: number, height: number) =>
  plain(width, height, '#0000ff').composite([
    {
      input: { create: { width: width / 2, height: height / 2, channels: 3, background: '#ff0000' } },
      gravity: 'northwest',
    },
    {
      input: { create: { width: width / 2, height: height / 2, channels: 3, background: '#00ff00' } },
      gravity: 'northeast',
    },
  ])

async function noise(width: number, height: number): Promise<Sharp> {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
}

/** The colour at a place, given as fractions of width and height, as [red, green, blue(, alpha)]. */
async function colourAt(picture: Buffer, across: number, down: number): Promise<number[]> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const at = Math.floor(info.height * down) * info.width + Math.floor(info.width * across)
  return [...data.subarray(at * info.channels, (at + 1) * info.channels)]
}

function assertClose(actual: number[], expected: number[], tolerance = 12) {
  const close =
    actual.length === expected.length && actual.every((each, at) => Math.abs(each - expected[at]!) <= tolerance)
  assert.ok(close, `${actual.join()} is not ${expected.join()}`)
}

async function sizesOf(renditions: Record<Rendition, Buffer>): Promise<Record<string, string>> {
  const sizes: Record<string, string> = {}
  for (const [name, bytes] of Object.entries(renditions)) {
    const { format, width, height } = await sharp(bytes).metadata()
    sizes[name] = `${format} ${width}x${height}`
  }
  return sizes
}

const refused = (reason: string) => (error: Error & { reason?: string }) => {
  assert.equal(error.reason, reason, error.message)
  return true
}

test('every accepted format is recognised by its bytes, and gets renditions', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'avif', 'tiff', 'gif'] as const) {
    const file = await save(await quarters(64, 48).toFormat(format).toBuffer())
    assert.deepEqual(await inspectPicture(file), { type: `image/${format}`, width: 64, height: 48 })
    assertClose(await colourAt((await deriveRenditions(file)).image, 0.1, 0.1), [255, 0, 0], 40)
  }
})

test('renditions have the sizes of section 2.4', async () => {
  const expected = [
    [2000, 1500, '900x675', '250x188'],
    [1500, 2000, '900x1200', '188x250'],
    [900, 1200, '900x1200', '188x250'],
    [901, 1201, '900x1200', '188x250'],
    [1333, 1000, '900x675', '250x188'],
    [250, 250, '250x250', '250x250'],
    [100, 40, '100x40', '100x40'],
    [1, 1, '1x1', '1x1'],
    [6000, 300, '900x45', '250x13'],
    [12000, 1, '900x1', '250x1'],
    [300, 9000, '40x1200', '8x250'],
  ] as const
  for (const [width, height, image, preview] of expected) {
    const file = await save(await plain(width, height, '#808080').png({ compressionLevel: 1 }).toBuffer())
    assert.deepEqual(
      await sizesOf(await deriveRenditions(file)),
      { image: `webp ${image}`, preview: `webp ${preview}`, thumbnail: 'webp 250x250', mini: 'webp 70x70' },
      `${width} x ${height}`,
    )
  }
})

test('sources have the widths up to that of the original, its own if it is narrow, and no height beyond that of a WebP', async () => {
  const expected = [
    [3000, 2000, [480, 320], [960, 640], [1600, 1067], [2560, 1707]],
    [2560, 1000, [480, 188], [960, 375], [1600, 625], [2560, 1000]],
    [2559, 1000, [480, 188], [960, 375], [1600, 625], [2559, 1000]],
    [1600, 10, [480, 3], [960, 6], [1600, 10]],
    [481, 300, [480, 299], [481, 300]],
    [480, 16_383, [480, 16_383]],
    [480, 16_384],
    [961, 32_767, [480, 16_366]],
    [1, 1, [1, 1]],
  ] as const
  for (const [width, height, ...sizes] of expected) {
    const file = await save(await plain(width, height, '#808080').png({ compressionLevel: 1 }).toBuffer())
    const { sources, ...made } = await derive(file)
    assert.deepEqual([made.width, made.height], [width, height])
    assert.deepEqual(
      sources.map((source) => [source.width, source.height]),
      sizes,
      `${width} x ${height}`,
    )
    for (const { data, ...size } of sources) {
      const { format, ...found } = await sharp(data).metadata()
      assert.deepEqual([format, found.width, found.height], ['webp', size.width, size.height])
    }
  }
})

test('a placeholder shows the colours of the picture, whatever its kind, in at most 28 bytes', async () => {
  const opaque = quarters(400, 200)
  const shapes = [
    await opaque.png().toBuffer(),
    await plain(300, 300, '#ff000080', 4).png().toBuffer(),
    await plain(300, 200, '#777777').toColourspace('b-w').png().toBuffer(),
    await plain(5000, 20, '#00ff00').png().toBuffer(),
    await plain(1, 1, '#0000ff').png().toBuffer(),
  ]
  const averages: number[][] = []
  for (const shape of shapes) {
    const { placeholder } = await derive(await save(shape))
    const bytes = Buffer.from(placeholder, 'base64')
    assert.equal(bytes.toString('base64'), placeholder)
    assert.ok(bytes.length <= 28, `${bytes.length} bytes`)
    averages.push(Object.values(thumbHashToAverageRGBA(bytes)))
  }
  const expected = [
    [1, 0, 0, 0.5],
    [0.47, 0.47, 0.47, 1],
    [0, 1, 0, 1],
    [0, 0, 1, 1],
  ]
  for (const [at, average] of expected.entries()) assertClose(averages[at + 1]!, average, 0.06)
  const { rgba, w } = thumbHashToRGBA(Buffer.from((await derive(await save(shapes[0]!))).placeholder, 'base64'))
  assertClose(Array.from(rgba.slice(0, 3)), [255, 0, 0], 90)
  assertClose(Array.from(rgba.slice(4 * (w - 1), 4 * w - 1)), [0, 255, 0], 90)
})

test('a placeholder of a picture of one colour has that colour everywhere, however small or narrow the picture', async () => {
  for (const [width, height] of [
    [1, 1],
    [3, 2],
    [20, 3000],
    [3000, 20],
  ] as const) {
    const flat = sharp({ create: { width, height, channels: 3, background: '#a07040' } })
    const { rgba } = thumbHashToRGBA(
      Buffer.from((await derive(await save(await flat.png().toBuffer()))).placeholder, 'base64'),
    )
    for (let at = 0; at < rgba.length; at += 4)
      for (const [channel, value] of [0xa0, 0x70, 0x40].entries())
        assert.ok(
          Math.abs(rgba[at + channel]! - value) < 16,
          `${width} × ${height}: ${rgba.slice(at, at + 3).join(' ')}`,
        )
  }
})

test('the squares of a panorama are cut from its full height, not enlarged from the small image', async () => {
  const lines = Buffer.alloc(5000 * 250 * 3)
  for (let at = 0; at < lines.length; at++) lines[at] = Math.floor(at / (5000 * 3)) % 10 < 5 ? 0 : 255
  const file = await save(
    await sharp(lines, { raw: { width: 5000, height: 250, channels: 3 } })
      .png()
      .toBuffer(),
  )
  const { thumbnail } = await deriveRenditions(file)
  assertClose((await colourAt(thumbnail, 0.5, 2.5 / 250)).slice(0, 3), [0, 0, 0], 40)
  assertClose((await colourAt(thumbnail, 0.5, 7.5 / 250)).slice(0, 3), [255, 255, 255], 40)
})

test('all eight EXIF orientations come out upright', async () => {
  const upright = { red: [0.1, 0.1], green: [0.9, 0.1], blue: [0.5, 0.9] } as const
  // How the camera stores it: the inverse of each orientation.
  const stored: Record<number, (picture: Sharp) => Sharp> = {
    1: (picture) => picture,
    2: (picture) => picture.flop(),
    3: (picture) => picture.rotate(180),
    4: (picture) => picture.flip(),
    5: (picture) => picture.rotate(270).flop(),
    6: (picture) => picture.rotate(270),
    7: (picture) => picture.rotate(90).flop(),
    8: (picture) => picture.rotate(90),
  }
  const picture = await quarters(400, 200).png().toBuffer()
  for (const [orientation, turn] of Object.entries(stored)) {
    const turned = await turn(sharp(picture)).png().toBuffer()
    const file = await save(
      await sharp(turned)
        .withMetadata({ orientation: Number(orientation) })
        .jpeg()
        .toBuffer(),
    )
    const { width, height } = await inspectPicture(file)
    assert.deepEqual([width, height], [400, 200], orientation)
    const made = await derive(file)
    assert.deepEqual([made.width, made.height], [400, 200], orientation)
    for (const rendition of [made.renditions.image, made.renditions.preview, made.sources[0]!.data]) {
      assertClose(await colourAt(rendition, ...upright.red), [255, 0, 0], 30)
      assertClose(await colourAt(rendition, ...upright.green), [0, 255, 0], 30)
      assertClose(await colourAt(rendition, ...upright.blue), [0, 0, 255], 30)
    }
  }
})

test('CMYK, wide gamut, 16 bits, greyscale and palette become sRGB of the same colour', async () => {
  const orange = '#e08040'
  const grey = await plain(300, 300, '#777777').toColourspace('b-w').png().toBuffer()
  const kinds: Record<string, [Buffer, number[]]> = {
    cmyk: [
      await plain(300, 300, orange).withIccProfile('cmyk').toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer(),
      [224, 128, 64],
    ],
    'cmyk without a profile': [
      await plain(300, 300, orange).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer(),
      [224, 128, 64],
    ],
    p3: [await plain(300, 300, orange).withIccProfile('p3').png().toBuffer(), [224, 128, 64]],
    '16 bits': [await plain(300, 300, orange).toColourspace('rgb16').png().toBuffer(), [224, 128, 64]],
    palette: [await plain(300, 300, orange).png({ palette: true }).toBuffer(), [224, 128, 64]],
    progressive: [await plain(300, 300, orange).jpeg({ progressive: true }).toBuffer(), [224, 128, 64]],
    greyscale: [grey, [119, 119, 119]],
    '16-bit greyscale': [await sharp(grey).toColourspace('grey16').png().toBuffer(), [119, 119, 119]],
  }
  for (const [kind, [bytes, expected]] of Object.entries(kinds)) {
    const { space, depth } = await sharp(bytes).metadata()
    for (const rendition of await deriveAll(await save(bytes))) {
      assertClose(await colourAt(rendition, 0.5, 0.5), expected, kind.startsWith('cmyk') ? 25 : 8)
      const made = await sharp(rendition).metadata()
      assert.deepEqual([made.space, made.depth, made.hasProfile], ['srgb', 'uchar', false], `${kind} ${space} ${depth}`)
    }
  }
})

test('transparency is preserved', async () => {
  const half = await plain(600, 600, '#ff000080', 4).png().toBuffer()
  for (const rendition of await deriveAll(await save(half)))
    assertClose(await colourAt(rendition, 0.5, 0.5), [255, 0, 0, 128])
})

test('the first frame of an animation is used', async () => {
  const frames = await Promise.all(['#ff0000', '#0000ff'].map((colour) => plain(100, 80, colour).png().toBuffer()))
  for (const format of ['gif', 'webp'] as const) {
    const file = await save(
      await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer(),
    )
    assert.equal((await inspectPicture(file)).height, 80)
    const { image } = await deriveRenditions(file)
    assert.equal((await sharp(image).metadata()).pages ?? 1, 1)
    assertClose((await colourAt(image, 0.5, 0.5)).slice(0, 3), [255, 0, 0])
  }
})

test('renditions carry no metadata: no location, no camera, no profile', async () => {
  const file = await save(
    await plain(800, 600, '#336699')
      .withExif({ IFD0: { Copyright: 'SECRET' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 22/1 0/1' } })
      .withXmp(
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET</x:xmpmeta>',
      )
      .withIccProfile('p3')
      .jpeg()
      .toBuffer(),
  )
  for (const rendition of await deriveAll(file)) {
    const { exif, xmp, icc, iptc, orientation } = await sharp(rendition).metadata()
    assert.deepEqual(
      { exif, xmp, icc, iptc, orientation },
      { exif: undefined, xmp: undefined, icc: undefined, iptc: undefined, orientation: undefined },
    )
    assert.doesNotMatch(rendition.toString('latin1'), /SECRET|EXIF|ICCP|XMP /)
  }
})

test('files of other kinds are unsupported, whatever their names', async () => {
  const others = {
    svg: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    'svg after a prologue': '\ufeff\n<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    html: '<!doctype html><script>alert(1)</script>',
    pdf: '%PDF-1.7\n',
    heic: Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(200)]),
    film: Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isom', 'latin1'),
    bitmap: Buffer.concat([Buffer.from('BM'), Buffer.alloc(100)]),
    zip: 'PK\x03\x04',
    words: 'words',
    zeros: '\0\0\0\0',
    nothing: '',
    'half a beginning': '\x89PNG',
  }
  for (const [kind, bytes] of Object.entries(others)) {
    const file = await save(bytes)
    await assert.rejects(inspectPicture(file), refused('unsupported'), kind)
    await assert.rejects(deriveRenditions(file), refused('unsupported'), kind)
  }
})

test('a file that cannot be decoded is unreadable', async () => {
  const shot = await noise(400, 300)
  const truncated = await Promise.all(
    (['jpeg', 'png', 'webp', 'avif', 'tiff', 'gif'] as const).map(async (format) => {
      const whole = await shot.clone().toFormat(format).toBuffer()
      return whole.subarray(0, whole.length / 2)
    }),
  )
  const heads = ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF89a', 'RIFF\0\0\0\0WEBP', 'II*\0', '\0\0\0\x18ftypavif']
  const broken = [
    ...truncated,
    ...heads.map((head) => Buffer.from(head, 'latin1')),
    Buffer.from('GIF89a<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"></svg>'),
  ]
  for (const [at, bytes] of broken.entries()) {
    const file = await save(bytes)
    await assert.rejects(inspectPicture(file), refused('unreadable'), `broken file ${at}`)
    await assert.rejects(deriveRenditions(file), refused('unreadable'), `broken file ${at}`)
  }
})

test('a picture with an HTML page at its end is a picture, and its renditions lack the page', async () => {
  const file = await save(
    Buffer.concat([await quarters(64, 64).jpeg().toBuffer(), Buffer.from('<script>alert(1)</script>')]),
  )
  assert.equal((await inspectPicture(file)).type, 'image/jpeg')
  for (const rendition of await deriveAll(file)) assert.doesNotMatch(rendition.toString('latin1'), /script/)
})

test('100 megapixels pass, and one row more is refused by the header alone', async () => {
  const blank = async (height: number) => {
    const jpeg = await plain(10_000, 16, '#ffffff').jpeg().toBuffer()
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    jpeg.writeUInt16BE(height, frame + 5)
    return save(jpeg)
  }
  await assert.rejects(inspectPicture(await blank(10_001)), refused('too-large'))
  await assert.rejects(deriveRenditions(await blank(10_001)), refused('too-large'))

  const whole = await save(await plain(10_000, 10_000, '#ffffff').jpeg().toBuffer())
  assert.deepEqual(await inspectPicture(whole), { type: 'image/jpeg', width: 10_000, height: 10_000 })
})

test('a missing file is not reported as a bad picture', async () => {
  await assert.rejects(inspectPicture(path.join(folder, 'missing')), { code: 'ENOENT' })
})

test('many pictures at once are all processed, good and bad ones', async () => {
  const good = await save(await quarters(300, 300).jpeg().toBuffer())
  const bad = await save('nothing')
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => (at % 3 === 0 ? inspectPicture(bad) : deriveRenditions(good))),
  )
  assert.deepEqual(
    results.map(({ status }) => status),
    results.map((_, at) => (at % 3 === 0 ? 'rejected' : 'fulfilled')),
  )
})

test('many pictures of one house do not delay the single picture of another', async () => {
  const file = await save(await quarters(300, 300).jpeg().toBuffer())
  const done: string[] = []
  const houses = [...Array<string>(20).fill('many'), 'one']
  await Promise.all(houses.map((house) => inspectPicture(file, house).then(() => done.push(house))))
  assert.ok(done.indexOf('one') < 10, done.join())
})

test('a picture whose client has left takes no turn', async () => {
  const file = await save(await quarters(300, 300).jpeg().toBuffer())
  const left = new AbortController()
  const abandoned = Array.from({ length: 6 }, () => pictures.inspectPicture(file, 'house', left.signal))
  const other = inspectPicture(file)
  left.abort()
  const outcomes = await Promise.allSettled(abandoned)
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 4, 'two had begun')
  assert.equal((await other).height, 300)
  await assert.rejects(pictures.inspectPicture(file, 'house', left.signal), { name: 'AbortError' })
})
