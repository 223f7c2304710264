import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { deriveRenditions, inspectPicture } from './pictures.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'pictures-'))
after(() => rm(folder, { recursive: true }))

const plain = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: '#33669980' } })

let files = 0
async function save(picture: Sharp): Promise<string> {
  const file = path.join(folder, String(files++))
  await picture.toFile(file)
  return file
}

/** The memory of the child processes, in MiB. */
async function memoryOfChildren(): Promise<number> {
  let sum = 0
  for (const name of await readdir('/proc')) {
    const status = /^\d+$/.test(name) ? await readFile(`/proc/${name}/status`, 'utf8').catch(() => '') : ''
    if (Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]) === process.pid)
      sum += Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024
  }
  return sum
}

test('the worst pictures at once take no more memory than allowed; a larger one is refused, and no other with it', async () => {
  const wide = (channels: 3 | 4) => plain(10_000, 10_000, channels)
  const deep = await save(wide(4).toColourspace('rgb16').png({ progressive: true, compressionLevel: 1 }))
  const progressive = { progressive: true, quality: 50 }
  const dense = await save(wide(3).jpeg({ ...progressive, chromaSubsampling: '4:4:4' }))
  const common = await save(wide(3).jpeg(progressive))
  const small = await save(plain(300, 300).jpeg())
  let most = 0
  const done = new AbortController()
  const measured = (async () => {
    while (!done.signal.aborted) most = Math.max(most, await memoryOfChildren())
  })()
  const [first, second, third, fourth] = await Promise.allSettled([
    inspectPicture(deep, 'house'),
    deriveRenditions(dense, 'house'),
    deriveRenditions(common, 'house'),
    deriveRenditions(small, 'house'),
  ])
  done.abort()
  await measured
  for (const result of [first, second])
    assert.equal(result.status === 'rejected' && (result.reason as { reason?: string }).reason, 'too-large')
  assert.deepEqual([third.status, fourth.status], ['fulfilled', 'fulfilled'])
  assert.ok(most > 200 && most < 450, `${most} MiB`)
})

test('decoders that are killed while idle cost no picture', async () => {
  const file = await save(plain(300, 300).jpeg())
  const children = `/proc/${process.pid}/task/${process.pid}/children`
  const inspect = () => inspectPicture(file, 'house')
  for (let round = 0; round < 5; round++) {
    await Promise.all([inspect(), inspect()])
    const decoders = readFileSync(children, 'utf8').trim().split(' ').map(Number)
    assert.equal(decoders.length, 2)
    for (const decoder of decoders) process.kill(decoder, 'SIGKILL')
    // Their end is not known yet, because nothing was awaited.
    const all = await Promise.all([inspect(), deriveRenditions(file, 'house'), inspect()])
    assert.deepEqual([all[0].height, all[2].height], [300, 300])
  }
})

test('a picture that takes too long is unreadable, and the next one is decoded', async (t) => {
  const slow = await save(plain(10_000, 10_000).jpeg({ progressive: true }))
  const good = await save(plain(300, 300).jpeg())
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const refusal = assert.rejects(inspectPicture(slow, 'house'), { reason: 'unreadable' })
  const passing = setInterval(() => t.mock.timers.tick(100_000), 20)
  await refusal
  clearInterval(passing)
  t.mock.timers.reset()
  assert.equal((await inspectPicture(good, 'house')).height, 300)
})
