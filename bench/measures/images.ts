import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { form, picture } from '../../test/support/pictures.ts'
import { openClient } from '../../test/support/client.ts'
import { runCommand } from '../../test/support/process.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { percentile } from '../../test/support/statistics.ts'
import { deriveRenditions } from '../../src/media/pictures.ts'
import { sourceQuality } from '../../src/media/sources.ts'
import { ask } from '../lib/client.ts'
import { startCatalogue, type ServerProcess } from '../lib/processes.ts'

// Measures images against their targets. Each figure is printed with its comparison from the same run.
// npx node bench/measures/images.ts [derive] [uploads] [serving] [queue]

const mebibyte = 1024 * 1024
const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-bench-'))
const chosen = process.argv.slice(2)
const results: string[][] = [['what', 'measured', 'against', 'target', 'met']]
const report = (what: string, measured: string, against: string, target: string, met: boolean) =>
  results.push([what, measured, against, target, met ? 'yes' : 'NO'])

const median = (values: number[]) => percentile(values, 0.5)

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** A picture with detail at every scale, like a photograph. */
async function photograph(width: number, height: number): Promise<Buffer> {
  const layer = (scale: number) =>
    sharp(randomBytes(Math.ceil(width / scale) * Math.ceil(height / scale) * 3), {
      raw: { width: Math.ceil(width / scale), height: Math.ceil(height / scale), channels: 3 },
    })
      .resize(width, height, { fit: 'fill' })
      .png({ compressionLevel: 0 })
      .toBuffer()
  const [coarse, fine] = await Promise.all([layer(64), layer(8)])
  return sharp(coarse)
    .composite([{ input: fine, blend: 'soft-light' }])
    .jpeg({ quality: 88 })
    .toBuffer()
}

/** The same work with sharp alone: one decoding, eight pictures and a placeholder. */
async function deriveAlone(file: string): Promise<void> {
  const size = { width: 2560, height: 1920 }
  const { data, info } = await sharp(file, { autoOrient: true })
    .resize({ ...size, fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  for (const [width, height, fit] of [
    [900, 1200, 'inside'],
    [250, 250, 'inside'],
    [250, 250, 'cover'],
    [70, 70, 'cover'],
  ] as const)
    await sharp(data, { raw })
      .resize(width, height, { fit, withoutEnlargement: true })
      .webp({ quality: 80, effort: 2 })
      .toBuffer()
  for (const width of [480, 960, 1600, 2560]) {
    const source = sharp(data, { raw }).resize(width, (width * 3) / 4, { fit: 'fill' })
    await source.webp({ ...sourceQuality, effort: 2 }).toBuffer()
  }
  const tiny = await sharp(data, { raw }).resize(100, 75).ensureAlpha().raw().toBuffer()
  rgbaToThumbHash(100, 75, tiny)
}

/** The most memory that a child process had, in MiB. */
async function watchDecoders(work: () => Promise<unknown>): Promise<number> {
  let most = 0
  const sample = async () => {
    for (const pid of (await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')).trim().split(' ')) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      most = Math.max(most, Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024)
    }
  }
  const timer = setInterval(() => void sample(), 50)
  await work()
  clearInterval(timer)
  return most
}

async function benchDerive(): Promise<void> {
  const file = path.join(folder, '12mp.jpg')
  await writeFile(file, await photograph(4000, 3000))
  const ours: number[] = []
  const alone: number[] = []
  const made = await deriveRenditions(file, 'house')
  const sizes = [...Object.values(made.renditions), ...made.sources.map(({ data }) => data)].map(({ length }) => length)
  const memory = await watchDecoders(async () => {
    for (let round = 0; round < 13; round++) {
      ours.push(await time(() => deriveRenditions(file, 'house')))
      alone.push(await time(() => deriveAlone(file)))
    }
  })
  const ratio = median(ours) / median(alone)
  report(
    '12 MP to eight pictures and a placeholder',
    `${median(ours).toFixed(0)} ms`,
    `sharp alone ${median(alone).toFixed(0)} ms`,
    '<= 1.6 x',
    ratio <= 1.6,
  )
  const kilobytes = (sizes.reduce((sum, size) => sum + size) / 1000).toFixed(0)
  report('the same', `${kilobytes} kB in ${sizes.length} files`, `${memory.toFixed(0)} MiB in the decoder`, '-', true)
  const twice = Array.from({ length: 6 }, () => file)
  const serial = await time(async () => {
    for (const each of [...twice, ...twice]) await deriveRenditions(each, 'house')
  })
  const parallel = await time(() => Promise.all([...twice, ...twice].map((each) => deriveRenditions(each, 'house'))))
  report(
    'twelve of them at once',
    `${parallel.toFixed(0)} ms`,
    `one by one ${serial.toFixed(0)} ms`,
    'both cores',
    serial / parallel > 1.5,
  )
}

type Service = ServerProcess & { client: ReturnType<typeof openClient>; dataDir: string }

async function startLoaded(name: string, worker: string, images = 0): Promise<Service> {
  const dataDir = path.join(folder, name)
  const settings = { DATA_DIR: dataDir }
  await writeFile(path.join(folder, 'photo.jpg'), await photograph(1600, 1200))
  const lines = [
    houseLine('bench'),
    { type: 'item', ref: 'item', id: uuid(1), translations: { nl: { title: 'Vaas' } } },
    ...Array.from({ length: images }, () => ({ type: 'image', item: 'item', file: 'photo.jpg', public: true })),
  ]
  const file = path.join(folder, `${name}.ndjson`)
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const loaded = await runCommand(settings, 'load', file)
  if (loaded.code !== 0) throw new Error(loaded.stderr)
  const { stdout } = await runCommand(settings, 'keys', 'create', '--house', 'bench', '--all', '--json')
  const { key } = JSON.parse(stdout) as { key: string }
  const service = await startCatalogue(dataDir, { WORKER: worker, LOG_LEVEL: 'warn' })
  return { ...service, client: openClient(service.url, key), dataDir }
}

async function upload({ client }: Service, reference: string, bytes: Buffer): Promise<number> {
  const content = form(['external_reference', reference], ['file', bytes, 'a.png'])
  return (await client.call('POST', `items/${uuid(1)}/images`, content)).status
}

async function watchMemory<T>(
  service: Service,
  work: () => Promise<T>,
): Promise<{ before: number; peak: number; result: T }> {
  const before = await service.memory()
  let peak = before
  const sample = async () => {
    peak = Math.max(peak, await service.memory())
  }
  const timer = setInterval(() => void sample(), 50)
  const result = await work()
  clearInterval(timer)
  return { before, peak, result }
}

async function benchUploads(): Promise<void> {
  const side = 2640
  const noise = await sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const service = await startLoaded('uploads', 'off')
  await upload(service, 'warm', await picture())
  const { before, peak, result } = await watchMemory(service, () =>
    Promise.all(Array.from({ length: 50 }, (_, at) => upload(service, `r${at}`, noise))),
  )
  if (result.some((status) => status !== 201)) throw new Error(`answers ${result.join()}`)
  const size = (noise.length / mebibyte).toFixed(0)
  report(
    `50 uploads of ${size} MiB at once`,
    `+${(peak - before).toFixed(0)} MiB`,
    `idle ${before.toFixed(0)} MiB`,
    '< 150 MB',
    peak - before < 143,
  )
  await service.stop()
}

/** Requests per second over 32 connections, each with one request at a time. */
async function countRequests(origin: string, target: string): Promise<number> {
  const text = `GET ${target} HTTP/1.1\r\nHost: bench\r\n\r\n`
  let answered = 0
  let over = false
  const asking = Array.from({ length: 32 }, () =>
    ask(
      origin,
      () => (over ? undefined : text),
      () => answered++,
    ),
  )
  const seconds = 4
  await sleep(1000)
  const from = answered
  await sleep(seconds * 1000)
  const rate = (answered - from) / seconds
  over = true
  await Promise.all(asking)
  return rate
}

const bareServer = `
const { createServer } = require('node:http'), { createReadStream, statSync } = require('node:fs')
const file = process.argv[1]
createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'image/webp', 'content-length': statSync(file).size })
  createReadStream(file).pipe(response)
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

async function benchServing(): Promise<void> {
  const service = await startLoaded('serving', 'in-process', 1)
  const read = async () => {
    type Shown = { data: { images: { thumbnail_url: string | null }[] } }
    return (await service.client.read<Shown>(`items/${uuid(1)}?expand[]=images`)).data.images[0]!.thumbnail_url
  }
  let address = await read()
  while (address === null) address = await read()
  const { pathname } = new URL(address)
  const bytes = Buffer.from(await (await fetch(address)).arrayBuffer())
  const bare = spawn(process.execPath, ['-e', bareServer, path.join(service.dataDir, pathname)])
  const port = Number(String((await once(bare.stdout, 'data'))[0]))
  const rates: [number, number][] = []
  for (let round = 0; round < 3; round++)
    rates.push([await countRequests(service.url, pathname), await countRequests(`http://127.0.0.1:${port}`, '/')])
  bare.kill()
  const ours = median(rates.map(([rate]) => rate))
  const floor = median(rates.map(([, rate]) => rate))
  report(
    `a thumbnail (${bytes.length} bytes)`,
    `${ours.toFixed(0)} requests/s`,
    `bare node:http ${floor.toFixed(0)}`,
    '>= 0.5 x',
    ours >= floor / 2,
  )
  await service.stop()
}

async function benchQueue(): Promise<void> {
  const service = await startLoaded('queue', 'in-process', 1000)
  const start = performance.now()
  const memory: number[] = []
  let open = 1000
  while (open > 0) {
    const { stdout } = await runCommand({ DATA_DIR: service.dataDir }, 'jobs', 'list', '--json')
    open = (JSON.parse(stdout) as { task: string }[]).filter((job) => job.task === 'derive_renditions').length
    memory.push(await service.memory())
    await sleep(1000)
  }
  const seconds = (performance.now() - start) / 1000
  const early = median(memory.slice(0, Math.ceil(memory.length / 3)))
  const late = median(memory.slice(-Math.ceil(memory.length / 3)))
  report(
    '1,000 images in the queue',
    `${late.toFixed(0)} MiB in the last third`,
    `${early.toFixed(0)} MiB in the first`,
    'flat',
    late < early * 1.15,
  )
  report('the same', `${(1000 / seconds).toFixed(0)} images/s`, '2 MP each', '-', true)
  await service.stop()
}

const parts = { derive: benchDerive, uploads: benchUploads, serving: benchServing, queue: benchQueue }
try {
  for (const [name, run] of Object.entries(parts)) if (chosen.length === 0 || chosen.includes(name)) await run()
} finally {
  await rm(folder, { recursive: true, force: true })
}
const widths = results[0]!.map((_, column) => Math.max(...results.map((row) => row[column]!.length)))
process.stdout.write(`${results.map((row) => row.map((cell, at) => cell.padEnd(widths[at]!)).join('  ')).join('\n')}\n`)
