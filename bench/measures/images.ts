import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { form, picture } from '../../test/support/pictures.ts'
import { findPort, runCommand, startProcess } from '../../test/support/process.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { deriveRenditions } from '../../src/media/pictures.ts'

// The targets for images. Each figure stands beside what it is measured against, taken in the same run.
// node bench/measures/images.ts [derive] [uploads] [serving] [queue]

const mebibyte = 1024 * 1024
const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-bench-'))
const chosen = process.argv.slice(2)
const results: string[][] = [['what', 'measured', 'against', 'target', 'met']]
const report = (what: string, measured: string, against: string, target: string, met: boolean) =>
  results.push([what, measured, against, target, met ? 'yes' : 'NO'])

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Resident memory of a process, in MiB. */
async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024
}

/** A picture with detail at every scale, as photographs have. */
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

/** The same work with sharp and nothing else. */
async function deriveAlone(file: string): Promise<void> {
  const size = { width: 900, height: 675 }
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
}

async function benchDerive(): Promise<void> {
  const file = path.join(folder, '12mp.jpg')
  await writeFile(file, await photograph(4000, 3000))
  const ours: number[] = []
  const alone: number[] = []
  for (let round = 0; round < 13; round++) {
    ours.push(await time(() => deriveRenditions(file, 'house')))
    alone.push(await time(() => deriveAlone(file)))
  }
  const ratio = median(ours) / median(alone)
  report(
    '12 MP to four renditions',
    `${median(ours).toFixed(0)} ms`,
    `sharp alone ${median(alone).toFixed(0)} ms`,
    '<= 1.25 x',
    ratio <= 1.25,
  )
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

type Service = {
  port: number
  key: string
  settings: Record<string, string>
  child: ChildProcess
  stop(): Promise<unknown>
}

async function startCatalogue(name: string, extra: Record<string, string>, images = 0): Promise<Service> {
  const settings = {
    DATA_DIR: path.join(folder, name),
    RATE_LIMIT_PER_MINUTE: '0',
    PORT: String(await findPort()),
    ...extra,
  }
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
  const service = await startProcess(settings)
  return { port: Number(settings.PORT), key, settings, child: service.child, stop: () => service.stop() }
}

function send(service: Service, reference: string, bytes: Buffer): Promise<number> {
  const { headers, body } = form(['external_reference', reference], ['file', bytes, 'a.png'])
  const sent = request({
    port: service.port,
    method: 'POST',
    path: `/api/v2/items/${uuid(1)}/images`,
    headers: { ...headers, 'content-length': body.length, authorization: `Bearer ${service.key}` },
  })
  sent.end(body)
  return once(sent, 'response').then(([response]) => (response.resume(), response.statusCode as number))
}

async function watchMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ before: number; peak: number; result: T }> {
  const before = await residentMemory(pid)
  let peak = before
  const sample = async () => {
    peak = Math.max(peak, await residentMemory(pid))
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
  const service = await startCatalogue('uploads', { WORKER: 'off' })
  await send(service, 'warm', await picture())
  const { before, peak, result } = await watchMemory(service.child.pid!, () =>
    Promise.all(Array.from({ length: 50 }, (_, at) => send(service, `r${at}`, noise))),
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

/** Requests a second over 32 connections, each asking again when it is answered. */
async function countRequests(port: number, target: string, length: number): Promise<number> {
  const text = `GET ${target} HTTP/1.1\r\nHost: bench\r\n\r\n`
  let answered = 0
  const sockets = Array.from({ length: 32 }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let open = -1
    socket.on('data', (chunk: Buffer) => {
      // The headers of an answer come in one chunk, with the beginning of its body.
      const body = open < 0 ? chunk.length - chunk.indexOf('\r\n\r\n') - 4 : chunk.length
      open = (open < 0 ? length : open) - body
      if (open > 0) return
      open = -1
      answered++
      socket.write(text)
    })
    return socket
  })
  const seconds = 4
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const from = answered
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const rate = (answered - from) / seconds
  for (const socket of sockets) socket.destroy()
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
  const service = await startCatalogue('serving', {}, 1)
  const read = async () => {
    const answer = await fetch(`http://127.0.0.1:${service.port}/api/v2/items/${uuid(1)}?expand[]=images`, {
      headers: { authorization: `Bearer ${service.key}` },
    })
    return ((await answer.json()) as { data: { images: { thumbnail_url: string | null }[] } }).data.images[0]!
      .thumbnail_url
  }
  let address = await read()
  while (address === null) address = await read()
  const { pathname } = new URL(address)
  const bytes = Buffer.from(await (await fetch(address)).arrayBuffer())
  const bare = spawn(process.execPath, ['-e', bareServer, path.join(service.settings.DATA_DIR!, pathname)])
  const port = Number(String((await once(bare.stdout, 'data'))[0]))
  const rates: [number, number][] = []
  for (let round = 0; round < 3; round++)
    rates.push([
      await countRequests(service.port, pathname, bytes.length),
      await countRequests(port, '/', bytes.length),
    ])
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
  const service = await startCatalogue('queue', {}, 1000)
  const start = performance.now()
  const memory: number[] = []
  let open = 1000
  while (open > 0) {
    const { stdout } = await runCommand(service.settings, 'jobs', 'list', '--json')
    open = (JSON.parse(stdout) as { task: string }[]).filter((job) => job.task === 'derive_renditions').length
    memory.push(await residentMemory(service.child.pid!))
    await new Promise((resolve) => setTimeout(resolve, 1000))
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
